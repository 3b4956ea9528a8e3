/**
 * Lets unused parts of the SDK's tables go. A client describes all of its operations in one module, as arrays whose keys
 * are computed from constants: `{ [_hH]: _xaebo }`. A computed key may have an effect, so esbuild keeps every array of
 * it; with the constant's text in its place it keeps those of the operations that are called.
 */
import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

const SCHEMAS = /@aws-sdk[\\/]client-[\w-]+[\\/]dist-es[\\/]schemas[\\/]\w+\.js$/;
const PACKAGE = /@aws-sdk[\\/]client-[\w-]+[\\/]package\.json$/;

const CONSTANT = /^const (\w+) = ("(?:[^"\\\n]|\\.)*");$/gm;
const COMPUTED_KEY = /(?<=[{,] )\[(\w+)\]:/g;

/** @throws Error when the module is not written as it was when this was: it would stay whole, and nobody would know. */
export function spellOutKeys(source: string): string {
  const constants = new Map([...source.matchAll(CONSTANT)].map(([, name, text]) => [name!, text!]));
  let count = 0;
  const result = source.replace(COMPUTED_KEY, (_key, name: string) => {
    const text = constants.get(name);
    if (text === undefined) throw new Error(`${name} is no constant with a text`);
    count += 1;
    return `${text}:`;
  });
  if (constants.size > 0 && count === 0) throw new Error("no computed key was found");
  if (/[{,]\s*\[\w+\]:/.test(result)) throw new Error("a computed key is left");
  return result;
}

export const sdkTables: Plugin = {
  name: "sdk-tables",
  setup(build) {
    build.onLoad({ filter: SCHEMAS }, ({ path }) => {
      try {
        return { contents: spellOutKeys(readFileSync(path, "utf8")), loader: "js" };
      } catch (error) {
        return { errors: [{ text: `${path}: ${(error as Error).message}` }] };
      }
    });
    // A client says its version to the service, and nothing else of its package.
    build.onLoad({ filter: PACKAGE }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, "utf8")) as { version: string };
      return { contents: JSON.stringify({ version }), loader: "json" };
    });
  },
};
