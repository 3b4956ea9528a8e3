/** Compares a picture with a stored one. `npm run snapshots` stores new ones. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

const STORED = new URL("./", import.meta.url).pathname;
const DIFFERENT = join(tmpdir(), "wirelab-page");
/** How different the colours of a pixel may be, from 0 to 1: edges of lines differ between releases of the browser. */
const COLOUR_TOLERANCE = 0.2;
/** The share of pixels that may differ. */
const MOST_DIFFERENT = 0.004;

/** @returns what is different, in words, with the path of a picture that shows it; an empty string if the pictures match. */
export function compareSnapshot(name: string, picture: Buffer): string {
  const path = join(STORED, `${name}.png`);
  if (process.env.WIRELAB_SNAPSHOTS === "update") {
    writeFileSync(path, picture);
    return "";
  }
  if (!existsSync(path)) return `${path} is missing: npm run snapshots`;
  const [stored, shown] = [PNG.sync.read(readFileSync(path)), PNG.sync.read(picture)];
  const { width, height } = stored;
  if (shown.width !== width || shown.height !== height)
    return `${name} has ${shown.width} x ${shown.height} pixels, the stored picture ${width} x ${height}`;
  const difference = new PNG({ width, height });
  const count = pixelmatch(stored.data, shown.data, difference.data, width, height, {
    threshold: COLOUR_TOLERANCE,
  });
  if (count <= MOST_DIFFERENT * width * height) return "";
  mkdirSync(DIFFERENT, { recursive: true });
  const [differencePath, shownPath] = ["difference", "shown"].map((kind) =>
    join(DIFFERENT, `${name} ${kind}.png`),
  ) as [string, string];
  writeFileSync(differencePath, PNG.sync.write(difference));
  writeFileSync(shownPath, picture);
  return `${count} pixels of ${name} differ: see ${differencePath} and ${shownPath}, or store new pictures with npm run snapshots`;
}
