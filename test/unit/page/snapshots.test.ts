/** The comparison of pictures notices what a person would notice, and not what releases of a browser draw differently. */
import { existsSync, readFileSync } from "node:fs";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { compareSnapshot } from "../../page/snapshots/compare.ts";

const NAME = "labs-light";
const stored = () =>
  PNG.sync.read(readFileSync(new URL(`../../page/snapshots/${NAME}.png`, import.meta.url)));

function painted(size: number): Buffer {
  const picture = stored();
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) picture.data.set([255, 0, 0, 255], (y * picture.width + x) * 4);
  return PNG.sync.write(picture);
}

test("a stored picture matches itself, and one with a few other pixels", () => {
  expect(compareSnapshot(NAME, painted(0))).toBe("");
  expect(compareSnapshot(NAME, painted(20))).toBe("");
});

test("a part that changed is reported, with a picture of the difference", () => {
  const words = compareSnapshot(NAME, painted(80));
  expect(words).toMatch(/^\d+ pixels of labs-light differ/);
  const path = /see (.*?\.png) and/.exec(words)![1]!;
  expect(existsSync(path)).toBe(true);
});

test("another size, or no stored picture, is reported", () => {
  const { width, height } = stored();
  expect(compareSnapshot(NAME, PNG.sync.write(new PNG({ width, height: 10 })))).toContain(
    `the stored picture ${width} x ${height}`,
  );
  expect(compareSnapshot("missing", painted(0))).toContain("npm run snapshots");
});
