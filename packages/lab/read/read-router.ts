/** Reads a router: addresses alone are ports, `routes` may be a map by destination, and `config` the name of a file. */
import { checkShape } from "../file/check-shape.ts";
import type { Path, Problems } from "../file/problem.ts";
import { nodeSchemas } from "../file/schema.ts";
import type { ReadForm } from "./node-form.ts";
import type { LoadFile } from "./read-replay.ts";

export const readRouter: ReadForm = (value, { expansion, load }, path, problems) => {
  const given = checkShape(nodeSchemas.router, value, path, problems);
  if (given === undefined) return undefined;
  const { type: _, started = true, ports, routes, config, ...others } = given;
  if (!expansion.take("ports", ports?.length ?? 0, path)) return undefined;
  const listed = Array.isArray(routes) || routes === undefined ? routes : byDestination(routes);
  const keys = Array.isArray(routes) ? undefined : listed?.map(({ to }) => String(to));
  const text = config === undefined ? undefined : readText(config, load, [...path, "config"], problems);
  if (text === null) return undefined;
  return {
    properties: {
      ...others,
      ...(text && { config: text.text }),
      ...(ports && { ports: ports.map((port) => (typeof port === "string" ? addressed(port) : port)) }),
      ...(listed && { routes: listed }),
    },
    isStarted: started,
    placeOf: (at) => placed(at, keys),
    ...(text?.file !== undefined && { file: text.file }),
  };
};

interface ConfigurationText {
  readonly text: string;
  /** Undefined for a text in the lab file. */
  readonly file?: string;
}

/** A single word is no configuration, but the name of a file. @returns null after it has added a problem. */
function readText(
  given: string | { readonly from: string },
  load: LoadFile,
  path: Path,
  problems: Problems,
): ConfigurationText | null {
  if (typeof given === "string" && /\s/.test(given.trim())) return { text: given };
  const file = typeof given === "string" ? given.trim() : given.from;
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(load(file)), file };
  } catch (error) {
    problems.add(path, `cannot be read: ${(error as Error).message}.`);
    return null;
  }
}

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
