/**
 * Source maps of deployed bundles. They are made when a trace is read, from the source of the same version: a map of 500 KB of code has
 * 1.5 MB, which would be part of each function otherwise.
 */
import { SourceMap } from "node:module";
import { basename } from "node:path";
import type { Metafile } from "esbuild";
import { bundleHashOf } from "../../functions/shared/edge/bundle-hash.ts";
import { bundle, bundleWithMaps } from "../bundle.ts";
import { type Entry, likelyFirst } from "./entries.ts";

/** Maps by the name of a file in the bundle. */
export type BundleMaps = ReadonlyMap<string, SourceMap>;

/**
 * Finds the function whose bundle has the hash, and makes the maps of that bundle.
 * @param functionName the function's name in AWS, which shortens the search.
 * @returns undefined if no function of this source has such a bundle.
 */
export function findMaps(hash: string, functionName?: string): BundleMaps | undefined {
  for (const entry of likelyFirst(functionName)) {
    const { outputFiles = [], metafile } = bundle(entry.module);
    const index = outputFiles.find(({ path }) => basename(path) === "index.mjs");
    if (index && bundleHashOf(index.contents) === hash) return mapsOf(entry, metafile);
  }
  return undefined;
}

/** esbuild's names of files depend on the maps, too, so files are paired by the modules that they have code of. */
function mapsOf({ module }: Entry, plain: Metafile): BundleMaps {
  const { outputFiles = [], metafile } = bundleWithMaps(module);
  const mapped = new Map(
    Object.entries(metafile.outputs)
      .filter(([path]) => path.endsWith(".mjs"))
      .map(([path, output]) => [partsOf(output), basename(path)]),
  );
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  return new Map(
    Object.entries(plain.outputs).map(([path, output]) => {
      const text = texts.get(`${mapped.get(partsOf(output))}.map`);
      if (text === undefined) throw new Error(`esbuild made no source map of ${path}`);
      return [basename(path), new SourceMap(JSON.parse(text))];
    }),
  );
}

const partsOf = ({ inputs, entryPoint = "" }: Metafile["outputs"][string]): string =>
  JSON.stringify([entryPoint, inputs]);
