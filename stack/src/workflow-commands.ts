/**
 * GitHub's workflow commands: inputs from the environment, lines on standard output, and values in files that the runner names.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { ActionError } from "./action-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export const readInput = (name: string, environment: Environment = process.env): string =>
  (environment[`INPUT_${name.toUpperCase()}`] ?? "").trim();

/** Returns what the main step has saved for the post step; empty if it did not come so far. */
export const readState = (name: string, environment: Environment = process.env): string =>
  environment[`STATE_${name}`] ?? "";

export const setOutput = (name: string, value: string): void => append("GITHUB_OUTPUT", name, value);
export const saveState = (name: string, value: string): void => append("GITHUB_STATE", name, value);

/** The runner replaces the value in all later lines of the log. */
export const mask = (value: string): void => command("add-mask", value);
export const reportError = (message: string): void => command("error", message);
export const notice = (message: string): void => command("notice", message);

function command(name: string, text: string): void {
  const escaped = text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  process.stdout.write(`::${name}::${escaped}\n`);
}

/** A delimiter that no value can guess, so that a value never ends early. */
function append(variable: "GITHUB_OUTPUT" | "GITHUB_STATE", name: string, value: string): void {
  const file = process.env[variable];
  if (!file)
    throw new ActionError(`${variable} is not set; run this action as a step of a workflow on GitHub`);
  const delimiter = `wirelab-${randomUUID()}`;
  appendFileSync(file, `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
}
