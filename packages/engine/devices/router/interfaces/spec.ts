/**
 * Interfaces of a router beyond its physical ports. An interface has the settings of a port, and those of its type:
 *
 *     vlan      a subinterface: frames of a port with one 802.1Q tag, or with two (802.1ad outside)
 *     loopback  addresses of the router on no link
 *     gre       a tunnel to another router
 *     svi       a switched virtual interface: the router in a VLAN of its switched ports
 *     vxlan     a segment of Ethernet that other routers have, too
 */
import { greHeaderBytes } from "../../../wire/gre.ts";
import { IPV4_HEADER_BYTES } from "../../../wire/ipv4.ts";
import {
  formatVxlan,
  VXLAN_OVERHEAD_BYTES,
  type VxlanKind,
  type VxlanProperties,
} from "../vxlan/settings.ts";

export type InterfaceKind = VlanKind | LoopbackKind | GreKind | SviKind | VxlanKind;
export type InterfaceType = InterfaceKind["type"];

export interface VlanKind {
  readonly type: "vlan";
  readonly vlan: number;
  /** The outer tag, if frames have two. */
  readonly outerVlan?: number;
}

export interface LoopbackKind {
  readonly type: "loopback";
}

export interface GreKind {
  readonly type: "gre";
  /** Addresses of the outer packets: one of the router's own, and the other end. */
  readonly local: string;
  readonly remote: string;
  readonly key?: number;
  /** Time to live of the outer packets. */
  readonly ttl: number;
}

/** Its name says the VLAN. */
export interface SviKind {
  readonly type: "svi";
}

/** The settings of a type with the names of the API's `properties`. */
export interface KindProperties extends VxlanProperties {
  type?: string;
  vlan?: number;
  outer_vlan?: number;
  remote?: string;
  key?: number;
}

export const INTERFACE_TYPES = [
  "vlan",
  "loopback",
  "gre",
  "svi",
  "vxlan",
] as const satisfies readonly InterfaceType[];
export const MAX_INTERFACES = 256;
/** IEEE 802.1Q: 0 is a tag without a VLAN, 4095 is reserved. */
export const MAX_VLAN = 4_094;

export function formatKind(kind: InterfaceKind): KindProperties {
  if (kind.type === "loopback" || kind.type === "svi") return { type: kind.type };
  if (kind.type === "vxlan") return formatVxlan(kind);
  if (kind.type === "gre") {
    const { type, local, remote, key, ttl } = kind;
    return { type, local, remote, ...(key !== undefined && { key }), ttl };
  }
  const { type, vlan, outerVlan } = kind;
  return { type, vlan, ...(outerVlan !== undefined && { outer_vlan: outerVlan }) };
}

const ETHERNET_MTU_BYTES = 1_500;
export const DEFAULT_TUNNEL_TTL = 255;
export const MAX_TUNNEL_KEY = 0xffff_ffff;

/** That of a tunnel leaves room for the outer headers on Ethernet. */
export function defaultMtuOf(type: InterfaceType | null, hasKey: boolean): number {
  if (type === "vxlan") return ETHERNET_MTU_BYTES - VXLAN_OVERHEAD_BYTES;
  return type === "gre"
    ? ETHERNET_MTU_BYTES - IPV4_HEADER_BYTES - greHeaderBytes(hasKey ? 0 : undefined)
    : ETHERNET_MTU_BYTES;
}

/**
 * The index of the port that a subinterface is named for: `Ethernet0.10` is one of `Ethernet0`. Undefined if there is none.
 * @param ports null stands for an invalid name.
 */
export function portOfSubinterface(
  name: string,
  ports: readonly { readonly name: string | null }[],
): number | undefined {
  const own = name.toLowerCase();
  let found: number | undefined;
  for (const [index, port] of ports.entries()) {
    if (port.name === null || !own.startsWith(`${port.name.toLowerCase()}.`)) continue;
    if (port.name.length > (found === undefined ? 0 : ports[found]!.name!.length)) found = index;
  }
  return found;
}
