/** Reads a router: addresses alone are ports, and `routes` may be a map by destination. */
import { checkShape } from "../file/check-shape.ts";
import type { Path } from "../file/problem.ts";
import { nodeSchemas } from "../file/schema.ts";
import type { ReadForm } from "./node-form.ts";

export const readRouter: ReadForm = (value, { expansion }, path, problems) => {
  const given = checkShape(nodeSchemas.router, value, path, problems);
  if (given === undefined) return undefined;
  const { type: _, started = true, ports, routes, ...others } = given;
  if (!expansion.take("ports", ports?.length ?? 0, path)) return undefined;
  const listed = Array.isArray(routes) || routes === undefined ? routes : byDestination(routes);
  const keys = Array.isArray(routes) ? undefined : listed?.map(({ to }) => String(to));
  return {
    properties: {
      ...others,
      ...(ports && { ports: ports.map((port) => (typeof port === "string" ? addressed(port) : port)) }),
      ...(listed && { routes: listed }),
    },
    isStarted: started,
    placeOf: (at) => placed(at, keys),
  };
};

const addressed = (prefix: string): object => (prefix.includes(":") ? { ipv6: prefix } : { ipv4: prefix });

const byDestination = (
  routes: Readonly<Record<string, string | readonly string[]>>,
): readonly Readonly<Record<string, unknown>>[] =>
  Object.entries(routes).flatMap(([to, vias]) => [vias].flat().map((via) => ({ to, via })));

/** Routes that were given by destination have no index in the file. */
const placed = (path: Path, keys: readonly string[] | undefined): Path =>
  path[0] === "routes" && typeof path[1] === "number" && keys?.[path[1]] !== undefined
    ? ["routes", keys[path[1]]!]
    : path;
