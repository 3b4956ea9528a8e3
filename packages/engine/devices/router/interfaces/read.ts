/** Reads `properties.interfaces`: the shape of each value. */
import type { Path, PropertyReader } from "../../property-reader.ts";
import type { PortDraft } from "../property-drafts.ts";
import { INTERFACE_TYPES, type InterfaceKind, type InterfaceType, MAX_INTERFACES, MAX_VLAN } from "./spec.ts";

/** Null stands for an invalid value, undefined for an absent one. */
export interface KindDraft {
  readonly type: InterfaceType | null;
  readonly vlan?: number | null | undefined;
  readonly outerVlan?: number | null | undefined;
}

export type InterfaceDraft = PortDraft & KindDraft;

/** Reads the settings that an interface shares with a port. @param own the keys of its type. */
type ReadPort = (value: unknown, path: Path, own: readonly string[]) => PortDraft;
type Values = Readonly<Record<string, unknown>>;

const KEYS: Readonly<Record<InterfaceType, readonly string[]>> = {
  vlan: ["vlan", "outer_vlan"],
  loopback: [],
};
const ALL_KEYS = Object.values(KEYS).flat();

export function readInterfaces(
  reader: PropertyReader,
  value: unknown,
  readPort: ReadPort,
): readonly InterfaceDraft[] {
  const interfaces = value === undefined ? [] : reader.array(value, ["interfaces"], 0, MAX_INTERFACES);
  return Array.from(interfaces ?? [], (each, index) => {
    const path = ["interfaces", index];
    const values = typeof each === "object" && each !== null ? (each as Values) : {};
    const type = readType(reader, values.type, [...path, "type"]);
    const own = ["type", ...(type === null ? ALL_KEYS : KEYS[type])];
    return { ...readPort(each, path, own), ...readKind(reader, type, values, path) };
  });
}

function readType(reader: PropertyReader, value: unknown, path: Path): InterfaceType | null {
  const known = INTERFACE_TYPES.find((type) => type === (value ?? "vlan"));
  return known ?? reader.add(path, `must be ${INTERFACE_TYPES.join(", ")}`);
}

function readKind(reader: PropertyReader, type: InterfaceType | null, values: Values, path: Path): KindDraft {
  if (type !== "vlan") return { type };
  const vlan = (value: unknown, key: string): number | null =>
    reader.integer(value, [...path, key], 1, MAX_VLAN);
  return {
    type,
    vlan: vlan(values.vlan, "vlan"),
    outerVlan: reader.optional(values.outer_vlan, (outer) => vlan(outer, "outer_vlan")),
  };
}

/** Converts a draft without problems. */
export function toKind({ type, vlan, outerVlan }: InterfaceDraft): InterfaceKind {
  if (type === "loopback") return { type };
  return { type: "vlan", vlan: vlan!, ...(outerVlan && { outerVlan }) };
}
