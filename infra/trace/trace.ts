/** Replaces places in bundles by places in the source, in the text of log lines. */
import { posix } from "node:path";
import type { BundleMaps } from "./bundle-maps.ts";

/** `file:///var/task/index.mjs:12:345`; V8 counts lines and columns from 1. */
const PLACE = /(?:file:\/\/)?(?:\/[\w.@-]+)+\/([\w-]+\.mjs):(\d+):(\d+)/g;

/** The attributes of a line in JSON, which may be text within JSON. */
const HASH = /\\*"bundle\\*":\s*\\*"([0-9a-f]{16})\\*"/;
const FUNCTION = /\\*"function_name\\*":\s*\\*"([\w-]+)\\*"/;

export interface Marks {
  /** The bundle that wrote the line. */
  readonly hash: string | undefined;
  readonly functionName: string | undefined;
}

export const marksOf = (line: string): Marks => ({
  hash: HASH.exec(line)?.[1],
  functionName: FUNCTION.exec(line)?.[1],
});

/** Leaves places without a counterpart as they are. */
export const mapPlaces = (line: string, maps: BundleMaps): string =>
  line.replace(PLACE, (place, file: string, lineNumber: string, column: string) => {
    const origin = maps.get(file)?.findEntry(Number(lineNumber) - 1, Number(column) - 1);
    if (origin === undefined || !("originalSource" in origin)) return place;
    const { originalSource, originalLine, originalColumn } = origin;
    return `${sourceOf(originalSource)}:${originalLine + 1}:${originalColumn + 1}`;
  });

/** Sources are relative to the folder of the bundle, which is in the root. */
const sourceOf = (source: string): string => posix.normalize(source).replace(/^(\.\.\/)+/, "");
