/**
 * The log of all functions of a stack. One group, because a stack has 500 resources at most, and because a query then finds all lines of a
 * request. The streams in it begin with the date and the function's name.
 */
import { RemovalPolicy, Stack } from "aws-cdk-lib";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { logKeyOf } from "./customer-key.ts";
import { serviceOf } from "./service-stack.ts";

const ID = "FunctionLog";

export function functionLogOf(scope: Construct): LogGroup {
  const service = serviceOf(scope);
  const stack = Stack.of(scope);
  const owner = stack === Stack.of(service) ? service : stack;
  const existing = owner.node.tryFindChild(ID) as LogGroup | undefined;
  return (
    existing ??
    new LogGroup(owner, ID, {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
      ...logKeyOf(scope),
    })
  );
}
