/** The GitHub Action runs `wirelab test` with options that it has, and keeps what failures leave. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { help } from "../../packages/wirelab/lab-test/help.ts";

interface Step {
  readonly uses?: string;
  readonly if?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const TEXT = readFileSync(new URL("../../action.yml", import.meta.url), "utf8");
const { inputs, runs } = parse(TEXT) as Action;
const command = runs.steps.find(({ run }) => run?.includes('wirelab" test'))!;

test("it is composite, and each step either uses an action of a commit or names its shell", () => {
  expect(runs.using).toBe("composite");
  for (const { uses, run, shell } of runs.steps) {
    if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    else expect([typeof run, shell]).toEqual(["string", "bash"]);
  }
});

test("every input is described, has a default, and is used; no script contains an expression", () => {
  const used = [...TEXT.matchAll(/\$\{\{ inputs\.(\w+) \}\}/g)].map(([, name]) => name);
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(inputs).toSorted());
  for (const { description, default: value } of Object.values(inputs)) {
    expect(description).toMatch(/\w/);
    expect(value).toBeTypeOf("string");
  }
  for (const { run } of runs.steps) expect(run ?? "").not.toContain("${{");
});

test("it reports to GitHub and as JUnit, with options that `wirelab test` has", () => {
  expect(command.run).toContain("--reporter github");
  expect(command.run).toContain("--reporter junit=");
  for (const [option] of command.run!.matchAll(/--[a-z]+/g)) expect(help).toContain(option);
});

test("captures and report are an artifact, also of a failure", () => {
  const upload = runs.steps.find(({ uses }) => uses?.startsWith("actions/upload-artifact"))!;
  expect(upload.if).toBe("always()");
  expect(upload.with!.path).toMatch(/runner\.temp \}\}\/wirelab-captures$/);
  expect(command.run).toContain('--captures "$RUNNER_TEMP/wirelab-captures"');
  expect(runs.steps.some(({ uses }) => uses?.startsWith("actions/cache@"))).toBe(true);
});
