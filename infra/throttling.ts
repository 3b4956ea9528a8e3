/**
 * How many requests the stage takes, from all callers together, and how many of its functions run at once. API Gateway
 * answers 429 to what is more.
 *
 *     -c throttle_rate=100 -c throttle_burst=200             all routes: requests a second, and how many of them at once
 *     -c throttle_runs_rate=20 -c throttle_runs_burst=40     each route that computes: console, run, replay, power, open
 *     -c concurrency_runs=5                                  of the function `runs`; each group has such a key
 *
 * One user's share of the routes that compute is counted by the functions (functions/api/pace.ts): API Gateway tells callers
 * apart by API keys only, which clients of this interface do not send.
 */
import type { MethodDeploymentOptions } from "aws-cdk-lib/aws-apigateway";
import type { Node } from "constructs";
import { gatewayPath, type RouteGroup } from "../functions/api/route.ts";
import { contextFigure } from "./context-figure.ts";

const ALL = { rate: 100, burst: 200 };
const EACH_RUN = { rate: 20, burst: 40 };

interface Throttle {
  readonly throttlingRateLimit: number;
  readonly throttlingBurstLimit: number;
}

function readThrottle(
  node: Node,
  prefix: "throttle" | "throttle_runs",
  fallback: { rate: number; burst: number },
): Throttle {
  return {
    throttlingRateLimit: contextFigure(node, `${prefix}_rate`, { least: 1 }) ?? fallback.rate,
    throttlingBurstLimit:
      contextFigure(node, `${prefix}_burst`, { least: 1, isWhole: true }) ?? fallback.burst,
  };
}

/** Of the whole stage. */
export const stageThrottle = (node: Node): Throttle => readThrottle(node, "throttle", ALL);

/** Of the methods that run a lab; what they do not name they would not have from the stage. */
export function runThrottles(
  node: Node,
  groups: readonly RouteGroup[],
  common: MethodDeploymentOptions,
): Record<string, MethodDeploymentOptions> {
  const settings = { ...common, ...readThrottle(node, "throttle_runs", EACH_RUN) };
  const paths = groups.flatMap(({ routes }) =>
    Object.values(routes).flatMap(({ method, path, paced }) =>
      paced ? [`${gatewayPath(path)}/${method}`] : [],
    ),
  );
  return Object.fromEntries(paths.map((path) => [path, settings]));
}

/** Of a function; none unless the context names a figure: accounts begin with ten for all functions together. */
export const reservedConcurrency = (node: Node, name: string): number | undefined =>
  contextFigure(node, `concurrency_${name}`, { least: 0, isWhole: true });
