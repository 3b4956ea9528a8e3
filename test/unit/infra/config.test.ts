/** wirelab.config.ts: its types, its refusals, and the context that overrides it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Settings } from "../../../infra/chosen-settings.ts";
import { defineConfig, settingsFrom } from "../../../infra/config.ts";

let folder: string;
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wirelab-config-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The settings with a file of this content, whose name is new because modules are loaded once. */
function read(content: string, context: Record<string, unknown> = {}): Promise<Settings> {
  const path = join(folder, `wirelab-${++count}.config.mjs`);
  writeFileSync(path, content);
  return settingsFrom(context, pathToFileURL(path));
}

test("the file sets; the context overrides it; the rest has its default", async () => {
  const settings = await read(`export default { waf: true, waf_rate: 500, auth: "iam", quota_nodes: 9 }`, {
    waf_rate: "700",
    quota_links: 3,
  });
  expect(settings.texts()).toEqual({
    waf: "true",
    waf_rate: "700",
    auth: "iam",
    quota_nodes: "9",
    quota_links: "3",
  });
  expect([settings.get("iam_role"), settings.get("restore_days")]).toEqual(["admin", 7]);
});

test("without a file, the context alone holds", async () => {
  const missing = pathToFileURL(join(folder, "wirelab.config.ts"));
  expect((await settingsFrom({ auth: "iam" }, missing)).texts()).toEqual({ auth: "iam" });
});

test.each([
  [
    `export default { quota_nodez: 5, bananas: 1 }`,
    /^wirelab-\d+\.config\.mjs has an unknown key quota_nodez; is quota_nodes meant\?\n.* unknown key bananas\ndocs/,
  ],
  [
    `export default { auth: "Basic" }`,
    /^wirelab-\d+\.config\.mjs: the key auth is Basic; it must be basic, iam, jwt or none; is basic meant\?$/,
  ],
  [`export default { waf: "yes" }`, /the key waf is yes; it must be true or false$/],
  [`export default { stack_name: ["a"] }`, /the key stack_name is \["a"\]; it must be text$/],
  [`export const settings = {}`, /has no settings; it must have: export default defineConfig/],
])("%s is refused", async (content, message) => {
  await expect(read(content)).rejects.toThrow(message);
});

test("a refused value of the context is refused also where the file has a good one", async () => {
  await expect(read(`export default { auth: "iam" }`, { auth: "iamm" })).rejects.toThrow(
    "The context key auth is iamm; it must be basic, iam, jwt or none; is iam meant?",
  );
});

test("the type has each key and its values", () => {
  const given = defineConfig({ auth: "jwt", waf: true, quota_nodes: 200, concurrency_runs: 5 });
  expect(new Settings(given).get("quota_nodes")).toBe(200);
  // @ts-expect-error no such way to sign in
  defineConfig({ auth: "Basic" });
  // @ts-expect-error a switch
  defineConfig({ waf: "true" });
  // @ts-expect-error no such key
  defineConfig({ quota_nodez: 5 });
});
