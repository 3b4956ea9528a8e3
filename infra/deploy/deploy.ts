/**
 * Deploys the stack: synthesizes it once, refuses what would weaken the deployed stack, prepares that for what the new template drops, runs
 * `cdk deploy`, and adds the first user. `cdk deploy` alone does the same without the two last steps: docs/deploy.md has the command for the first user.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { refusalOf, takeCheckArguments } from "./check.ts";
import type { Template } from "./deployed-settings.ts";
import type { Run } from "./run.ts";

const WIRELAB = fileURLToPath(new URL("../../packages/wirelab/wirelab.js", import.meta.url));
const FIRST_USER = "admin";
/** infra/authorizer.ts */
const FIRST_USER_OUTPUT = "FirstUserCommand";

export interface Parts {
  readonly run: Run;
  /** Reads the template of the deployed stack; undefined before the first deployment. */
  readonly templateOf: (stackName: string) => Promise<Template | undefined>;
  /** Reads the first password that earlier releases kept in a secret of the stack; undefined without one. */
  readonly firstPasswordIn: (stackName: string) => Promise<string | undefined>;
  /** The first user's password. Default: `wirelab users first` makes one and prints it. */
  readonly password: string | undefined;
  readonly print: (line: string) => void;
}

/** @returns the exit code. @throws the SDK's error when the deployed stack cannot be read. */
export async function deploy(args: readonly string[], parts: Parts): Promise<number> {
  const { permitted, unchecked, others: ofTheCdk } = takeCheckArguments(args);
  const { context, others } = splitArguments(ofTheCdk);
  const assembly = mkdtempSync(join(tmpdir(), "wirelab-deploy-"));
  try {
    const synthesized = await parts.run("cdk", ["synth", "--quiet", "--output", assembly, ...context]);
    if (synthesized !== 0) return synthesized;
    const { stackName, template, hasUsers } = stackIn(assembly);
    const { templateOf } = parts;
    const refusal = unchecked ? undefined : await refusalOf(stackName, template, { permitted, templateOf });
    if (refusal !== undefined) {
      parts.print(refusal);
      return 1;
    }
    if (hasUsers && !(await keepFirstUser(stackName, parts))) return 1;
    const deployed = await parts.run("cdk", ["deploy", "--app", assembly, ...others]);
    if (deployed !== 0 || !hasUsers) return deployed;
    return await addFirstUser(stackName, parts);
  } finally {
    rmSync(assembly, { recursive: true, force: true });
  }
}

/** The context is read by the synthesis, all other arguments by the deployment. */
export function splitArguments(args: readonly string[]): {
  readonly context: readonly string[];
  readonly others: readonly string[];
} {
  const context: string[] = [];
  const others: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!;
    if (arg === "-c" || arg === "--context") {
      index++;
      context.push(arg, ...args.slice(index, index + 1));
    } else if (/^(--context=|-c.)/.test(arg)) {
      context.push(arg);
    } else {
      others.push(arg);
    }
  }
  return { context, others };
}

interface DeployedStack {
  readonly stackName: string;
  readonly template: Template;
  /** Whether callers sign in as users of the table. */
  readonly hasUsers: boolean;
}

/** @param assembly a folder with the cloud assembly of one stack. */
function stackIn(assembly: string): DeployedStack {
  const { artifacts } = JSON.parse(readFileSync(join(assembly, "manifest.json"), "utf8"));
  const [id, stack] = Object.entries<Artifact>(artifacts).find(
    ([, { type }]) => type === "aws:cloudformation:stack",
  )!;
  const template = JSON.parse(readFileSync(join(assembly, stack.properties.templateFile), "utf8"));
  const outputs = Object.keys(template.Outputs ?? {});
  return {
    stackName: stack.properties.stackName ?? id,
    template,
    hasUsers: outputs.some((name) => name.includes(FIRST_USER_OUTPUT)),
  };
}

interface Artifact {
  readonly type: string;
  readonly properties: { readonly templateFile: string; readonly stackName?: string };
}

const users = (args: readonly string[], stackName: string): readonly string[] => [
  WIRELAB,
  "users",
  ...args,
  "--stack",
  stackName,
];

/** Moves the first password of an earlier release into the table, because this deployment deletes its secret. */
async function keepFirstUser(stackName: string, { run, firstPasswordIn, print }: Parts): Promise<boolean> {
  const password = await firstPasswordIn(stackName);
  if (password === undefined) return true;
  print(`The first password of ${stackName} moves from its secret to the table.`);
  const added = await run(process.execPath, users(["first", "--keep", "--password-stdin"], stackName), {
    stdin: password,
  });
  if (added === 0) return true;
  print(
    `${FIRST_USER} could not sign in any more after this deployment, so nothing is deployed. Add the user by hand: ` +
      `npx wirelab users add ${FIRST_USER} --role admin --stack ${stackName}`,
  );
  return false;
}

async function addFirstUser(stackName: string, { run, password }: Parts): Promise<number> {
  const given = password === undefined ? [] : ["--password-stdin"];
  return run(process.execPath, users(["first", ...given], stackName), { stdin: password });
}
