/** Bundles that Lambda would refuse. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { oversizedCode } from "../../../../infra/rehearse/code-size.ts";

test("finds a bundle whose files together are too large", () => {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-code-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, bytes] of Object.entries({ "asset.small": 10, "asset.large": 11, other: 99 })) {
    mkdirSync(join(folder, name, "inner"), { recursive: true });
    writeFileSync(join(folder, name, "index.js"), "1");
    writeFileSync(join(folder, name, "inner", "data"), "2".repeat(bytes - 1));
  }
  expect(oversizedCode(folder, 10)).toEqual([
    "code: asset.large has 11 bytes unzipped, Lambda takes 10: leave data to the bucket",
  ]);
  expect(oversizedCode(folder)).toEqual([]);
});
