/** The settings of a port, which other interfaces have, too. */

import { vrfName } from "../../../net/address/network-kinds.ts";
import { pool } from "../../../net/dhcp/pool-shape.ts";
import { ADDRESSED } from "../../../net/plane/addressed.ts";
import { flag, type Kind, text } from "../../../settings/kind.ts";
import { optional, type Shape, setting, unlessEmpty, unlessUsual } from "../../../settings/shape.ts";
import type { RouterPortSpec } from "../services/base/config.ts";
import { PORT_ACL_KEYS } from "../services/firewall/acl-spec.ts";
import { ospfPort } from "../services/ospf/port-settings.ts";
import { switchport } from "../services/switching/switchport.ts";
import { vrrp } from "../services/vrrp/settings.ts";

/** FRR's words: without `no`, router solicitations are not answered. */
export const SUPPRESS_RA = "ipv6 nd suppress-ra";

/** @param direction the word after the list at a console. */
const accessList = (direction: "in" | "out"): Kind<string> => ({
  ...text("ACL"),
  words: (name) => `${name} ${direction}`,
});
const listOf = (direction: "in" | "out") =>
  optional(accessList(direction), {
    about: `the access list of packets that go ${direction} there`,
    line: "access-group",
  });

export const PORT = {
  ...ADDRESSED,
  ipv4: { ...ADDRESSED.ipv4, line: "ip address" },
  ipv6: { ...ADDRESSED.ipv6, line: "ipv6 address" },
  dhcp: optional(pool, { about: "addresses for the hosts of the port" }),
  ra: setting(flag, true, { about: "whether the port answers router solicitations; only if it has IPv6" }),
  vrrp: unlessEmpty(vrrp, { about: "virtual routers" }),
  vrf: optional(vrfName, { about: "the table of routes; absent for the default one" }),
  shutdown: unlessUsual(flag, false, {
    about: "whether the port neither sends nor receives",
    isPresence: true,
  }),
  acl_in: listOf("in"),
  acl_out: listOf("out"),
  acl6_in: listOf("in"),
  acl6_out: listOf("out"),
  pbr_policy: optional(text("MAP"), {
    about: "the map of policy routing that decides the way of packets",
    name: "pbr",
    line: "pbr-policy",
  }),
  ospf: unlessEmpty(ospfPort, { about: "OSPF at the port, if the router has it" }),
} as const;

/** Ports of the hardware alone can be switched. */
export const PHYSICAL = {
  ...PORT,
  switchport: optional(switchport, { about: "present on a port that is switched with others" }),
} as const;

const BEFORE_LISTS = ["switchport", "mtu", "ipv4", "ipv6", "ra", "dhcp"];
/** In the order of the lines of a configuration. */
const LINES = [...BEFORE_LISTS, ...PORT_ACL_KEYS, "shutdown"];

/** The lines in the block of an interface; defaults are omitted. Its VRF stands in the first line of the block. */
export const portLines = ({ acls, ...port }: RouterPortSpec, defaultMtu: number): string[] => {
  const values: Readonly<Record<string, unknown>> = { ...port, ...acls };
  const shape: Shape = { ...PHYSICAL, mtu: { ...PORT.mtu, otherwise: defaultMtu } };
  return LINES.flatMap((key) => {
    if (key === "ra") return advertisementLines(port);
    const { kind, name = key, line = key, otherwise, isPresence } = shape[key]!;
    const value = values[name];
    if (value === undefined || value === otherwise) return [];
    return [`${line} ${isPresence ? "" : kind.words(value)}`.trimEnd()];
  });
};

/** FRR's default is not the router's, so an interface with IPv6 has the line always. */
function advertisementLines({ ipv6, ra }: RouterPortSpec): string[] {
  if (ra) return ipv6 === undefined ? [] : [`no ${SUPPRESS_RA}`];
  return [SUPPRESS_RA];
}
