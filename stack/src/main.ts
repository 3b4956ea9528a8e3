/** The main step: deploys an ephemeral stack. A second call with the same name updates it. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EXPIRES_TAG } from "../../infra/ephemeral-tags.ts";
import { ActionError } from "./action-error.ts";
import { ephemeralStackIn } from "./assembly.ts";
import { Checkout } from "./checkout.ts";
import { type Inputs, readInputs } from "./inputs.ts";
import { passOnInterrupts } from "./run.ts";
import { mask, reportError, saveState, setOutput } from "./workflow-commands.ts";

/** Of the bundle: stack/dist. */
const OWN_SOURCE = fileURLToPath(new URL("../..", import.meta.url));
const USER = "admin";
const PASSWORD_BYTES = 24;

async function deploy(): Promise<void> {
  const inputs = readInputs(process.env, OWN_SOURCE, Date.now());
  const folder = mkdtempSync(join(process.env.RUNNER_TEMP || tmpdir(), "wirelab-stack-"));
  const checkout = new Checkout(inputs.source);
  const assembly = inputs.assembly ?? join(folder, "cdk.out");
  const made = inputs.assembly === undefined ? undefined : ephemeralStackIn(assembly);
  const name = made?.name ?? inputs.stack!;
  // Before the deployment begins, which the job's end may interrupt.
  saveState("stack", name);
  saveState("assembly", assembly);
  saveState("source", inputs.source);
  setOutput("stack", name);
  await checkout.prepare();
  if (inputs.assembly === undefined) await synthesize(checkout, name, assembly, inputs);
  // The option replaces the tags of the assembly.
  const tags = made && { ...made.tags, [EXPIRES_TAG]: inputs.expiresAt };
  const outputs = await deployAssembly(checkout, name, assembly, join(folder, "outputs.json"), tags);
  const { ApiUrl: url } = outputs;
  if (url === undefined)
    throw new ActionError(`the stack ${name} has no output ApiUrl; deploy a checkout of Wirelab`);
  const password = outputs.FirstUserCommand === undefined ? "" : await setPassword(checkout, name);
  setOutput("url", url.replace(/\/+$/, ""));
  setOutput("user", password === "" ? "" : USER);
  setOutput("password", password);
}

async function synthesize(
  checkout: Checkout,
  name: string,
  assembly: string,
  { settings, config, expiresAt }: Inputs,
): Promise<void> {
  const own = ["ephemeral=true", `stack_name=${name}`, `expires=${expiresAt}`];
  if (config !== undefined) checkout.useConfig(config);
  const context = [...settings, ...own].flatMap((setting) => ["-c", setting]);
  if ((await checkout.cdk(["synth", "--quiet", "--output", assembly, ...context])) === 0) return;
  throw new ActionError(
    `the stack ${name} cannot be synthesized; its reason is above, and docs/settings.md has all settings`,
  );
}

type Outputs = Readonly<Record<string, string>>;

async function deployAssembly(
  checkout: Checkout,
  name: string,
  assembly: string,
  outputs: string,
  stackTags: Readonly<Record<string, string>> = {},
): Promise<Outputs> {
  const tags = Object.entries(stackTags).flatMap(([key, value]) => ["--tags", `${key}=${value}`]);
  const options = ["--require-approval", "never", "--progress", "events", "--outputs-file", outputs];
  if ((await checkout.cdk(["deploy", "--app", assembly, ...options, ...tags])) !== 0) {
    throw new ActionError(
      `the stack ${name} cannot be deployed; its reason is above. An account that never had a stack of the CDK needs npx cdk bootstrap`,
    );
  }
  if (!existsSync(outputs))
    throw new ActionError(`the stack ${name} has no outputs; deploy a checkout of Wirelab`);
  const [found = {}] = Object.values(JSON.parse(readFileSync(outputs, "utf8")) as Record<string, Outputs>);
  return found;
}

/** A stack of an earlier run has its first user already, who gets the new password. */
async function setPassword(checkout: Checkout, name: string): Promise<string> {
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  mask(password);
  for (const action of [["first"], ["passwd", USER]]) {
    const args = ["users", ...action, "--password-stdin", "--stack", name];
    if ((await checkout.wirelab(args, password)) === 0) continue;
    throw new ActionError(
      `the first user of ${name} cannot be added; the role of this job needs dynamodb:Query, dynamodb:PutItem and dynamodb:UpdateItem on the table of the stack`,
    );
  }
  return password;
}

passOnInterrupts();
try {
  await deploy();
} catch (error) {
  reportError(error instanceof ActionError ? error.message : String((error as Error).stack));
  process.exitCode = 1;
}
