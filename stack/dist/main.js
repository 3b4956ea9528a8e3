// stack/src/main.ts
import { randomBytes } from "node:crypto";
import { existsSync as existsSync3, mkdtempSync, readFileSync as readFileSync3 } from "node:fs";
import { tmpdir } from "node:os";
import { join as join3 } from "node:path";
import { fileURLToPath } from "node:url";

// infra/ephemeral-tags.ts
var EPHEMERAL_TAG = { key: "wirelab-lifetime", value: "ephemeral" };
var EXPIRES_TAG = "expires";

// stack/src/action-error.ts
var ActionError = class extends Error {
  name = "ActionError";
};

// stack/src/assembly.ts
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
var MANIFEST = "manifest.json";
var hasAssembly = (folder) => existsSync(join(folder, MANIFEST));
function ephemeralStackIn(folder) {
  if (!hasAssembly(folder)) {
    throw new ActionError(
      `assembly is ${folder}, which has no ${MANIFEST}; make it with npx cdk synth -c ephemeral=true --output ${folder}`
    );
  }
  const { artifacts } = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8"));
  const stacks = Object.entries(artifacts).filter(([, { type }]) => type === "aws:cloudformation:stack");
  const [[id, stack] = []] = stacks;
  if (stacks.length !== 1 || id === void 0 || stack === void 0)
    throw new ActionError(`assembly is ${folder}, which has ${stacks.length} stacks; the action deploys one`);
  const { stackName = id, tags = {} } = stack.properties ?? {};
  if (tags[EPHEMERAL_TAG.key] !== EPHEMERAL_TAG.value) {
    throw new ActionError(
      `assembly has the stack ${stackName}, which keeps its data; the action destroys what it deploys, so synthesize it with -c ephemeral=true`
    );
  }
  return { name: stackName, tags };
}

// stack/src/checkout.ts
import { copyFileSync, existsSync as existsSync2, readFileSync as readFileSync2 } from "node:fs";
import { join as join2 } from "node:path";

// stack/src/run.ts
import { spawn } from "node:child_process";
import { dirname } from "node:path";
var running = /* @__PURE__ */ new Set();
function passOnInterrupts() {
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {
      for (const child of running) child.kill(signal);
    });
  }
}
function run(program, args, { cwd, stdin }) {
  const PATH = [dirname(process.execPath), process.env.PATH].join(":");
  return new Promise((resolve2) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, PATH },
      stdio: [stdin === void 0 ? "ignore" : "pipe", "inherit", "inherit"]
    });
    running.add(child);
    const end = (code) => {
      running.delete(child);
      resolve2(code);
    };
    child.once("error", ({ message }) => {
      process.stderr.write(`${message}
`);
      end(1);
    });
    child.once("close", (code) => end(code ?? 1));
    child.stdin?.on("error", () => {
    });
    child.stdin?.end(stdin);
  });
}

// stack/src/checkout.ts
var CONFIG = "wirelab.config.ts";
var Checkout = class {
  #folder;
  constructor(folder) {
    this.#folder = folder;
  }
  /** @throws ActionError when the folder is no checkout, or its dependencies cannot be installed. */
  async prepare() {
    if (!existsSync2(join2(this.#folder, "cdk.json"))) {
      throw new ActionError(
        `source is ${this.#folder}, which has no cdk.json; name a folder with a checkout of Wirelab`
      );
    }
    if (existsSync2(this.#cdk)) return;
    if (await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: this.#folder }) === 0) return;
    throw new ActionError(`npm ci failed in ${this.#folder}; its output is above`);
  }
  /** The app reads the file beside cdk.json. @throws ActionError when the file is missing, or the checkout has another one. */
  useConfig(file) {
    const own = join2(this.#folder, CONFIG);
    if (!existsSync2(file))
      throw new ActionError(`config is ${file}, which does not exist; name a file of the job`);
    if (file === own) return;
    if (existsSync2(own) && !readFileSync2(own).equals(readFileSync2(file))) {
      throw new ActionError(`config is ${file}, and ${own} is another one; remove one of them`);
    }
    copyFileSync(file, own);
  }
  cdk(args) {
    return run(this.#cdk, args, { cwd: this.#folder });
  }
  wirelab(args, stdin) {
    const command2 = join2(this.#folder, "packages/wirelab/wirelab.js");
    return run(process.execPath, [command2, ...args], { cwd: this.#folder, stdin });
  }
  get #cdk() {
    return join2(this.#folder, "node_modules/.bin/cdk");
  }
};

// stack/src/inputs.ts
import { resolve } from "node:path";

// stack/src/stack-name.ts
var REPOSITORY_CHARACTERS = 24;
var isStackName = (name) => /^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(name);
function defaultStackName({
  GITHUB_REPOSITORY = "",
  GITHUB_REF = "",
  GITHUB_RUN_ID = "0",
  GITHUB_RUN_ATTEMPT = "1"
}) {
  const repository = (GITHUB_REPOSITORY.split("/")[1] ?? "").replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, REPOSITORY_CHARACTERS).replaceAll(/^-+|-+$/g, "");
  const [, pull] = /^refs\/pull\/(\d+)\//.exec(GITHUB_REF) ?? [];
  const of = pull === void 0 ? `${GITHUB_RUN_ID}-${GITHUB_RUN_ATTEMPT}` : `pr-${pull}`;
  return ["wirelab", ...repository === "" ? [] : [repository.toLowerCase()], of].join("-");
}

// stack/src/workflow-commands.ts
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
var readInput = (name, environment = process.env) => (environment[`INPUT_${name.toUpperCase()}`] ?? "").trim();
var setOutput = (name, value) => append("GITHUB_OUTPUT", name, value);
var saveState = (name, value) => append("GITHUB_STATE", name, value);
var mask = (value) => command("add-mask", value);
var reportError = (message) => command("error", message);
function command(name, text) {
  const escaped = text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  process.stdout.write(`::${name}::${escaped}
`);
}
function append(variable, name, value) {
  const file = process.env[variable];
  if (!file)
    throw new ActionError(`${variable} is not set; run this action as a step of a workflow on GitHub`);
  const delimiter = `wirelab-${randomUUID()}`;
  appendFileSync(file, `${name}<<${delimiter}
${value}
${delimiter}
`);
}

// stack/src/inputs.ts
var HOUR_MS = 36e5;
var MAX_HOURS = 168;
var OWN_KEYS = ["ephemeral", "stack_name", "expires"];
function readInputs(environment, ownSource, nowMs) {
  if (!environment.AWS_REGION && !environment.AWS_DEFAULT_REGION) {
    throw new ActionError(
      "AWS_REGION is not set; sign in to the account in an earlier step, as with aws-actions/configure-aws-credentials"
    );
  }
  const path = (name) => {
    const text = readInput(name, environment);
    return text === "" ? void 0 : resolve(environment.GITHUB_WORKSPACE ?? ".", text);
  };
  const settings = readSettings(readInput("settings", environment));
  const assembly = path("assembly");
  const config = path("config");
  const named = readInput("stack", environment);
  if (assembly !== void 0 && (settings.length > 0 || config !== void 0 || named !== "")) {
    throw new ActionError(
      "assembly is given, which has its settings and its name; remove settings, config and stack, or remove assembly"
    );
  }
  return {
    settings,
    stack: assembly === void 0 ? readName(named, environment) : void 0,
    config,
    assembly,
    expiresAt: new Date(nowMs + readHours(readInput("expires", environment)) * HOUR_MS).toISOString(),
    source: path("source") ?? ownSource
  };
}
function readSettings(text) {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  for (const line of lines) {
    const [, key] = /^(\w+)=/.exec(line) ?? [];
    if (key === void 0) {
      throw new ActionError(
        `settings has the line ${JSON.stringify(line)}; write each as key=value, such as auth=none`
      );
    }
    if (OWN_KEYS.includes(key)) {
      throw new ActionError(
        `settings has ${key}, which the action sets; remove the line, and use the inputs stack and expires`
      );
    }
  }
  return lines;
}
function readName(named, environment) {
  const name = named || defaultStackName(environment);
  if (isStackName(name)) return name;
  throw new ActionError(
    `stack is ${JSON.stringify(name)}; a name has up to 64 letters, digits and hyphens, and begins with a letter`
  );
}
function readHours(text) {
  const hours = Number(text || "4");
  if (hours > 0 && hours <= MAX_HOURS) return hours;
  throw new ActionError(
    `expires is ${JSON.stringify(text)}; it must be hours, above 0 and up to ${MAX_HOURS}`
  );
}

// stack/src/main.ts
var OWN_SOURCE = fileURLToPath(new URL("../..", import.meta.url));
var USER = "admin";
var PASSWORD_BYTES = 24;
async function deploy() {
  const inputs = readInputs(process.env, OWN_SOURCE, Date.now());
  const folder = mkdtempSync(join3(process.env.RUNNER_TEMP || tmpdir(), "wirelab-stack-"));
  const checkout = new Checkout(inputs.source);
  const assembly = inputs.assembly ?? join3(folder, "cdk.out");
  const made = inputs.assembly === void 0 ? void 0 : ephemeralStackIn(assembly);
  const name = made?.name ?? inputs.stack;
  saveState("stack", name);
  saveState("assembly", assembly);
  saveState("source", inputs.source);
  setOutput("stack", name);
  await checkout.prepare();
  if (inputs.assembly === void 0) await synthesize(checkout, name, assembly, inputs);
  const tags = made && { ...made.tags, [EXPIRES_TAG]: inputs.expiresAt };
  const outputs = await deployAssembly(checkout, name, assembly, join3(folder, "outputs.json"), tags);
  const { ApiUrl: url } = outputs;
  if (url === void 0)
    throw new ActionError(`the stack ${name} has no output ApiUrl; deploy a checkout of Wirelab`);
  const password = outputs.FirstUserCommand === void 0 ? "" : await setPassword(checkout, name);
  setOutput("url", url.replace(/\/+$/, ""));
  setOutput("user", password === "" ? "" : USER);
  setOutput("password", password);
}
async function synthesize(checkout, name, assembly, { settings, config, expiresAt }) {
  const own = ["ephemeral=true", `stack_name=${name}`, `expires=${expiresAt}`];
  if (config !== void 0) checkout.useConfig(config);
  const context = [...settings, ...own].flatMap((setting) => ["-c", setting]);
  if (await checkout.cdk(["synth", "--quiet", "--output", assembly, ...context]) === 0) return;
  throw new ActionError(
    `the stack ${name} cannot be synthesized; its reason is above, and docs/settings.md has all settings`
  );
}
async function deployAssembly(checkout, name, assembly, outputs, stackTags = {}) {
  const tags = Object.entries(stackTags).flatMap(([key, value]) => ["--tags", `${key}=${value}`]);
  const options = ["--require-approval", "never", "--progress", "events", "--outputs-file", outputs];
  if (await checkout.cdk(["deploy", "--app", assembly, ...options, ...tags]) !== 0) {
    throw new ActionError(
      `the stack ${name} cannot be deployed; its reason is above. An account that never had a stack of the CDK needs npx cdk bootstrap`
    );
  }
  if (!existsSync3(outputs))
    throw new ActionError(`the stack ${name} has no outputs; deploy a checkout of Wirelab`);
  const [found = {}] = Object.values(JSON.parse(readFileSync3(outputs, "utf8")));
  return found;
}
async function setPassword(checkout, name) {
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  mask(password);
  for (const action of [["first"], ["passwd", USER]]) {
    const args = ["users", ...action, "--password-stdin", "--stack", name];
    if (await checkout.wirelab(args, password) === 0) continue;
    throw new ActionError(
      `the first user of ${name} cannot be added; the role of this job needs dynamodb:Query, dynamodb:PutItem and dynamodb:UpdateItem on the table of the stack`
    );
  }
  return password;
}
passOnInterrupts();
try {
  await deploy();
} catch (error) {
  reportError(error instanceof ActionError ? error.message : String(error.stack));
  process.exitCode = 1;
}
