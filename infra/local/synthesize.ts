/** Runs the CDK app, without the CDK's command line: that needs no account, no network and half the time. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LocalProblem } from "./problem.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Writes the cloud assembly, bundles included, to `folder`.
 * @param settings context besides that of cdk.json, as `-c` would give it.
 */
export async function synthesize(
  folder: string,
  settings: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<void> {
  const { context } = JSON.parse(readFileSync(`${ROOT}cdk.json`, "utf8")) as { context?: object };
  const child = spawn(process.execPath, [`${ROOT}infra/app.ts`], {
    cwd: ROOT,
    env: {
      ...process.env,
      CDK_OUTDIR: folder,
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...settings }),
    },
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal && { signal }),
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code === 0) return;
  throw new LocalProblem(`The stack could not be synthesized:\n${Buffer.concat(output).toString().trim()}`);
}
