/** Runs the CDK app without the CDK's command line. It then needs no account and no network, and takes half the time. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { LocalProblem } from "./problem.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface SynthesizeOptions {
  /** Context values that are added to those of cdk.json, like `cdk -c`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Further variables of the app's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes the cloud assembly with the bundles to `folder`.
 * @throws LocalProblem with the app's output when the app fails.
 */
export async function synthesize(folder: string, options: SynthesizeOptions): Promise<void> {
  const { settings, environment, signal } = options;
  const { context } = JSON.parse(readFileSync(`${ROOT}cdk.json`, "utf8")) as { context?: object };
  const child = spawn(process.execPath, [`${ROOT}infra/app.ts`], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...environment,
      CDK_OUTDIR: folder,
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...settings }),
    },
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal && { signal }),
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => output.push(line));
  }
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code === 0) return;
  throw new LocalProblem(`The stack could not be synthesized:\n${output.join("\n").trim()}`);
}
