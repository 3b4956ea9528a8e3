/**
 * Finds the route of a method and a path as API Gateway does. It compares the segments of the raw path. A literal segment takes
 * precedence over `{name}`, and that over `{name+}`; a resource without the method is skipped for a less specific one with it.
 * The path is not decoded or normalized, so `a//b`, `a/` and `a/../b` are distinct paths.
 */
import type { RouteDefinition } from "./template/routes.ts";

/** The properties of a route that the tree uses. */
type Routed = Pick<RouteDefinition, "resourcePath" | "method">;

export interface RouteMatch<R extends Routed = RouteDefinition> {
  readonly route: R;
  /** Percent-encoded, as in the request. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

export type FindRoute<R extends Routed = RouteDefinition> = (
  method: string,
  path: string,
) => RouteMatch<R> | null;

interface Branch<R> {
  readonly literals: Map<string, Branch<R>>;
  readonly methods: Map<string, R>;
  variable?: { name: string; branch: Branch<R> };
  greedy?: { name: string; branch: Branch<R> };
}

/** The methods that `ANY` matches. */
const ANY_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export function makeRouteTree<R extends Routed>(routes: readonly R[]): FindRoute<R> {
  const root = makeBranch<R>();
  for (const route of routes) plant(root, route);
  return (method, path) => climb(root, path === "/" ? [] : path.split("/").slice(1), method, []);
}

function makeBranch<R>(): Branch<R> {
  return { literals: new Map(), methods: new Map() };
}

function plant<R extends Routed>(root: Branch<R>, route: R): void {
  let branch = root;
  for (const part of route.resourcePath.split("/").filter(Boolean)) branch = grow(branch, part);
  branch.methods.set(route.method, route);
}

function grow<R>(branch: Branch<R>, part: string): Branch<R> {
  const [, name, plus] = /^\{([^}+]+)(\+?)\}$/.exec(part) ?? [];
  if (name === undefined) {
    const next = branch.literals.get(part) ?? makeBranch<R>();
    branch.literals.set(part, next);
    return next;
  }
  const kind = plus ? "greedy" : "variable";
  branch[kind] ??= { name, branch: makeBranch<R>() };
  return branch[kind].branch;
}

/** @param values names and values of the path parameters above this branch. */
function climb<R extends Routed>(
  branch: Branch<R>,
  segments: readonly string[],
  method: string,
  values: readonly [string, string][],
): RouteMatch<R> | null {
  const [segment, ...rest] = segments;
  if (segment === undefined) return routeOf(branch, method, values);
  const { literals, variable, greedy } = branch;
  const literal = literals.get(segment);
  const straight = literal ? climb(literal, rest, method, values) : null;
  if (straight) return straight;
  if (variable && segment !== "") {
    const found = climb(variable.branch, rest, method, [...values, [variable.name, segment]]);
    if (found) return found;
  }
  if (!greedy || segments.join("") === "") return null;
  return routeOf(greedy.branch, method, [...values, [greedy.name, segments.join("/")]]);
}

function routeOf<R extends Routed>(
  { methods }: Branch<R>,
  method: string,
  values: readonly [string, string][],
): RouteMatch<R> | null {
  const route = methods.get(method) ?? (ANY_METHODS.has(method) ? methods.get("ANY") : undefined);
  return route ? { route, pathParameters: Object.fromEntries(values) } : null;
}
