/** Runs the CDK app for a combination, and reads the templates that it writes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { synthesize } from "../local/synthesize.ts";
import type { Combination } from "./pairs.ts";
import { readStackTemplate, type StackTemplate } from "./template.ts";

/** Without the bundles, and without the CDK's own checks of the template, which the rules repeat. */
const UNBUNDLED = { "aws:cdk:bundling-stacks": [], "@aws-cdk/core:stackResourceLimit": 0 };

/** Returns the templates of the stack and its nested stacks. @throws LocalProblem if the app refuses the settings. */
export async function assemble(settings: Combination): Promise<readonly StackTemplate[]> {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-rehearse-"));
  try {
    await synthesize(folder, {
      settings: { ...UNBUNDLED, ...settings },
      environment: { CDK_VALIDATION: "false" },
    });
    return readAssembly(folder);
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
