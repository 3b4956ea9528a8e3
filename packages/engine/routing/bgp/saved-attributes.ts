/** Attributes as plain JSON data. Equal ones are stored once for all routes of a process. */
import { fromHex, toHex } from "../../base/bytes.ts";
import { LOCAL_ATTRIBUTES } from "../../wire/bgp-attributes.ts";
import type { RouteAttributes } from "./attributes.ts";

export type AttributeTable = Map<RouteAttributes, number>;

/** Values that a route of the router itself has are left out. */
export type SavedAttributes = Partial<Omit<RouteAttributes, "unknown">> & {
  readonly nextHop: number;
  readonly unknown?: readonly (readonly [flags: number, type: number, value: string])[];
};

export const writeAttributeTable = (table: AttributeTable): SavedAttributes[] =>
  [...table.keys()].map(({ unknown, ...attributes }) => ({
    ...(Object.fromEntries(
      Object.entries(attributes).filter(([name, value]) => !isUsual(name, value)),
    ) as Partial<Omit<RouteAttributes, "unknown">>),
    nextHop: attributes.nextHop,
    ...(unknown.length > 0 && {
      unknown: unknown.map(({ flags, type, value }) => [flags, type, toHex(value)] as const),
    }),
  }));

const isUsual = (name: string, value: unknown): boolean => {
  const usual = new Map<string, unknown>(Object.entries(LOCAL_ATTRIBUTES)).get(name);
  return value === usual || (Array.isArray(value) && value.length === 0);
};

export const readAttributeTable = (saved: readonly SavedAttributes[]): RouteAttributes[] =>
  saved.map(({ unknown = [], ...attributes }) => ({
    ...LOCAL_ATTRIBUTES,
    ...attributes,
    unknown: unknown.map(([flags, type, value]) => ({ flags, type, value: fromHex(value) })),
  }));
