/** Reads a server: the file's `ip`, `gateway` and `http` are short forms of its properties. */
import { macOf } from "@wirelab/engine/devices/node-kind";
import { parseServerProperties } from "@wirelab/engine/devices/server/index";
import { serverKind } from "@wirelab/engine/devices/server/kind";
import { checkShape } from "../file/check-shape.ts";
import type { Path, Problems } from "../file/problem.ts";
import { nodeSchemas } from "../file/schema.ts";
import type { NodeModel } from "../model/lab-model.ts";

type Made = Omit<NodeModel, "name" | "place">;

export function makeServer(
  name: string,
  value: object,
  index: number,
  path: Path,
  problems: Problems,
): Made | undefined {
  const given = checkShape(nodeSchemas.server, value, path, problems);
  if (given === undefined) return undefined;
  const parsed = parseServerProperties(serverPropertiesOf(given));
  if (!parsed.ok) {
    for (const { path: at, message } of parsed.problems)
      problems.add([...path, ...inFile(at)], `${message}.`.replace(/\.\.$/, "."));
    return undefined;
  }
  const { ipv4, ipv6 } = parsed.config;
  return {
    spec: { type: "server", name, mac: macOf(serverKind.macs, index), ...parsed.config },
    ports: ["Ethernet0"],
    isStarted: given.started ?? true,
    addresses: [ipv4, ipv6].flatMap((prefix) => (prefix ? [prefix.split("/")[0]!] : [])),
  };
}

/** The properties of the service for a server of a lab file. */
export function serverPropertiesOf(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { type: _type, started: _started, ip, gateway, http, ...others } = given;
  const isFiles = typeof http === "object" && http !== null && !("files" in http || "port" in http);
  return {
    ...byFamily(listOf(ip as string | string[] | undefined), "ipv4", "ipv6"),
    ...byFamily(listOf(gateway as string | string[] | undefined), "gateway", "gateway6"),
    ...(http !== undefined && { http: isFiles ? { files: http } : http }),
    ...others,
  };
}

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

const byFamily = (texts: readonly string[], key4: string, key6: string): Record<string, string> =>
  Object.fromEntries(texts.map((text) => [text.includes(":") ? key6 : key4, text]));

const FILE_KEYS: Readonly<Record<string, string>> = {
  ipv4: "ip",
  ipv6: "ip",
  gateway: "gateway",
  gateway6: "gateway",
};

/** The place in the file of a property. */
const inFile = ([first, ...rest]: Path): Path => [FILE_KEYS[first as string] ?? (first as string), ...rest];
