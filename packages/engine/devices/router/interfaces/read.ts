/** Reads `properties.interfaces`: the shape of each value. */

import type { Path, PropertyReader } from "../../../settings/property-reader.ts";
import { formatIpv4, parseIpv4 } from "../../../wire/ipv4-address.ts";
import type { PortDraft } from "../property-drafts.ts";
import { readVxlan, toVxlan, VXLAN_KEYS, type VxlanDraft } from "../vxlan/settings.ts";
import {
  DEFAULT_TUNNEL_TTL,
  defaultMtuOf,
  INTERFACE_TYPES,
  type InterfaceKind,
  type InterfaceType,
  MAX_INTERFACES,
  MAX_TUNNEL_KEY,
  MAX_VLAN,
} from "./spec.ts";

/** Null stands for an invalid value, undefined for an absent one. */
export interface KindDraft extends VxlanDraft {
  readonly type: InterfaceType | null;
  readonly vlan?: number | null | undefined;
  readonly outerVlan?: number | null | undefined;
  readonly remote?: number | null | undefined;
  readonly key?: number | null | undefined;
}

export type InterfaceDraft = PortDraft & KindDraft;

/** Reads the settings that an interface shares with a port. @param own the keys of its type. */
type ReadPort = (value: unknown, path: Path, own: readonly string[], defaultMtu: number) => PortDraft;
type Values = Readonly<Record<string, unknown>>;

const KEYS: Readonly<Record<InterfaceType, readonly string[]>> = {
  vlan: ["vlan", "outer_vlan"],
  loopback: [],
  gre: ["local", "remote", "key", "ttl"],
  svi: [],
  vxlan: VXLAN_KEYS,
};
const ALL_KEYS = [...new Set(Object.values(KEYS).flat())];

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
    const defaultMtu = defaultMtuOf(type, values.key !== undefined);
    return { ...readPort(each, path, own, defaultMtu), ...readKind(reader, type, values, path) };
  });
}

function readType(reader: PropertyReader, value: unknown, path: Path): InterfaceType | null {
  const known = INTERFACE_TYPES.find((type) => type === (value ?? "vlan"));
  return known ?? reader.add(path, `must be ${INTERFACE_TYPES.join(", ")}`);
}

function readKind(reader: PropertyReader, type: InterfaceType | null, values: Values, path: Path): KindDraft {
  if (type === "gre") return readGre(reader, values, path);
  if (type === "vxlan") return { type, ...readVxlan(reader, values, path) };
  if (type !== "vlan") return { type };
  const vlan = (value: unknown, key: string): number | null =>
    reader.integer(value, [...path, key], 1, MAX_VLAN);
  return {
    type,
    vlan: vlan(values.vlan, "vlan"),
    outerVlan: reader.optional(values.outer_vlan, (outer) => vlan(outer, "outer_vlan")),
  };
}

function readGre(reader: PropertyReader, { local, remote, key, ttl }: Values, path: Path): KindDraft {
  const address = (value: unknown, name: string): number | null =>
    reader.parsed(value, [...path, name], parseIpv4, "an IPv4 address");
  return {
    type: "gre",
    local: address(local, "local"),
    remote: address(remote, "remote"),
    key: reader.optional(key, (number) => reader.integer(number, [...path, "key"], 0, MAX_TUNNEL_KEY)),
    ttl: reader.integer(ttl ?? DEFAULT_TUNNEL_TTL, [...path, "ttl"], 1, 255),
  };
}

/** Converts a draft without problems. */
export function toKind(draft: InterfaceDraft): InterfaceKind {
  const { type, vlan, outerVlan, local, remote, key, ttl } = draft;
  if (type === "loopback" || type === "svi") return { type };
  if (type === "vxlan") return toVxlan(draft);
  if (type === "gre") {
    const ends = { local: formatIpv4(local!), remote: formatIpv4(remote!) };
    return { type, ...ends, ...(key != null && { key }), ttl: ttl! };
  }
  return { type: "vlan", vlan: vlan!, ...(outerVlan && { outerVlan }) };
}
