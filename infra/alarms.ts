/**
 * Alarms for the operator: `-c alarms=true`. docs/operations.md has a section on each. CloudWatch charges for alarms by
 * metric and month, also without requests, so each alarm watches a single metric and they are off by default.
 */
import { CfnOutput, Duration } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import type { Settings } from "./chosen-settings.ts";
import { percentileOf, sumOf } from "./metrics.ts";
import { serviceOf } from "./service-stack.ts";

interface Definition {
  readonly name: string;
  readonly description: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** Number of consecutive bad periods. Default 1. */
  readonly periods?: number;
  /** The alarm reports values below the threshold; missing data counts as below. */
  readonly below?: true;
  /** The metric comes from the gateway's log, which a stack may not have. */
  readonly ofGatewayLog?: true;
}

export interface AlarmsProps {
  readonly settings: Settings;
  /** Responses with status 500 or above, from a function or the gateway. */
  readonly serverErrors: IMetric;
  readonly hasGatewayLog: boolean;
  /** How long after their commits changes of the table are handled, in milliseconds. */
  readonly lateness: IMetric;
  /** Messages in the queue of failures. */
  readonly givenUp: IMetric;
  /** Executions of the state machines. */
  readonly failedRuns: IMetric;
  readonly failedSweeps: IMetric;
}

const SLOW_MS = 10_000;
const LATE_MS = 60_000;

export class Alarms extends Construct {
  readonly all: readonly Alarm[];

  /** With `-c alarm_email=...`, AWS sends an email to that address when an alarm begins and when it ends. */
  constructor(scope: Construct, id: string, { settings, hasGatewayLog, ...metrics }: AlarmsProps) {
    super(scope, id);
    const action = this.#makeAction(settings.get("alarm_email"));
    const definitions = this.#definitions(metrics).filter(
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

  #definitions(metrics: Omit<AlarmsProps, "settings" | "hasGatewayLog">): Definition[] {
    return [
      {
        name: "ServerErrors",
        description: "Requests fail with status 500 or above",
        metric: metrics.serverErrors,
        threshold: 3,
      },
      {
        name: "Throttles",
        description: "Requests are rejected with 429: they exceed the limits of the stage or a quota",
        metric: sumOf(this, "Throttled"),
        threshold: 50,
        ofGatewayLog: true,
      },
      {
        name: "SlowAnswers",
        description: "1 % of the responses begin after more than 10 seconds",
        metric: percentileOf(this, "Duration", 99),
        threshold: SLOW_MS,
        periods: 3,
      },
      {
        name: "RefusedCallers",
        description: "Many requests have missing or wrong credentials",
        metric: sumOf(this, "RefusedCallers"),
        threshold: 100,
        ofGatewayLog: true,
      },
      {
        name: "AuthorizerFailures",
        description: "The authorizer fails, so the API rejects all callers",
        metric: sumOf(this, "AuthorizerFailures"),
        threshold: 1,
        ofGatewayLog: true,
      },
      {
        name: "TableErrors",
        description: "Calls to the table are throttled, fail or time out",
        metric: sumOf(this, "TableErrors"),
        threshold: 10,
      },
      {
        name: "FunctionErrors",
        description: "A function exceeded its time or memory, or could not start",
        metric: sumOf(this, "FunctionDeaths"),
        threshold: 1,
      },
      {
        name: "LateChanges",
        description: "Changes of the table are announced more than a minute after their commits",
        metric: metrics.lateness,
        threshold: LATE_MS,
        periods: 2,
      },
      {
        name: "PublisherErrors",
        description: "The publisher could not handle changes of the table, or could not read them",
        metric: sumOf(this, "ChangeFailures"),
        threshold: 3,
      },
      {
        name: "GivenUp",
        description: "A change of the table or a call of a function was given up",
        metric: metrics.givenUp,
        threshold: 1,
      },
      {
        name: "FailedRuns",
        description: "A run with Linux nodes has failed",
        metric: metrics.failedRuns,
        threshold: 1,
      },
      {
        name: "FailedSweeps",
        description: "A sweep has failed",
        metric: metrics.failedSweeps,
        threshold: 1,
      },
      {
        name: "SweeperSilent",
        description: "The sweeper has completed no run for six hours",
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

  #makeAction(email: string | undefined): SnsAction | undefined {
    if (email === undefined) return undefined;
    const topic = new Topic(this, "Topic", { displayName: "Wirelab alarms", enforceSSL: true });
    // A topic with its own policy does not have the account's default permissions.
    topic.addToResourcePolicy(
      new PolicyStatement({
        actions: ["sns:Publish"],
        principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
        resources: [topic.topicArn],
        conditions: { StringEquals: { "aws:SourceAccount": topic.stack.account } },
      }),
    );
    topic.addSubscription(new EmailSubscription(email));
    new CfnOutput(serviceOf(this), "AlarmTopic", {
      value: topic.topicArn,
      description: "The topic that receives the alarms",
    });
    return new SnsAction(topic);
  }
}
