/** Reads a cloud assembly, which `cdk synth` has written. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EPHEMERAL_TAG } from "../../infra/ephemeral-tags.ts";
import { ActionError } from "./action-error.ts";

const MANIFEST = "manifest.json";

interface Artifact {
  readonly type: string;
  readonly properties?: {
    readonly stackName?: string;
    readonly tags?: Readonly<Record<string, string>>;
  };
}

export const hasAssembly = (folder: string): boolean => existsSync(join(folder, MANIFEST));

interface EphemeralStack {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** @throws ActionError for a folder without one ephemeral stack. */
export function ephemeralStackIn(folder: string): EphemeralStack {
  if (!hasAssembly(folder)) {
    throw new ActionError(
      `assembly is ${folder}, which has no ${MANIFEST}; make it with npx cdk synth -c ephemeral=true --output ${folder}`,
    );
  }
  const { artifacts } = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")) as {
    artifacts: Readonly<Record<string, Artifact>>;
  };
  const stacks = Object.entries(artifacts).filter(([, { type }]) => type === "aws:cloudformation:stack");
  const [[id, stack] = []] = stacks;
  if (stacks.length !== 1 || id === undefined || stack === undefined)
    throw new ActionError(`assembly is ${folder}, which has ${stacks.length} stacks; the action deploys one`);
  const { stackName = id, tags = {} } = stack.properties ?? {};
  if (tags[EPHEMERAL_TAG.key] !== EPHEMERAL_TAG.value) {
    throw new ActionError(
      `assembly has the stack ${stackName}, which keeps its data; the action destroys what it deploys, so synthesize it with -c ephemeral=true`,
    );
  }
  return { name: stackName, tags };
}
