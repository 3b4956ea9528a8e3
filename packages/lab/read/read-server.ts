/** Reads a server: the file's `ip`, `gateway` and `http` are short forms of its properties. */
import { checkShape } from "../file/check-shape.ts";
import type { Path } from "../file/problem.ts";
import { nodeSchemas } from "../file/schema.ts";
import { listOf, type ReadForm } from "./node-form.ts";

export const readServer: ReadForm = (value, _context, path, problems) => {
  const given = checkShape(nodeSchemas.server, value, path, problems);
  if (given === undefined) return undefined;
  const { type: _type, started = true, ip, gateway, http, ...others } = given;
  const isFiles = typeof http === "object" && http !== null && !("files" in http || "port" in http);
  return {
    properties: {
      ...byFamily(listOf(ip), "ipv4", "ipv6"),
      ...byFamily(listOf(gateway), "gateway", "gateway6"),
      ...(http !== undefined && { http: isFiles ? { files: http } : http }),
      ...others,
    },
    isStarted: started,
    placeOf: inFile,
  };
};

const byFamily = (texts: readonly string[], key4: string, key6: string): Record<string, string> =>
  Object.fromEntries(texts.map((text) => [text.includes(":") ? key6 : key4, text]));

const FILE_KEYS: Readonly<Record<string, string>> = { ipv4: "ip", ipv6: "ip", gateway6: "gateway" };

/** The place in the file of a property. */
const inFile = ([first, ...rest]: Path): Path => [FILE_KEYS[first as string] ?? (first as string), ...rest];
