/**
 * Alarms for the operator: `-c alarms=true`. docs/operations.md has a section on each. Every alarm watches a single
 * metric: CloudWatch charges for alarms by the metric and month, also without requests, so they are off by default.
 */
import { CfnOutput, Duration, Stack } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct, type Node } from "constructs";
import { contextFlag } from "./context-flag.ts";
import { percentileOf, sumOf } from "./metrics.ts";

interface Definition {
  readonly name: string;
  readonly description: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** Number of consecutive bad periods. Default 1. */
  readonly periods?: number;
  /** The alarm reports values below the threshold; missing data counts as below. */
  readonly below?: true;
  /** The metric is made from the gateway's log, which a stack may lack. */
  readonly ofGatewayLog?: true;
}

interface AlarmsProps {
  /** Responses of 500 and over, from a function or the gateway. */
  readonly serverErrors: IMetric;
  readonly hasGatewayLog: boolean;
}

const SLOW_MS = 10_000;

const emailOf = (node: Node): unknown => node.tryGetContext("alarm_email");

/** @returns whether the stack has alarms. An address for them implies them, unless the context has `alarms=false`. */
export const hasAlarms = (node: Node): boolean => contextFlag(node, "alarms", emailOf(node) !== undefined);

export class Alarms extends Construct {
  readonly all: readonly Alarm[];

  /** Context: `-c alarm_email=...` is notified when an alarm begins and when it ends. */
  constructor(scope: Construct, id: string, { serverErrors, hasGatewayLog }: AlarmsProps) {
    super(scope, id);
    const action = this.#makeAction(emailOf(this.node));
    const definitions = this.#definitions(serverErrors).filter(
      ({ ofGatewayLog }) => hasGatewayLog || !ofGatewayLog,
    );
    this.all = definitions.map((definition) => {
      const alarm = this.#make(definition);
      if (action) {
        alarm.addAlarmAction(action);
        alarm.addOkAction(action);
      }
      return alarm;
    });
  }

  #definitions(serverErrors: IMetric): Definition[] {
    return [
      {
        name: "ServerErrors",
        description: "Requests are answered with 500 and over",
        metric: serverErrors,
        threshold: 3,
      },
      {
        name: "Throttles",
        description: "Requests are refused with 429: over the limits of the stage or of a quota",
        metric: sumOf(this, "Throttled"),
        threshold: 50,
        ofGatewayLog: true,
      },
      {
        name: "SlowAnswers",
        description: "One answer of a hundred begins after more than 10 seconds",
        metric: percentileOf(this, "Duration", 99),
        threshold: SLOW_MS,
        periods: 3,
      },
      {
        name: "RefusedCallers",
        description: "Many requests come without credentials, or with wrong ones",
        metric: sumOf(this, "RefusedCallers"),
        threshold: 100,
        ofGatewayLog: true,
      },
      {
        name: "AuthorizerFailures",
        description: "The authorizer fails, so that nobody gets in",
        metric: sumOf(this, "AuthorizerFailures"),
        threshold: 1,
        ofGatewayLog: true,
      },
      {
        name: "TableErrors",
        description: "Calls of the table are refused for want of capacity, fail or time out",
        metric: sumOf(this, "TableErrors"),
        threshold: 10,
      },
      {
        name: "FunctionErrors",
        description: "A function ran out of time or memory, or could not start",
        metric: sumOf(this, "FunctionDeaths"),
        threshold: 1,
      },
      {
        name: "SweeperSilent",
        description: "Nothing has been swept for six hours",
        metric: sumOf(this, "Sweeps", Duration.hours(6)),
        threshold: 1,
        below: true,
      },
    ];
  }

  #make({ name, description, metric, threshold, periods = 1, below }: Definition): Alarm {
    return new Alarm(this, name, {
      alarmDescription: `Wirelab: ${description}. What to do: docs/operations.md, ${name}`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: below ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
  }

  #makeAction(email: unknown): SnsAction | undefined {
    if (email === undefined) return undefined;
    if (!/^\S+@\S+$/.test(String(email))) throw new Error(`The context alarm_email is ${email}, no address`);
    const topic = new Topic(this, "Topic", { displayName: "Wirelab alarms", enforceSSL: true });
    // A topic with its own policy lacks the account's default permissions.
    topic.addToResourcePolicy(
      new PolicyStatement({
        actions: ["sns:Publish"],
        principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
        resources: [topic.topicArn],
        conditions: { StringEquals: { "aws:SourceAccount": topic.stack.account } },
      }),
    );
    topic.addSubscription(new EmailSubscription(String(email)));
    new CfnOutput(Stack.of(this), "AlarmTopic", {
      value: topic.topicArn,
      description: "Alarms are told here",
    });
    return new SnsAction(topic);
  }
}
