/** The checkout of Wirelab that the action deploys: its CDK, its app and its command. */
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ActionError } from "./action-error.ts";
import { run } from "./run.ts";

/** As in infra/config.ts. */
const CONFIG = "wirelab.config.ts";

export class Checkout {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws ActionError when the folder is no checkout, or its dependencies cannot be installed. */
  async prepare(): Promise<void> {
    if (!existsSync(join(this.#folder, "cdk.json"))) {
      throw new ActionError(
        `source is ${this.#folder}, which has no cdk.json; name a folder with a checkout of Wirelab`,
      );
    }
    if (existsSync(this.#cdk)) return;
    if ((await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: this.#folder })) === 0) return;
    throw new ActionError(`npm ci failed in ${this.#folder}; its output is above`);
  }

  /** The app reads the file beside cdk.json. @throws ActionError when the file is missing, or the checkout has another one. */
  useConfig(file: string): void {
    const own = join(this.#folder, CONFIG);
    if (!existsSync(file))
      throw new ActionError(`config is ${file}, which does not exist; name a file of the job`);
    if (file === own) return;
    if (existsSync(own) && !readFileSync(own).equals(readFileSync(file))) {
      throw new ActionError(`config is ${file}, and ${own} is another one; remove one of them`);
    }
    copyFileSync(file, own);
  }

  cdk(args: readonly string[]): Promise<number> {
    return run(this.#cdk, args, { cwd: this.#folder });
  }

  wirelab(args: readonly string[], stdin: string): Promise<number> {
    const command = join(this.#folder, "packages/wirelab/wirelab.js");
    return run(process.execPath, [command, ...args], { cwd: this.#folder, stdin });
  }

  get #cdk(): string {
    return join(this.#folder, "node_modules/.bin/cdk");
  }
}
