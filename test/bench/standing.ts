/** Counts in the template what the stack costs each month without any requests. */
import type { Template } from "aws-cdk-lib/assertions";
import { GROUPS } from "../../functions/routes.ts";
import type { Route } from "../../functions/shared/edge/route.ts";

export interface Standing {
  readonly alarms: number;
  readonly dashboards: number;
  /** Metrics in all graphs; a search counts as one, however many it finds. */
  readonly dashboardMetrics: number;
  readonly secrets: number;
}

export function readStanding(template: Template): Standing {
  const properties = (type: string) =>
    Object.values(template.findResources(type)).map(({ Properties }) => Properties);
  const dashboards = properties("AWS::CloudWatch::Dashboard");
  return {
    alarms: properties("AWS::CloudWatch::Alarm").length,
    dashboards: dashboards.length,
    dashboardMetrics: dashboards.reduce((sum, { DashboardBody }) => sum + linesOf(DashboardBody), 0),
    secrets: properties("AWS::SecretsManager::Secret").length,
  };
}

interface DashboardBody {
  readonly widgets: readonly { readonly properties: { readonly metrics?: readonly unknown[] } }[];
}

/** The body is text with references that only CloudFormation can resolve. */
function linesOf({ "Fn::Join": [, parts] }: { "Fn::Join": [string, unknown[]] }): number {
  const text = parts.map((part) => (typeof part === "string" ? part : "reference")).join("");
  const { widgets } = JSON.parse(text) as DashboardBody;
  return widgets.reduce((sum, { properties: { metrics = [] } }) => sum + metrics.length, 0);
}

/** Fields of an editor's request in the gateway's access log; fields not listed here are a dash, as in the log. */
const LOGGED: Readonly<Record<string, string>> = {
  requestId: "00000000-0000-0000-0000-000000000000",
  requestTime: "22/Nov/2026:10:00:00 +0000",
  "identity.sourceIp": "203.0.113.100",
  "authorizer.principalId": "alice",
  httpMethod: "POST",
  resourcePath: "/projects/{project_id}/nodes/{node_id}/console",
  path: "/v2/projects/00000000-0000-0000-0000-000000000000/nodes/00000000-0000-0000-0000-000000000000/console",
  protocol: "HTTP/1.1",
  status: "200",
  responseLength: "1000",
  responseLatency: "100",
};

/** @returns the bytes of a request's line in the gateway's access log. */
export function accessLineBytes(template: Template): number {
  const [stage] = Object.values(template.findResources("AWS::ApiGateway::Stage"));
  const format = String(stage?.Properties.AccessLogSetting.Format);
  return Buffer.byteLength(
    format.replaceAll(/\$context\.([\w.]+)/g, (_, name: string) => LOGGED[name] ?? "-"),
  );
}

export const OPERATIONS: ReadonlyMap<string, Route> = new Map(
  GROUPS.flatMap(({ routes }) => Object.entries<Route>(routes)),
);
