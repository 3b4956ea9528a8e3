/** The page imports types of the service, the pure packages, and no code of the service. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const ROOT = new URL("../../../", import.meta.url).pathname;
const IMPORT = /\b(import|export)\b(\s+type)?[^"';]*?\bfrom\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g;

test("the page imports only types from functions, and nothing from infra and test", () => {
  const files = globSync("page/src/**/*.{ts,tsx}", { cwd: ROOT });
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    for (const [, , type, from, bare] of readFileSync(ROOT + file, "utf8").matchAll(IMPORT)) {
      const target = (from ?? bare)!;
      expect(target, file).not.toMatch(/\/(infra|test)\//);
      if (target.includes("/functions/")) expect(type, `${file} imports ${target}`).toBeDefined();
    }
  }
});
