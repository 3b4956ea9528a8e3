/** The app rejects unknown keys of the context, when it is started as in a deployment. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { describe, expect, test } from "vitest";
import { ACCESS } from "../../../infra/access.ts";
import { contextIn, refuseUnknownContext } from "../../../infra/known-context.ts";
import { synthesize } from "../../../infra/local/synthesize.ts";
import { SETTING_KEYS } from "../../../infra/settings.ts";

const { context: OF_CDK_JSON } = JSON.parse(
  readFileSync(new URL("../../../cdk.json", import.meta.url), "utf8"),
);

const check = (given: Record<string, unknown>): void =>
  refuseUnknownContext(new App({ context: given }).node);

/** The keys that `cdk synth` 2.1148 adds to the context of cdk.json and of `-c`. */
const OF_THE_COMMAND_LINE = {
  "aws:cdk:enable-path-metadata": true,
  "aws:cdk:enable-asset-metadata": true,
  "aws:cdk:version-reporting": true,
  "aws:cdk:bundling-stacks": ["**"],
  "@aws-cdk/core:failSynthOnValidationErrors": false,
};

describe("the context", () => {
  test("accepts every key of the list, and the concurrency of every function", () => {
    const keys = [...SETTING_KEYS];
    const concurrencies = Object.keys(ACCESS).map((name) => `concurrency_${name}`);
    expect(keys).toEqual(expect.arrayContaining(["quota_nodes", ...concurrencies]));
    check(Object.fromEntries(keys.map((key) => [key, "1"])));
  });

  test("accepts the CDK's keys", () => {
    check({
      ...OF_CDK_JSON,
      ...OF_THE_COMMAND_LINE,
      "aws-cdk:enableDiffNoFail": true,
      "@cdklabs/something": 1,
      "cdk-nag": 1,
      "acknowledged-issue-numbers": [19_836],
      "cli-telemetry": false,
      "availability-zones:account=123456789012:region=us-east-1": ["us-east-1a"],
    });
  });

  test.each([
    ["quota_nodez", "quota_nodes"],
    ["quota-nodes", "quota_nodes"],
    ["troting", "tracing"],
    ["bananas", undefined],
    ["tracng", "tracing"],
    ["Tracing", "tracing"],
    ["wafrate", "waf_rate"],
    ["throttle_run_rate", "throttle_runs_rate"],
    ["concurrency_foo", undefined],
    ["concurrency_run", "concurrency_runs"],
    ["concurrency_", undefined],
    ["quota_toString", undefined],
    ["constructor", undefined],
  ])("rejects %s and suggests %s", (key, meant) => {
    const message = `The context has no key ${key}${meant ? `; is ${meant} meant?` : ""}\ndocs/settings.md`;
    expect(() => check({ auth: "iam", [key]: "3" })).toThrow(message);
  });

  test("is rejected with all its unknown keys at once", () => {
    expect(() => check({ quota_nodez: 5, auht: "iam" })).toThrow(
      "The context has no key quota_nodez; is quota_nodes meant?\nThe context has no key auht; is auth meant?",
    );
  });
});

test("the settings in the context are those of the table", () => {
  const read = (context: object) => contextIn(new App({ context: { ...OF_CDK_JSON, ...context } }).node);
  expect(read({ waf: "true", quota_nodes: 7 })).toEqual({ waf: "true", quota_nodes: 7 });
  expect(() => read({ wav: "true" })).toThrow("is waf meant?");
});

test("no other code of the stack reads the context: constructs get settings", () => {
  const infra = new URL("../../../infra/", import.meta.url);
  const sources = readdirSync(infra, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ file, text: readFileSync(new URL(file, infra), "utf8") }));
  const having = (pattern: RegExp) =>
    sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
  expect(having(/\b(tryGetContext|getContext|getAllContext)\b/)).toEqual(["known-context.ts"]);
  expect(having(/known-context\.ts"/)).toEqual(["add-stack.ts"]);
});

test("the app stops at an unknown key before it bundles anything", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-unknown-"));
  try {
    await expect(synthesize(folder, { settings: { concurrency_foo: "3" } })).rejects.toThrow(
      "The context has no key concurrency_foo",
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
