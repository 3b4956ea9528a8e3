/** Finds the route of an event within a group: by API Gateway's resource, and what follows a greedy variable. */
import type { APIGatewayProxyEvent } from "aws-lambda";
import { failure } from "../errors.ts";
import { gatewayPath, greedySuffix, type Route, type RouteGroup, verbsOf } from "../route.ts";

export interface Match {
  readonly name: string;
  readonly route: Route;
  /** Values of the path's variables, percent-decoded. */
  readonly pathValues: Record<string, string>;
}

export type Dispatcher = (event: APIGatewayProxyEvent) => Match;

/** @returns a function that throws ApiError 404 for no route, 405 for another method, 400 for a broken escape. */
export function makeDispatcher(group: RouteGroup): Dispatcher {
  const byResource = Map.groupBy(Object.entries(group.routes), ([, route]) => gatewayPath(route.path));
  return (event) => {
    const { httpMethod: method, resource, path } = event;
    const candidates = (byResource.get(resource) ?? []).flatMap(([name, route]) => {
      const pathValues = readPathValues(route, event.pathParameters ?? {});
      return pathValues === null ? [] : [{ name, route, pathValues }];
    });
    if (candidates.length === 0) throw failure("route.not-found", { method, path });
    // The answer to HEAD is that to GET without its body (RFC 9110, 9.3.2).
    const declared = method === "HEAD" ? "GET" : method;
    const match = candidates.find((candidate) => candidate.route.method === declared);
    if (match) return match;
    const allow = candidates.flatMap(({ route }) => verbsOf(route)).join(", ");
    throw failure("route.method-not-allowed", { method, allow }, { headers: { allow } });
  };
}

/** Null when the greedy variable is empty, or the text after it is not the route's. */
function readPathValues(
  route: Route,
  raw: Readonly<Record<string, string | undefined>>,
): Record<string, string> | null {
  const suffix = greedySuffix(route.path);
  const names = [...route.path.matchAll(/\{(\w+)(\+?)\}/g)];
  const values: Record<string, string> = {};
  for (const [, name, greedy] of names) {
    if (greedy) {
      const whole = raw[name!.replace(/_id$/, "_path")] ?? "";
      if (!whole.endsWith(suffix!) || whole.length === suffix!.length) return null;
      values[name!] = decodeGreedy(whole.slice(0, whole.length - suffix!.length));
    } else {
      values[name!] = decodeSegment(raw[name!] ?? "");
    }
  }
  return values;
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw failure("request.invalid", { detail: `the path has a broken percent-escape: ${text}` });
  }
}

/**
 * Existing clients send symbol ids raw, encoded once and encoded twice, and gateways differ in whether they decode:
 * all of these are the same id, so two rounds are taken off, and a `%` that is no escape stands for itself.
 */
function decodeGreedy(text: string): string {
  let decoded = text;
  for (let round = 0; round < 2; round++) {
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      return decoded;
    }
  }
  return decoded;
}
