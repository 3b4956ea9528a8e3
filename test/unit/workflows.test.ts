/** The workflows, of this repository and as examples, run commands that exist, and actions that do not change unnoticed. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { runCli } from "./wirelab/run-cli.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const FILES = globSync([".github/workflows/*.yml", "examples/github-actions/*.yml"], { cwd: ROOT });

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Workflow {
  readonly on: object;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[]; readonly needs?: string }>>;
}

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const stepsOf = (file: string): readonly Step[] =>
  Object.values((parse(read(file)) as Workflow).jobs).flatMap(({ steps }) => steps);
const { scripts, devDependencies } = JSON.parse(read("package.json"));
const stack = parse(read("stack/action.yml"));

/** The commands of a script, one a line; a pipe and `&` begin another. */
const commandsIn = (run: string): string[] =>
  run
    .split(/\n|\||&&|;/)
    .map((line) =>
      line
        .trim()
        .replace(/^if /, "")
        .replace(/ > .*$/, ""),
    )
    .filter((line) => line !== "" && !line.startsWith("#"));

/** Programs of the runner, and of the shell. */
const KNOWN =
  /^(echo|exit|fi|then|tee|grep|cat|until|do|done|aws cloudformation (describe|delete)-stacks?|export|npm ci|sudo apt-get install|sudo env "PATH=\$PATH" (CASES=all )?\.ci\/run)\b/;

async function problemWith(command: string): Promise<string | undefined> {
  const [, script] = /^npm (?:run(?: -s)? )?([\w:-]+)/.exec(command) ?? [];
  if (script !== undefined && script !== "ci") return script in scripts ? undefined : `no script ${script}`;
  const [, cli] = /^npx wirelab (.*)$/.exec(command) ?? [];
  if (cli !== undefined) {
    const [name = "", action = ""] = cli.split(" ");
    const { code, stdout } = await runCli([name, "--help"]);
    if (code !== 0) return `no command ${name}`;
    const help = stdout.toString();
    const options = [...cli.matchAll(/--[\w-]+/g)].map(([option]) => option);
    const missing = [...options, ...(/^[a-z]+$/.test(action) ? [action] : [])].filter(
      (word) => !help.includes(word),
    );
    return missing.length === 0 ? undefined : `wirelab ${name} has no ${missing.join(", ")}`;
  }
  if (/^npx cdk /.test(command)) return "aws-cdk" in devDependencies ? undefined : "no CDK";
  const [, file] = /^(?:(?:npx )?node (?:--env-file=\S+ )?)?(examples\/\S+)/.exec(command) ?? [];
  if (file !== undefined) return existsSync(join(ROOT, file)) ? undefined : `no file ${file}`;
  return KNOWN.test(command) ? undefined : "an unknown command";
}

test("there are workflows to check", () => {
  expect(FILES).toContain(".github/workflows/deploy.yml");
  expect(FILES.length).toBeGreaterThan(3);
});

describe.each(FILES)("%s", (file) => {
  test("runs commands that exist, on files that exist", async () => {
    for (const { run } of stepsOf(file)) {
      for (const command of commandsIn(run ?? ""))
        expect(await problemWith(command), command).toBeUndefined();
    }
    for (const [path] of read(file).matchAll(/examples\/[\w/.-]+\.(yaml|ts|sh)/g))
      expect(existsSync(join(ROOT, path)), path).toBe(true);
  }, 300_000);

  test("uses actions by a commit, whose version a comment names", () => {
    for (const { uses } of stepsOf(file)) {
      if (uses === undefined) continue;
      if (uses.startsWith("./")) expect(existsSync(join(ROOT, uses, "action.yml")), uses).toBe(true);
      else expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    }
    expect(read(file).match(/@[0-9a-f]{40}/g)?.length).toBe(read(file).match(/# v\d+\.\d+\.\d+\n/g)?.length);
  });

  test("gives the stack action inputs that it has, and reads outputs that it has", () => {
    const steps = stepsOf(file).filter(({ uses }) => uses === "./stack");
    for (const step of steps)
      expect(Object.keys(stack.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})));
    for (const [, output] of read(file).matchAll(/steps\.stack\.outputs\.(\w+)/g))
      expect(Object.keys(stack.outputs)).toContain(output);
  });

  test("has no more permissions than it needs, and no expression in a script", () => {
    const { permissions } = parse(read(file)) as Workflow;
    const releases = read(file).includes("npm run release");
    const signsIn = releases || read(file).includes("configure-aws-credentials");
    expect(permissions).toEqual({
      contents: releases ? "write" : "read",
      ...(signsIn && { "id-token": "write" }),
    });
    for (const { run } of stepsOf(file)) expect(run ?? "").not.toContain("${{");
  });
});

test("the parts of .ci/run run beside each other, and an unknown part is refused with their names", () => {
  const { part } = parse(read(".github/workflows/ci.yml")).jobs.part.strategy.matrix;
  const { status, stderr } = spawnSync(join(ROOT, ".ci/run"), ["unknown"], { encoding: "utf8" });
  expect([status, stderr]).toEqual([2, `usage: .ci/run [${part.join("|")}]\n`]);
});

test("the rehearsal in an account skips with a notice without credentials, and checks at its end that nothing is left", () => {
  const { jobs } = parse(read(".github/workflows/deploy.yml"));
  expect(jobs["without-credentials"].if).toBe("vars.AWS_ROLE == ''");
  expect(jobs["without-credentials"].steps[0].run).toContain("::notice::");
  expect(jobs.deploy.if).toBe("vars.AWS_ROLE != ''");
  expect(jobs["nothing-is-left"]).toMatchObject({ needs: "deploy", if: expect.stringContaining("always()") });
});
