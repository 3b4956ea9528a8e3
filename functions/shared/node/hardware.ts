/** A node's hardware: its properties and its ports. */
import type * as z from "zod/mini";
import { invalidAt } from "../edge/errors.ts";
import "../schemas/messages.ts";
import type { Port } from "../schemas/node.ts";

export type Properties = Record<string, unknown>;

/** A node's properties, defaults included, and the ports that they define. */
export interface Hardware {
  readonly properties: Properties;
  readonly ports: Port[];
  /** Settings of a router that only clients use; absent for other types. */
  readonly container?: Properties;
}

export const withoutNulls = (all: Properties): Properties =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));

/** Divides properties by their keys. */
export function split(all: Properties, isFirst: (key: string) => boolean): [Properties, Properties] {
  const [first = [], second = []] = [true, false].map((wanted) =>
    Object.entries(all).filter(([key]) => isFirst(key) === wanted),
  );
  return [Object.fromEntries(first), Object.fromEntries(second)];
}

export const ethernetPort = (name: string, index: number): Port => ({
  adapter_number: 0,
  data_link_types: { Ethernet: "DLT_EN10MB" },
  link_type: "ethernet",
  name,
  port_number: index,
  short_name: `e${index}`,
});

/** Where a request has them, for its errors. */
export const PROPERTIES = "body.properties";

/** @throws ApiError 400 that names the invalid values under `body.properties`. */
export function parse<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  path: readonly string[] = [],
): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidAt(
    PROPERTIES,
    result.error.issues.map((issue) => ({
      path: [...path, ...issue.path.map(String)],
      message: issue.message,
    })),
  );
}
