/**
 * The bundle of a function: `index.mjs`, which is loaded when an execution environment starts, and a file for each part
 * that it loads when it is first needed (`import()`).
 */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildResult, build, type Metafile } from "esbuild";
import { barrels } from "./barrels.ts";
import { builtins } from "./builtins.ts";
import { LEFT_OUT, packages } from "./packages.ts";
import { sdkTables } from "./sdk-tables.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * @param entry path of the module with the handler.
 * @param folder where the bundle goes; nothing is written without one.
 * @throws Error when a module does not resolve, or one that is left out of the bundles got in.
 */
export async function bundle(
  entry: string,
  folder?: string,
): Promise<BuildResult<{ metafile: true; write: boolean }>> {
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: { index: entry },
    outdir: folder ?? "bundle",
    write: folder !== undefined,
    outExtension: { ".js": ".mjs" },
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    minify: true,
    charset: "ascii",
    legalComments: "none",
    metafile: true,
    logLevel: "silent",
    // ES modules are what esbuild can shake unused code out of.
    mainFields: ["module", "main"],
    plugins: [builtins, packages, sdkTables, barrels],
    // Some dependencies are CommonJS and ask for Node's own modules.
    banner: { js: 'const require=process.getBuiltinModule("module").createRequire(import.meta.url);' },
  });
  refuse(relative(ROOT, entry), result.metafile);
  return result;
}

/** @throws Error naming what is in the bundle and is not to be: packages were laid out anew, or have new parts. */
function refuse(entry: string, metafile: Metafile): void {
  const intruder = inputsOf(metafile).find((path) => LEFT_OUT.test(path));
  if (intruder !== undefined) {
    throw new Error(`${entry}: ${intruder} is to be left out of the bundles, and is in this one`);
  }
  for (const [path, { imports }] of Object.entries(metafile.inputs)) {
    if (!path.includes("node_modules/")) continue;
    const late = imports.find(({ kind, external }) => kind === "dynamic-import" && !external);
    if (late === undefined) continue;
    throw new Error(
      `${entry}: nobody has said whether what ${path} loads later, ${late.path}, is ever needed`,
    );
  }
}

/** Paths of the modules that something of is in the bundle. */
export const inputsOf = ({ outputs }: Metafile): string[] =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );

export interface BundleSize {
  /** Of what is loaded when the function starts. */
  readonly initBytes: number;
  /** Of all files. */
  readonly totalBytes: number;
}

export function sizeOf({ outputs }: Metafile): BundleSize {
  const atStart = new Set<string>();
  const visit = (path: string): void => {
    if (atStart.has(path)) return;
    atStart.add(path);
    for (const { path: next, kind, external } of outputs[path]!.imports) {
      if (kind === "import-statement" && !external) visit(next);
    }
  };
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint !== undefined && path.endsWith("index.mjs")) visit(path);
  }
  const sum = (paths: Iterable<string>): number =>
    [...paths].reduce((bytes, path) => bytes + outputs[path]!.bytes, 0);
  return { initBytes: sum(atStart), totalBytes: sum(Object.keys(outputs)) };
}
