/** What of the stack is paid for by the month or by the hour, whatever is sent through it: counted in its template. */
import type { Template } from "aws-cdk-lib/assertions";
import { gatewayPath, type Route } from "../../functions/api/route.ts";
import { GROUPS } from "../../functions/routes.ts";

export interface Standing {
  readonly alarms: number;
  readonly dashboards: number;
  /** Lines of all graphs; a search is one, whatever it finds. */
  readonly dashboardMetrics: number;
  readonly secrets: number;
  /** Operations of whose methods API Gateway tells metrics, by the names of their declarations. */
  readonly detailed: ReadonlySet<string>;
}

interface MethodSetting {
  readonly HttpMethod: string;
  readonly ResourcePath: string;
  readonly MetricsEnabled?: boolean;
}

const ALL_METHODS = "/*";

export function readStanding(template: Template): Standing {
  const properties = (type: string) =>
    Object.values(template.findResources(type)).map(({ Properties }) => Properties);
  const dashboards = properties("AWS::CloudWatch::Dashboard");
  const settings: MethodSetting[] = properties("AWS::ApiGateway::Stage").flatMap(
    ({ MethodSettings }) => MethodSettings,
  );
  return {
    alarms: properties("AWS::CloudWatch::Alarm").length,
    dashboards: dashboards.length,
    dashboardMetrics: dashboards.reduce((sum, { DashboardBody }) => sum + linesOf(DashboardBody), 0),
    secrets: properties("AWS::SecretsManager::Secret").length,
    detailed: new Set(settings.filter(({ MetricsEnabled }) => MetricsEnabled).flatMap(operationsOf)),
  };
}

interface DashboardBody {
  readonly widgets: readonly { readonly properties: { readonly metrics?: readonly unknown[] } }[];
}

/** The body is text with references in it, which only CloudFormation knows. */
function linesOf({ "Fn::Join": [, parts] }: { "Fn::Join": [string, unknown[]] }): number {
  const text = parts.map((part) => (typeof part === "string" ? part : "reference")).join("");
  const { widgets } = JSON.parse(text) as DashboardBody;
  return widgets.reduce((sum, { properties: { metrics = [] } }) => sum + metrics.length, 0);
}

export const OPERATIONS: ReadonlyMap<string, Route> = new Map(
  GROUPS.flatMap(({ routes }) => Object.entries<Route>(routes)),
);

/** @throws Error for a setting of no declared route. */
function operationsOf({ HttpMethod, ResourcePath }: MethodSetting): string[] {
  const path = ResourcePath.replaceAll("~1", "/").slice(1);
  const found = [...OPERATIONS].filter(
    ([, route]) => ResourcePath === ALL_METHODS || pathOf(route) === `${HttpMethod} ${path}`,
  );
  if (found.length === 0) throw new Error(`The stage has settings for ${HttpMethod} ${path}, no route`);
  return found.map(([name]) => name);
}

const pathOf = ({ method, path }: Route): string => `${method} ${gatewayPath(path)}`;
