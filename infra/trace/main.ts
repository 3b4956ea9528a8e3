/**
 * `npm run trace < lines` prints log lines of the functions with the files and lines of the source in their stack traces. The source must
 * be of the version that wrote the lines.
 */
import { createInterface } from "node:readline";
import { type BundleMaps, findMaps } from "./bundle-maps.ts";
import { mapPlaces, marksOf } from "./trace.ts";

const known = new Map<string, BundleMaps | undefined>();

for await (const line of createInterface({ input: process.stdin })) {
  const { hash, functionName } = marksOf(line);
  if (hash !== undefined && !known.has(hash)) {
    known.set(hash, findMaps(hash, functionName));
    if (known.get(hash) === undefined) {
      console.error(
        `No function of this source has the bundle ${hash}: check out the commit that was deployed, and run npm ci.`,
      );
      process.exitCode = 1;
    }
  }
  const maps = hash === undefined ? undefined : known.get(hash);
  console.log(maps ? mapPlaces(line, maps) : line);
}
