/** The first example of the README prints what stands below it. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hasProgram } from "../helpers/pcap.ts";
import { localStack } from "../helpers/this-stack.ts";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const LOCAL = "http://127.0.0.1:3080/v2";

const isRunnable = ["bash", "curl", "jq"].every(hasProgram);

test.skipIf(!isRunnable)("the first example prints what the page says (skipped without curl or jq)", () => {
  const [, script = "", printed = ""] = /```sh\n(api=.*?)```\n\n```\n(.*?)```/s.exec(README) ?? [];
  expect(script).toContain(LOCAL);
  const { stdout, stderr } = spawnSync("bash", ["-c", script.replace(LOCAL, localStack().baseUrl)], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  // A prompt ends in a blank, which no editor leaves at the end of a page's line.
  expect(stdout.replace(/ +$/gm, "").trim()).toBe(printed.trim());
});
