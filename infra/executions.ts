/** What the state machines of the stack have in common: the names of their executions, and the findings of cdk-nag that apply to them. */
import { ArnFormat, Duration, Stack, Validations } from "aws-cdk-lib";
import { Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { CfnStateMachine } from "aws-cdk-lib/aws-stepfunctions";
import type { IConstruct } from "constructs";
import { EXECUTIONS } from "./wildcards.ts";

export const executionsOf = (machine: CfnStateMachine): string =>
  Stack.of(machine).formatArn({
    service: "states",
    resource: "execution",
    resourceName: `${machine.attrName}:*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/** Counts the executions that failed, without those that exceeded their time. */
export const failedExecutionsOf = (machine: CfnStateMachine): Metric =>
  new Metric({
    namespace: "AWS/States",
    metricName: "ExecutionsFailed",
    dimensionsMap: { StateMachineArn: machine.ref },
    statistic: Stats.SUM,
    period: Duration.minutes(5),
  });

interface Reasons {
  /** Why the machine has no log. */
  readonly log: string;
  /** Why it has no tracing. */
  readonly tracing: string;
}

/** @param holders of permissions for all executions of the machine. */
export function acknowledgeMachine(
  machine: CfnStateMachine,
  holders: readonly IConstruct[],
  { log, tracing }: Reasons,
): void {
  const name = `<${Stack.of(machine).getLogicalId(machine)}.Name>`;
  for (const holder of holders) {
    Validations.of(holder).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${name}:*]`,
      reason: EXECUTIONS,
    });
  }
  Validations.of(machine).acknowledge({ id: "AwsSolutions-SF1", reason: log });
  Validations.of(machine).acknowledge({ id: "AwsSolutions-SF2", reason: tracing });
}
