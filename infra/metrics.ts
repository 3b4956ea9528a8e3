/** The service's metrics for alarms and the dashboard. Names and units: functions/shared/edge/metrics.ts. */
import { Duration } from "aws-cdk-lib";
import { Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { FilterPattern, type ILogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { serviceNameOf } from "./service-stack.ts";

/** Returns the service's name, so that two services in one account have separate metrics. */
export const namespaceOf = (scope: Construct): string => serviceNameOf(scope);

const PERIOD = Duration.minutes(5);

export const sumOf = (scope: Construct, metricName: string, period = PERIOD): Metric =>
  new Metric({ namespace: namespaceOf(scope), metricName, statistic: Stats.SUM, period });

export const percentileOf = (scope: Construct, metricName: string, percent: number): Metric =>
  new Metric({
    namespace: namespaceOf(scope),
    metricName,
    statistic: Stats.percentile(percent),
    period: PERIOD,
  });

/** Metrics that AWS does not provide -> the types of the gateway's own responses in the access log (`$.error`). */
export const GATEWAY_METRICS = {
  /** Requests over the limits of the stage or of a user's quota. */
  Throttled: ["THROTTLED", "QUOTA_EXCEEDED"],
  /** Requests with missing or wrong credentials. With `auth=iam`, a request without a signature has a missing token. */
  RefusedCallers: ["UNAUTHORIZED", "ACCESS_DENIED", "MISSING_AUTHENTICATION_TOKEN", "INVALID_SIGNATURE"],
  /** The authorizer failed, or returned no policy. */
  AuthorizerFailures: ["AUTHORIZER_FAILURE", "AUTHORIZER_CONFIGURATION_ERROR"],
} as const;

/** Lambda's messages for a function that ended abnormally, which the function itself cannot log. */
const DEATHS = [
  "Task timed out",
  "Runtime exited",
  "Runtime.ExitError",
  "Runtime.OutOfMemory",
  "Runtime.ImportModuleError",
];

/**
 * Creates metrics from log lines. Filters are free.
 * @param gatewayLog undefined if the stage has none.
 */
export function makeLogMetrics(
  scope: Construct,
  gatewayLog: ILogGroup | undefined,
  functionLog: ILogGroup,
): void {
  const metricNamespace = namespaceOf(scope);
  if (gatewayLog) makeGatewayMetrics(scope, gatewayLog);
  new MetricFilter(scope, "Deaths", {
    logGroup: functionLog,
    metricNamespace,
    metricName: "FunctionDeaths",
    filterPattern: FilterPattern.anyTerm(...DEATHS),
  });
}

function makeGatewayMetrics(scope: Construct, logGroup: ILogGroup): void {
  for (const [metricName, types] of Object.entries(GATEWAY_METRICS)) {
    new MetricFilter(scope, metricName, {
      logGroup,
      metricNamespace: namespaceOf(scope),
      metricName,
      filterPattern: FilterPattern.any(
        ...types.map((type) => FilterPattern.stringValue("$.error", "=", type)),
      ),
    });
  }
}
