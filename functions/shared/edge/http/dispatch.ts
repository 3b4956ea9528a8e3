/** Finds the route of an event within a group, by API Gateway's resource and the text after a greedy variable. */
import type { APIGatewayProxyEvent } from "aws-lambda";
import { failure } from "../errors.ts";
import { type PathTemplate, parsePath } from "../path-template.ts";
import { type Route, type RouteGroup, verbsOf } from "../route.ts";

interface Match {
  readonly name: string;
  readonly route: Route;
  /** Values of the path's variables, percent-decoded. */
  readonly pathValues: Record<string, string>;
}

export type Dispatcher = (event: APIGatewayProxyEvent) => Match;

/** @returns a function that throws ApiError 404 for an unknown route, 405 for another method, 400 for an invalid escape. */
export function makeDispatcher(group: RouteGroup): Dispatcher {
  const routes = Object.entries(group.routes).map(([name, route]) => {
    return { name, route, template: parsePath(route.path) };
  });
  const byResource = Map.groupBy(routes, ({ template }) => template.gatewayPath);
  return (event) => {
    const { httpMethod: method, resource, path } = event;
    const candidates = (byResource.get(resource) ?? []).flatMap(({ name, route, template }) => {
      const pathValues = readPathValues(template, event.pathParameters ?? {});
      return pathValues === null ? [] : [{ name, route, pathValues }];
    });
    if (candidates.length === 0) throw failure("route.not-found", { method, path });
    // A response to HEAD is the response to GET without its body (RFC 9110, 9.3.2).
    const declared = method === "HEAD" ? "GET" : method;
    const match = candidates.find((candidate) => candidate.route.method === declared);
    if (match) return match;
    const allow = candidates.flatMap(({ route }) => verbsOf(route)).join(", ");
    throw failure("route.method-not-allowed", { method, allow }, { headers: { allow } });
  };
}

/** Returns null when the greedy variable is empty, or the text after it belongs to another route. */
function readPathValues(
  { variables }: PathTemplate,
  raw: Readonly<Record<string, string | undefined>>,
): Record<string, string> | null {
  const values: Record<string, string> = {};
  for (const { name, gatewayName, suffix } of variables) {
    const value = raw[gatewayName] ?? "";
    if (suffix === undefined) {
      values[name] = decodeSegment(value);
    } else {
      if (!value.endsWith(suffix) || value.length === suffix.length) return null;
      values[name] = decodeGreedy(value.slice(0, value.length - suffix.length));
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
 * Existing clients send symbol ids raw, encoded once or encoded twice, and not all gateways decode them. All these forms are the
 * same id, so this decodes twice; a `%` that begins no escape is literal.
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
