import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { readPageFile } from "../../../functions/page/files.ts";

const root = mkdtempSync(join(tmpdir(), "wirelab-page-"));
const folder = pathToFileURL(`${root}/page/`);
mkdirSync(folder);
writeFileSync(new URL("index-Ab_1.js", folder), "plain");
writeFileSync(new URL("index-Ab_1.js.br", folder), "compressed");
writeFileSync(join(root, "secret.json"), "{}");
afterAll(() => rmSync(root, { recursive: true }));

test("reads a file as it is, or its compressed copy", async () => {
  const plain = await readPageFile(folder, "index-Ab_1.js", false);
  expect(plain).toMatchObject({ contentType: "text/javascript; charset=utf-8", isBrotli: false });
  expect(Buffer.from(plain!.bytes).toString()).toBe("plain");
  const brotli = await readPageFile(folder, "index-Ab_1.js", true);
  expect([brotli!.isBrotli, Buffer.from(brotli!.bytes).toString()]).toEqual([true, "compressed"]);
});

test.each(["../secret.json", "..%2fsecret.json", ".hidden.js", "other.js", "index-Ab_1.exe", "", "a/b.js"])(
  "has no file %j",
  async (name) => {
    expect(await readPageFile(folder, name, false)).toBeUndefined();
  },
);
