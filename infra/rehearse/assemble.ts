/** Makes the CDK app for a combination in this process, and reads the templates that it writes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { addStack } from "../add-stack.ts";
import { LocalProblem } from "../local/problem.ts";
import type { Combination } from "./pairs.ts";
import { readStackTemplate, type StackTemplate } from "./template.ts";

const { context } = JSON.parse(readFileSync(new URL("../../cdk.json", import.meta.url), "utf8"));

/** Without the bundles, and without the CDK's own checks of the template, which the rules repeat. */
const UNBUNDLED = {
  "aws:cdk:bundling-stacks": [],
  "@aws-cdk/core:stackResourceLimit": 0,
  "@aws-cdk/core:validateAgainstDefaultRules": false,
};

/** Returns the templates of the stack and its nested stacks. @throws LocalProblem if the app refuses the settings. */
export async function assemble(settings: Combination): Promise<readonly StackTemplate[]> {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-rehearse-"));
  try {
    const app = new App({ outdir: folder, context: { ...context, ...UNBUNDLED, ...settings } });
    await addStack(app);
    app.synth();
    return readAssembly(folder);
  } catch (error) {
    throw new LocalProblem((error as Error).message);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads the templates of a cloud assembly. */
export function readAssembly(folder: string): readonly StackTemplate[] {
  const { artifacts } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as {
    artifacts: Record<string, { type: string; properties?: { stackName?: string } }>;
  };
  const stackName =
    Object.entries(artifacts).flatMap(([id, { type, properties }]) =>
      type === "aws:cloudformation:stack" ? [properties?.stackName ?? id] : [],
    )[0] ?? "";
  return readdirSync(folder)
    .filter((name) => name.endsWith(".template.json"))
    .map((name) => readStackTemplate(stackName, readFileSync(join(folder, name), "utf8")));
}
