/**
 * A dashboard of the whole service: `-c dashboard=true`. It is off by default, because CloudWatch charges for it each month.
 */
import { CfnOutput, Stack } from "aws-cdk-lib";
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
} from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import { GATEWAY_METRICS, namespaceOf, percentileOf, sumOf } from "./metrics.ts";
import type { ServiceFunction } from "./service-function.ts";
import { serviceOf } from "./service-stack.ts";

interface DashboardProps {
  /** Empty if the stack has no alarms. */
  readonly alarms: readonly Alarm[];
  readonly hasGatewayLog: boolean;
  readonly requests: {
    readonly all: IMetric;
    readonly clientErrors: IMetric;
    readonly serverErrors: IMetric;
  };
  readonly functions: readonly ServiceFunction[];
  readonly table: readonly IMetric[];
}

const WIDTH = 8;

export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const { alarms, hasGatewayLog, requests, functions, table } = props;
    const handlers = functions.map(({ handler }) => handler);
    const dashboard = new CloudWatchDashboard(this, "Board", { dashboardName: namespaceOf(this) });
    if (alarms.length > 0) {
      dashboard.addWidgets(
        new AlarmStatusWidget({ title: "Alarms", alarms: [...alarms], width: 3 * WIDTH, height: 3 }),
      );
    }
    for (const row of [
      [
        graph("Requests and errors", [requests.all, requests.clientErrors, requests.serverErrors]),
        graph(
          "Time to answer, ms",
          [50, 90, 99].map((percent) =>
            percentileOf(this, "Duration", percent).with({ label: `p${percent}` }),
          ),
        ),
        ...(hasGatewayLog ? [this.#sums("Refused by the gateway", Object.keys(GATEWAY_METRICS))] : []),
      ],
      [
        graph("Requests by route", [this.#byRoute("Requests")]),
        graph("Errors by route", [this.#byRoute("Errors")]),
        this.#sums("Failures below", ["FunctionDeaths", "TableErrors", "BucketErrors", "ChangeFailures"]),
      ],
      [
        this.#sums("Runs and captures", ["Runs", "Captures"]),
        this.#sums("Events and packets", ["Events", "Packets"]),
        this.#sums("Captured bytes", ["CapturedBytes"]),
      ],
      [
        graph(
          "Functions: errors",
          handlers.map((handler) => handler.metricErrors()),
        ),
        graph(
          "Functions: throttles",
          handlers.map((handler) => handler.metricThrottles()),
        ),
        graph(
          "Functions: p99, ms",
          handlers.map((handler) => handler.metricDuration({ statistic: "p99" })),
        ),
      ],
      [
        graph("Table", table),
        this.#sums("Swept", ["SweptObjects", "ExpiredProjects", "StoppedCaptures", "FinishedDeletions"]),
        this.#sums("Sweeper", ["Sweeps", "SweepFailures", "LostCaptures"]),
      ],
    ]) {
      dashboard.addWidgets(...row);
    }
    const { region } = Stack.of(this);
    new CfnOutput(serviceOf(this), "DashboardUrl", {
      value: `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${namespaceOf(this)}`,
    });
  }

  #sums(title: string, names: readonly string[]): IWidget {
    return graph(
      title,
      names.map((name) => sumOf(this, name)),
    );
  }

  /** One line for each route with requests; the search expression finds the routes when CloudWatch draws the graph. */
  #byRoute(metricName: string): MathExpression {
    const expression = `SEARCH('{"${namespaceOf(this)}",Route} MetricName="${metricName}"', 'Sum', 300)`;
    return new MathExpression({ expression, label: "", usingMetrics: {} });
  }
}

const graph = (title: string, left: readonly IMetric[]): GraphWidget =>
  new GraphWidget({ title, left: [...left], width: WIDTH });
