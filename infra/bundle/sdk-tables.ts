/**
 * Lets unused parts of the SDK's tables go: the operations that are not called, the errors that these would have, and the
 * names of regions.
 */
import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

const SCHEMAS = /@aws-sdk[\\/]client-[\w-]+[\\/]dist-es[\\/]schemas[\\/]\w+\.js$/;
const PARTITIONS = /@aws-sdk[\\/]core[\\/]dist-es[\\/].*[\\/]partitions\.js$/;
const PACKAGE = /@aws-sdk[\\/]client-[\w-]+[\\/]package\.json$/;

/** DynamoDB's errors of operations on tables, backups, exports and replicas: the functions read and write items. */
const NEVER_TOLD =
  /^(Backup|ContinuousBackups|DuplicateItem|Export|GlobalTable|Import|IndexNotFound|InvalidEndpoint|InvalidExport|InvalidRestore|PointInTime|PolicyNotFound|ReplicaA|ReplicaN|ResourceInUse|TableAlreadyExists|TableInUse|TableNotFound)/;
const REGISTRATION = /^\w+\.registerError\((\w+)\$, \w+\);$/gm;

/** An error that is not in the client's table is told all the same, with its name and message, as one of the service. */
export const forgetErrors = (source: string): string =>
  source.replace(REGISTRATION, (statement, name: string) => (NEVER_TOLD.test(name) ? "" : statement));

const CONSTANT = /^const (\w+) = ("(?:[^"\\\n]|\\.)*");$/gm;
const COMPUTED_KEY = /(?<=[{,] )\[(\w+)\]:/g;

/**
 * A client describes all of its operations in one module, as arrays whose keys are computed from constants:
 * `{ [_hH]: _xaebo }`. A computed key may have an effect, so esbuild keeps every array of it; with the constant's text in
 * its place it keeps those of the operations that are called.
 * @throws Error when the module is not written as it was when this was: it would stay whole, and nobody would know.
 */
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

const REGIONS = /"regions": \{(?:[^{}]|\{[^{}]*\})*\}/g;

/**
 * A partition's regions without their names: the pattern that each partition has for them tells them as well.
 * @throws Error when the table is not written as it was.
 */
export function forgetRegions(source: string): string {
  if (source.search(REGIONS) === -1) throw new Error("no regions were found");
  return source.replace(REGIONS, '"regions": {}');
}

export const sdkTables: Plugin = {
  name: "sdk-tables",
  setup(build) {
    const shorten = (filter: RegExp, change: (source: string) => string): void =>
      build.onLoad({ filter }, ({ path }) => {
        try {
          return { contents: change(readFileSync(path, "utf8")), loader: "js" };
        } catch (error) {
          return { errors: [{ text: `${path}: ${(error as Error).message}` }] };
        }
      });
    shorten(SCHEMAS, (source) => forgetErrors(spellOutKeys(source)));
    shorten(PARTITIONS, forgetRegions);
    // A client says its version to the service, and nothing else of its package.
    build.onLoad({ filter: PACKAGE }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, "utf8")) as { version: string };
      return { contents: JSON.stringify({ version }), loader: "json" };
    });
  },
};
