/** `npm run deploy`: its steps, with a CDK and a command of users that record how they are called. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deploy, type Parts, splitArguments } from "../../../infra/deploy/deploy.ts";

interface Called {
  readonly line: string;
  readonly stdin: string | undefined;
}

interface Scene extends Partial<Parts> {
  readonly outputs?: object;
  /** Exit codes by the beginning of the command line. */
  readonly codes?: Readonly<Record<string, number>>;
}

const WITH_USERS = { FirstUserCommand: { Value: "npx wirelab users first --stack Lab" } };

/** Runs a deployment of a stack `Lab`. */
async function play(args: readonly string[], { outputs = WITH_USERS, codes = {}, ...parts }: Scene = {}) {
  const calls: Called[] = [];
  const printed: string[] = [];
  const run: Parts["run"] = async (command, given, { stdin } = {}) => {
    if (given[0] === "synth") writeAssembly(given[given.indexOf("--output") + 1]!, outputs);
    const line = [command === "cdk" ? "cdk" : "wirelab", ...given.filter((word) => !/[/\\]/.test(word))].join(
      " ",
    );
    calls.push({ line, stdin });
    return codes[Object.keys(codes).find((start) => line.startsWith(start)) ?? ""] ?? 0;
  };
  const code = await deploy(args, {
    run,
    templateOf: async () => undefined,
    firstPasswordIn: async () => undefined,
    password: undefined,
    print: (line) => printed.push(line),
    ...parts,
  });
  return { code, calls, lines: calls.map(({ line }) => line), printed };
}

function writeAssembly(folder: string, Outputs: object): void {
  mkdirSync(folder, { recursive: true });
  const stack = {
    type: "aws:cloudformation:stack",
    properties: { templateFile: "Wirelab.template.json", stackName: "Lab" },
  };
  writeFileSync(
    join(folder, "manifest.json"),
    JSON.stringify({ artifacts: { "Wirelab.assets": { type: "cdk:asset-manifest" }, Wirelab: stack } }),
  );
  const Metadata = { Wirelab: { settings: {} } };
  writeFileSync(join(folder, "Wirelab.template.json"), JSON.stringify({ Metadata, Outputs }));
}

test("the context goes to the synthesis, and all other arguments to the deployment", () => {
  expect(splitArguments(["-c", "a=1", "--require-approval", "never", "--context=b=2", "-cc=3"])).toEqual({
    context: ["-c", "a=1", "--context=b=2", "-cc=3"],
    others: ["--require-approval", "never"],
  });
  expect(splitArguments(["-c"])).toEqual({ context: ["-c"], others: [] });
});

describe("a deployment", () => {
  test("synthesizes once, deploys that assembly, and then adds the first user", async () => {
    const { code, lines } = await play(["-c", "ephemeral=true", "--hotswap"]);
    expect([code, lines]).toEqual([
      0,
      [
        "cdk synth --quiet --output -c ephemeral=true",
        "cdk deploy --app --hotswap",
        "wirelab users first --stack Lab",
      ],
    ]);
  });

  test("gives the first user the password of WIRELAB_ADMIN_PASSWORD, and not on a command line", async () => {
    const { calls } = await play([], { password: "chosen by the operator" });
    expect(calls.at(-1)).toEqual({
      line: "wirelab users first --password-stdin --stack Lab",
      stdin: "chosen by the operator",
    });
    expect(calls.map(({ line }) => line).join()).not.toContain("chosen");
  });

  test("of a stack whose callers are not in its table adds no user", async () => {
    const firstPasswordIn = () => Promise.reject(new Error("must not be read"));
    const { code, lines } = await play([], { outputs: {}, firstPasswordIn });
    expect([code, lines.at(-1)]).toEqual([0, "cdk deploy --app"]);
  });

  test.each([
    ["the synthesis", "cdk synth"],
    ["the deployment", "cdk deploy"],
  ])("ends with the exit code of %s when it fails", async (_title, failing) => {
    const { code, lines } = await play([], { codes: { [failing]: 3 } });
    expect([code, lines.at(-1)?.startsWith(failing)]).toEqual([3, true]);
  });
});

describe("a deployment that leaves out a setting of the deployed stack", () => {
  const templateOf = async (stack: string) =>
    stack === "Lab" ? { Metadata: { Wirelab: { settings: { auth: "iam" } } } } : undefined;

  test("is refused before anything changes", async () => {
    const { code, lines, printed } = await play([], { templateOf });
    expect([code, lines]).toEqual([1, ["cdk synth --quiet --output"]]);
    expect(printed.join()).toContain("sign-in: auth from iam to basic");
  });

  test.each([["--change", "auth", "--change=iam_role"], ["--unchecked"]])(
    "goes on with %s, which the CDK does not get",
    async (...args) => {
      const { code, lines } = await play(args, { templateOf });
      expect([code, lines[1]]).toEqual([0, "cdk deploy --app"]);
    },
  );
});

describe("a deployment over an earlier release, whose first password is a secret,", () => {
  const firstPasswordIn = async (stack: string) => (stack === "Lab" ? "generated long ago" : undefined);

  test("puts the password into the table before the secret is deleted", async () => {
    const { code, calls, printed } = await play([], { firstPasswordIn });
    expect(code).toBe(0);
    expect(calls[1]).toEqual({
      line: "wirelab users first --keep --password-stdin --stack Lab",
      stdin: "generated long ago",
    });
    expect(calls[2]!.line).toBe("cdk deploy --app");
    expect(printed.join()).not.toContain("generated long ago");
  });

  test("deploys nothing when the table does not take the password", async () => {
    const { code, lines, printed } = await play([], {
      firstPasswordIn,
      codes: { "wirelab users first --keep": 1 },
    });
    expect(code).toBe(1);
    expect(lines.some((line) => line.startsWith("cdk deploy"))).toBe(false);
    expect(printed.at(-1)).toContain("npx wirelab users add admin --role admin --stack Lab");
  });
});
