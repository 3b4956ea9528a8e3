/** The check of a deployment against the deployed stack: infra/deploy/left-out.ts. */
import { settingsOfTemplate, type Template } from "./deployed-settings.ts";
import { describeRefusal, differences } from "./left-out.ts";

export interface CheckOptions {
  /** Keys that may change although they are left out: `--change auth`. */
  readonly permitted: readonly string[];
  readonly templateOf: (stackName: string) => Promise<Template | undefined>;
}

/** @returns why the deployment is refused; undefined if nothing that protects the stack was left out. */
export async function refusalOf(
  stackName: string,
  next: Template,
  { permitted, templateOf }: CheckOptions,
): Promise<string | undefined> {
  let deployed: Template | undefined;
  try {
    deployed = await templateOf(stackName);
  } catch (error) {
    return [
      `The settings of the deployed stack ${stackName} cannot be read: ${(error as Error).message}`,
      "The check needs credentials for cloudformation:DescribeStacks and cloudformation:GetTemplate; --unchecked deploys without it.",
    ].join("\n");
  }
  if (deployed === undefined) return undefined;
  const before = settingsOfTemplate(deployed);
  if (before === undefined)
    return `The deployed stack ${stackName} is not of Wirelab: no function has AUTH_MODE. Choose another name: -c stack_name=NAME`;
  return describeRefusal(stackName, differences(before, settingsOfTemplate(next)!), permitted);
}

export interface CheckArguments {
  readonly permitted: readonly string[];
  readonly unchecked: boolean;
  /** The arguments of the CDK. */
  readonly others: readonly string[];
}

/** Takes `--change KEY`, `--change=KEY,KEY` and `--unchecked` out of the arguments. */
export function takeCheckArguments(args: readonly string[]): CheckArguments {
  const permitted: string[] = [];
  const others: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!;
    if (arg === "--change") permitted.push(...(args[++index] ?? "").split(","));
    else if (arg.startsWith("--change=")) permitted.push(...arg.slice("--change=".length).split(","));
    else if (arg !== "--unchecked") others.push(arg);
  }
  return { permitted, unchecked: args.includes("--unchecked"), others };
}
