/**
 * Takes Node's own modules from `process.getBuiltinModule`. An `import` of one asks it for all that it exports, streams and
 * web crypto among it that Node makes when they are first asked for; and a cold start waits for that.
 */
import { builtinModules } from "node:module";
import type { Plugin } from "esbuild";

const NAMESPACE = "builtin";
const NAMES = new Set(builtinModules.filter((name) => !name.startsWith("_")));
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const RESERVED = new Set(["default", "delete"]);

/** A module that has what the built-in one has; each name is looked up only where something is made of it. */
export function builtinSource(name: string): string {
  const names = Object.keys(process.getBuiltinModule(name) ?? {}).filter(
    (each) => IDENTIFIER.test(each) && !RESERVED.has(each),
  );
  return [
    `const it = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(`node:${name}`)});`,
    "export default it;",
    ...names.map((each) => `export const ${each} = /* @__PURE__ */ (() => it.${each})();`),
  ].join("\n");
}

export const builtins: Plugin = {
  name: "builtins",
  setup(build) {
    build.onResolve({ filter: /^[a-z][\w:/]*$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, "");
      if (kind !== "import-statement" || !NAMES.has(name)) return undefined;
      return { path: name, namespace: NAMESPACE, sideEffects: false };
    });
    build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
      contents: builtinSource(path),
      loader: "js",
    }));
  },
};
