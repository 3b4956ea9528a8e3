/**
 * Finds the route of a path as API Gateway does: segment by segment on the raw path, a literal segment before
 * `{name}` before `{name+}`. Nothing is decoded, joined or normalised, so `a//b`, `a/` and `a/../b` are paths of
 * their own.
 */
import type { RouteDefinition } from "./template.ts";

export interface RouteMatch {
  readonly route: RouteDefinition;
  /** Values as they stand in the request, still percent-encoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

export type FindRoute = (method: string, path: string) => RouteMatch | null;

interface Branch {
  readonly literals: Map<string, Branch>;
  readonly methods: Map<string, RouteDefinition>;
  variable?: { name: string; branch: Branch };
  greedy?: { name: string; branch: Branch };
}

/** The methods that `ANY` stands for. */
const ANY_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

type Found = { readonly branch: Branch; readonly values: readonly [string, string][] };

export function makeRouteTree(routes: readonly RouteDefinition[]): FindRoute {
  const root = makeBranch();
  for (const route of routes) plant(root, route);
  return (method, path) => {
    const found = climb(root, path === "/" ? [] : path.split("/").slice(1));
    const route =
      found?.branch.methods.get(method) ?? (ANY_METHODS.has(method) && found?.branch.methods.get("ANY"));
    return found && route ? { route, pathParameters: Object.fromEntries(found.values) } : null;
  };
}

function makeBranch(): Branch {
  return { literals: new Map(), methods: new Map() };
}

function plant(root: Branch, route: RouteDefinition): void {
  let branch = root;
  for (const part of route.resourcePath.split("/").filter(Boolean)) branch = grow(branch, part);
  branch.methods.set(route.method, route);
}

function grow(branch: Branch, part: string): Branch {
  const [, name, plus] = /^\{([^}+]+)(\+?)\}$/.exec(part) ?? [];
  if (name === undefined) {
    const next = branch.literals.get(part) ?? makeBranch();
    branch.literals.set(part, next);
    return next;
  }
  const kind = plus ? "greedy" : "variable";
  branch[kind] ??= { name, branch: makeBranch() };
  return branch[kind].branch;
}

function climb(branch: Branch, segments: readonly string[]): Found | null {
  const [segment, ...rest] = segments;
  if (segment === undefined) return branch.methods.size > 0 ? { branch, values: [] } : null;
  const literal = branch.literals.get(segment);
  const straight = literal ? climb(literal, rest) : null;
  if (straight) return straight;
  if (branch.variable && segment !== "") {
    const found = climb(branch.variable.branch, rest);
    if (found) return { ...found, values: [[branch.variable.name, segment], ...found.values] };
  }
  if (!branch.greedy || segments.join("") === "") return null;
  return { branch: branch.greedy.branch, values: [[branch.greedy.name, segments.join("/")]] };
}
