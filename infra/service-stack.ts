/** The stack of the service, also for constructs in a stack that is nested in it. */
import { Stack } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

export function serviceStackOf(scope: IConstruct): Stack {
  let stack = Stack.of(scope);
  while (stack.nestedStackParent) stack = stack.nestedStackParent;
  return stack;
}
