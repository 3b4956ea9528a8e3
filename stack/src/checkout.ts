/** The checkout of Wirelab that the action deploys: its CDK, its app and its command. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ActionError } from "./action-error.ts";
import { run } from "./run.ts";

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
