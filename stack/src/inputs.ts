/** The inputs of the action (action.yml), checked before anything is deployed. */
import { resolve } from "node:path";
import { ActionError } from "./action-error.ts";
import { defaultStackName, isStackName } from "./stack-name.ts";
import { readInput } from "./workflow-commands.ts";

export interface Inputs {
  /** `key=value`, as the option -c of the CDK takes them. */
  readonly settings: readonly string[];
  /** Undefined with an assembly, which has the name. */
  readonly stack: string | undefined;
  readonly config: string | undefined;
  readonly assembly: string | undefined;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
  readonly source: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const HOUR_MS = 3_600_000;
/** A week. */
const MAX_HOURS = 168;
/** The action decides about these. */
const OWN_KEYS = ["ephemeral", "stack_name", "expires"];

/** @param ownSource the checkout that contains this action. @throws ActionError for an input that cannot be used. */
export function readInputs(environment: Environment, ownSource: string, nowMs: number): Inputs {
  if (!environment.AWS_REGION && !environment.AWS_DEFAULT_REGION) {
    throw new ActionError(
      "AWS_REGION is not set; sign in to the account in an earlier step, as with aws-actions/configure-aws-credentials",
    );
  }
  const path = (name: string): string | undefined => {
    const text = readInput(name, environment);
    return text === "" ? undefined : resolve(environment.GITHUB_WORKSPACE ?? ".", text);
  };
  const settings = readSettings(readInput("settings", environment));
  const assembly = path("assembly");
  const config = path("config");
  const named = readInput("stack", environment);
  if (assembly !== undefined && (settings.length > 0 || config !== undefined || named !== "")) {
    throw new ActionError(
      "assembly is given, which has its settings and its name; remove settings, config and stack, or remove assembly",
    );
  }
  return {
    settings,
    stack: assembly === undefined ? readName(named, environment) : undefined,
    config,
    assembly,
    expiresAt: new Date(nowMs + readHours(readInput("expires", environment)) * HOUR_MS).toISOString(),
    source: path("source") ?? ownSource,
  };
}

function readSettings(text: string): string[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  for (const line of lines) {
    const [, key] = /^(\w+)=/.exec(line) ?? [];
    if (key === undefined) {
      throw new ActionError(
        `settings has the line ${JSON.stringify(line)}; write each as key=value, such as auth=none`,
      );
    }
    if (OWN_KEYS.includes(key)) {
      throw new ActionError(
        `settings has ${key}, which the action sets; remove the line, and use the inputs stack and expires`,
      );
    }
  }
  return lines;
}

function readName(named: string, environment: Environment): string {
  const name = named || defaultStackName(environment);
  if (isStackName(name)) return name;
  throw new ActionError(
    `stack is ${JSON.stringify(name)}; a name has up to 64 letters, digits and hyphens, and begins with a letter`,
  );
}

function readHours(text: string): number {
  const hours = Number(text || "4");
  if (hours > 0 && hours <= MAX_HOURS) return hours;
  throw new ActionError(
    `expires is ${JSON.stringify(text)}; it must be hours, above 0 and up to ${MAX_HOURS}`,
  );
}
