/**
 * Finds the route of a method and a path as API Gateway does: segment by segment on the raw path, a literal segment before
 * `{name}` before `{name+}`; a resource that lacks the method gives way to a less specific one that has it. Nothing is decoded,
 * joined or normalised, so `a//b`, `a/` and `a/../b` are paths of their own.
 */
import type { RouteDefinition } from "./template.ts";

/** What the tree needs to know of a route. */
type Routed = Pick<RouteDefinition, "resourcePath" | "method">;

export interface RouteMatch<R extends Routed = RouteDefinition> {
  readonly route: R;
  /** Values as they stand in the request, still percent-encoded. */
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

/** The methods that `ANY` stands for. */
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

/** @param values of the variables that led to the branch. */
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
