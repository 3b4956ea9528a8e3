/** A checkout whose CDK and command note how they are called, for tests of the stack action. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Both programs append their arguments and input to `calls`. What they do is in the environment: FAKE_FAILS, FAKE_HANGS, FAKE_OUTPUTS. */
const PROGRAM = `
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
const args = process.argv.slice(2);
const stdin = args.includes("--password-stdin") ? readFileSync(0, "utf8") : "";
appendFileSync(process.env.FAKE_CALLS, JSON.stringify({ args, stdin }) + "\\n");
const after = (name) => args[args.indexOf(name) + 1];
if (process.env.FAKE_FAILS === args[0]) {
  console.error("fake reason");
  process.exit(1);
}
if (process.env.FAKE_HANGS === args[0]) {
  process.on("SIGINT", () => process.exit(130));
  setInterval(() => {}, 1_000);
  console.log("hanging");
} else if (args[0] === "synth") {
  mkdirSync(after("--output"), { recursive: true });
  writeFileSync(after("--output") + "/manifest.json", "{}");
} else if (args[0] === "deploy") {
  writeFileSync(after("--outputs-file"), JSON.stringify({ Stack: JSON.parse(process.env.FAKE_OUTPUTS) }));
}
`;

export interface FakeCall {
  readonly args: readonly string[];
  readonly stdin: string;
}

export class FakeCheckout {
  readonly folder = mkdtempSync(join(tmpdir(), "wirelab-checkout-"));
  readonly callsFile = join(this.folder, "calls");

  constructor() {
    afterAll(() => rmSync(this.folder, { recursive: true }));
    writeFileSync(join(this.folder, "cdk.json"), "{}");
    this.#write("packages/wirelab/wirelab.js");
    this.#write("node_modules/.bin/cdk");
  }

  get calls(): FakeCall[] {
    if (!existsSync(this.callsFile)) return [];
    return readFileSync(this.callsFile, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  }

  #write(path: string): void {
    const file = join(this.folder, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(join(this.folder, "package.json"), '{"type":"module"}');
    writeFileSync(file, `#!/usr/bin/env node\n${PROGRAM}`);
    chmodSync(file, 0o755);
  }
}
