/**
 * Limits the requests to the stage and the concurrency of its functions. API Gateway rejects further requests with 429.
 *
 *     -c throttle_rate=500 -c throttle_burst=1000            all other routes: requests per second, and requests in a burst
 *     -c throttle_runs_rate=100 -c throttle_runs_burst=200   each route that runs a lab: console, run, replay, power, open
 *     -c throttle_public_rate=10 -c throttle_public_burst=20 each route that needs no credentials
 *     -c concurrency_runs=5                                  reserved concurrency of the function `runs`; each group has such a key
 *
 * Requests to a method with its own throttle do not count for the throttle of the stage, so anonymous requests to public routes cannot
 * exhaust the limit of authenticated callers. The functions limit each user's runs (functions/shared/edge/pace.ts), because API Gateway
 * identifies callers only by API keys, which clients of this interface do not send.
 */
import type { MethodDeploymentOptions } from "aws-cdk-lib/aws-apigateway";
import { parsePath } from "../functions/shared/edge/path-template.ts";
import { neededRole, type Route, type RouteGroup, verbsOf } from "../functions/shared/edge/route.ts";
import type { Settings } from "./chosen-settings.ts";
import { UNDECLARED_PATHS } from "./undeclared-paths.ts";

interface Throttle {
  readonly throttlingRateLimit: number;
  readonly throttlingBurstLimit: number;
}

const readThrottle = (
  settings: Settings,
  prefix: "throttle" | "throttle_runs" | "throttle_public",
): Throttle => ({
  throttlingRateLimit: settings.get(`${prefix}_rate`),
  throttlingBurstLimit: settings.get(`${prefix}_burst`),
});

/** Returns the throttle of methods without their own. */
export const stageThrottle = (settings: Settings): Throttle => readThrottle(settings, "throttle");

/** The verbs of ANY: API Gateway has settings for each of these verbs, but not for ANY. */
const VERBS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/** Returns the throttles of single methods by resource path and verb. */
export function methodThrottles(
  settings: Settings,
  groups: readonly RouteGroup[],
): Record<string, MethodDeploymentOptions> {
  const routes: Route[] = groups.flatMap((group) => Object.values(group.routes));
  const isPublic = (route: Route) => neededRole(route) === "public";
  const undeclared = UNDECLARED_PATHS.flatMap((path) => VERBS.map((verb) => keyOf(path, verb)));
  const runs = readThrottle(settings, "throttle_runs");
  const open = readThrottle(settings, "throttle_public");
  return {
    ...throttled(routes.filter(({ paced }) => paced).flatMap(keysOfRoute), runs),
    ...throttled([...routes.filter(isPublic).flatMap(keysOfRoute), ...undeclared], open),
  };
}

/** Returns the CDK's key of a method: `/projects/GET`; for the root `//GET`. */
const keyOf = (path: string, verb: string): string => `${path}/${verb}`;
const keysOfRoute = (route: Route): string[] =>
  verbsOf(route).map((verb) => keyOf(parsePath(route.path).gatewayPath, verb));

const throttled = (keys: readonly string[], throttle: Throttle): Record<string, MethodDeploymentOptions> =>
  Object.fromEntries(keys.map((key) => [key, throttle]));

/** Reserves a function's concurrency, if a setting does: new accounts have ten for all functions together. */
export function reservedConcurrency(
  settings: Settings,
  name: string,
): { readonly reservedConcurrentExecutions?: number } {
  const reserved = settings.get(`concurrency_${name}`);
  return reserved === undefined ? {} : { reservedConcurrentExecutions: reserved };
}
