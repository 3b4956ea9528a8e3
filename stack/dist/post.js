// stack/src/assembly.ts
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

// stack/src/action-error.ts
var ActionError = class extends Error {
  name = "ActionError";
};

// stack/src/assembly.ts
var MANIFEST = "manifest.json";
var hasAssembly = (folder) => existsSync(join(folder, MANIFEST));

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
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, PATH },
      stdio: [stdin === void 0 ? "ignore" : "pipe", "inherit", "inherit"]
    });
    running.add(child);
    const end = (code) => {
      running.delete(child);
      resolve(code);
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

// stack/src/workflow-commands.ts
var readState = (name, environment = process.env) => environment[`STATE_${name}`] ?? "";
var reportError = (message) => command("error", message);
var notice = (message) => command("notice", message);
function command(name, text) {
  const escaped = text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  process.stdout.write(`::${name}::${escaped}
`);
}

// stack/src/post.ts
async function destroy() {
  const [stack, assembly, source] = ["stack", "assembly", "source"].map((name) => readState(name));
  if (!stack || !assembly || !source || !hasAssembly(assembly)) {
    notice("Nothing was deployed, so nothing is destroyed");
    return;
  }
  if (await new Checkout(source).cdk(["destroy", "--app", assembly, "--force"]) === 0) return;
  reportError(
    `the stack ${stack} is not destroyed; its reason is above. Run aws cloudformation delete-stack --stack-name ${stack}, or let npm run janitor delete it when it has expired`
  );
  process.exitCode = 1;
}
passOnInterrupts();
await destroy();
