/**
 * Interfaces of a router beyond its physical ports. An interface has the settings of a port, and those of its type:
 *
 *     vlan      a subinterface: frames of a port with one 802.1Q tag, or with two (802.1ad outside)
 *     loopback  addresses of the router on no link
 *     gre       a tunnel to another router
 *     svi       a switched virtual interface: the router in a VLAN of its switched ports
 *     vxlan     a segment of Ethernet that other routers have, too
 */

import { vlanId } from "../../../../net/address/network-kinds.ts";
import type { InterfaceType } from "../../../../net/plane/config.ts";
import { ipv4 } from "../../../../settings/addresses.ts";
import { choice, integer } from "../../../../settings/kind.ts";
import { optional, type PropertiesOf, required, setting } from "../../../../settings/shape.ts";
import { greHeaderBytes } from "../../../../wire/gre.ts";
import { IPV4_HEADER_BYTES } from "../../../../wire/ipv4.ts";
import { VXLAN, VXLAN_OVERHEAD_BYTES } from "../../services/vxlan/settings.ts";

const DEFAULT_TUNNEL_TTL = 255;
const MAX_TUNNEL_KEY = 0xffff_ffff;

const VLAN = {
  vlan: required(vlanId, { about: "the tag of its frames" }),
  outer_vlan: optional(vlanId, {
    about: "the outer tag, if frames have two",
    name: "outerVlan",
    line: "outer",
  }),
} as const;

const GRE = {
  local: required(
    { ...ipv4, placeholder: "LOCAL" },
    { about: "the address of the outer packets: one of the router's own" },
  ),
  remote: required({ ...ipv4, placeholder: "REMOTE" }, { about: "the other end" }),
  key: optional(integer(0, MAX_TUNNEL_KEY)),
  ttl: setting(integer(1, 255), DEFAULT_TUNNEL_TTL, { about: "time to live of the outer packets" }),
} as const;

/** The settings of each type. The name of a switched virtual interface says its VLAN. */
export const KINDS = { vlan: VLAN, loopback: {}, gre: GRE, svi: {}, vxlan: VXLAN } as const;

declare module "../../services/base/config.ts" {
  interface InterfaceProperties
    extends PropertiesOf<typeof VLAN>,
      PropertiesOf<typeof GRE>,
      PropertiesOf<typeof VXLAN> {}
}

export const INTERFACE_TYPES = Object.keys(KINDS) as InterfaceType[];
export const TYPE = setting(choice(...INTERFACE_TYPES), "vlan");
export const KIND_KEYS = [...new Set(Object.values(KINDS).flatMap((kind) => Object.keys(kind)))];
export const MAX_INTERFACES = 256;

const ETHERNET_MTU_BYTES = 1_500;
/** That of a tunnel leaves room for the outer headers on Ethernet. */
export function defaultMtuOf(type: InterfaceType | undefined, hasKey: boolean): number {
  if (type === "vxlan") return ETHERNET_MTU_BYTES - VXLAN_OVERHEAD_BYTES;
  return type === "gre"
    ? ETHERNET_MTU_BYTES - IPV4_HEADER_BYTES - greHeaderBytes(hasKey ? 0 : undefined)
    : ETHERNET_MTU_BYTES;
}
