/** What AWS checks when it creates a stack, as far as it can be checked here: one rule a file, each from a template to its problems. */
import { checkActions } from "./actions.ts";
import { checkApiBodies } from "./api-body.ts";
import { checkCallers } from "./callers.ts";
import { checkFunctions } from "./functions.ts";
import { checkMachineRoles } from "./machine-roles.ts";
import { checkMachines } from "./machines.ts";
import { checkMappingTemplates } from "./mapping-templates.ts";
import { checkNames } from "./names.ts";
import { checkPolicies } from "./policies.ts";
import { checkSchemas } from "./schemas.ts";
import { checkSize } from "./size.ts";
import { checkStageMethods } from "./stage-methods.ts";
import { checkStreams } from "./streams.ts";
import type { Problem, StackTemplate } from "./template.ts";

const RULES: Readonly<
  Record<string, (stack: StackTemplate) => readonly Problem[] | Promise<readonly Problem[]>>
> = {
  schemas: checkSchemas,
  size: checkSize,
  names: checkNames,
  policies: checkPolicies,
  actions: checkActions,
  functions: checkFunctions,
  callers: checkCallers,
  streams: checkStreams,
  machines: checkMachines,
  "machines' roles": checkMachineRoles,
  "API's body": checkApiBodies,
  "stage's methods": checkStageMethods,
  "mapping templates": checkMappingTemplates,
};

/** Returns the problems of a template, each with the rule that it breaks: `rule: logical id: text`. */
export async function problemsOf(stack: StackTemplate): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [name, check] of Object.entries(RULES))
    for (const { logicalId, text } of await check(stack))
      found.push(`${name}: ${logicalId === "" ? "" : `${logicalId}: `}${text}`);
  return found;
}
