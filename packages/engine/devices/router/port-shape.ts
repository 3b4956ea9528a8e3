/** The settings of a port, which other interfaces have, too. */
import { flag, integer, type Kind, spelled, text } from "../../settings/kind.ts";
import {
  optional,
  type PropertiesOf,
  required,
  type Shape,
  type SpecOf,
  setting,
  unlessEmpty,
  unlessUsual,
} from "../../settings/shape.ts";
import { pool } from "./dhcp-pool-shape.ts";
import { PORT_ACL_KEYS, type PortAclKey, type PortAcls } from "./firewall/acl-spec.ts";
import { subnet4, subnet6, vrfName } from "./network-kinds.ts";
import { switchport } from "./switching/switchport.ts";
import { vrrp } from "./vrrp/settings.ts";

export const DEFAULT_MTU_BYTES = 1_500;
/** RFC 791: the packet size that every link must carry unfragmented. */
const MIN_MTU_BYTES = 68;
/** RFC 8200, section 5. */
export const MIN_IPV6_MTU_BYTES = 1_280;
const MAX_MTU_BYTES = 9_216;

const PORT_NAME = /^[a-z][a-z0-9/._-]{0,31}$/i;
const ownName = spelled(
  "a name of a port (letters, digits, / . _ -)",
  (name) => (PORT_NAME.test(name) ? name : null),
  { placeholder: "NAME" },
);

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
  name: required(ownName),
  ipv4: optional(subnet4, { about: "an address with prefix length", line: "ip" }),
  ipv6: optional(subnet6, { about: "the link-local address follows from the MAC", line: "ip" }),
  mtu: setting(integer(MIN_MTU_BYTES, MAX_MTU_BYTES), DEFAULT_MTU_BYTES, {
    about: "bytes of the largest IP packet, without the Ethernet header",
    name: "mtuBytes",
  }),
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
} as const;

/** Ports of the hardware alone can be switched. */
export const PHYSICAL = {
  ...PORT,
  switchport: optional(switchport, { about: "present on a port that is switched with others" }),
} as const;

type Flat = SpecOf<typeof PHYSICAL>;
/** As a router stores it. */
export type RouterPortSpec = Omit<Flat, PortAclKey> & {
  /** Absent if the port has none. */
  readonly acls?: PortAcls;
};
export type PortProperties = PropertiesOf<typeof PHYSICAL>;

const BEFORE_LISTS = ["switchport", "vrf", "mtu", "ipv4", "ipv6", "ra", "dhcp"];
/** In the order of the lines of a configuration. */
const LINES = [...BEFORE_LISTS, ...PORT_ACL_KEYS, "shutdown"];

/** The commands that configure a port; defaults are omitted. */
export const portLines = ({ acls, ...port }: RouterPortSpec, defaultMtu: number): string[] => {
  const values: Readonly<Record<string, unknown>> = { ...port, ...acls };
  const shape: Shape = { ...PHYSICAL, mtu: { ...PORT.mtu, otherwise: defaultMtu } };
  return LINES.flatMap((key) => {
    const { kind, name = key, line = key, otherwise, isPresence } = shape[key]!;
    const value = values[name];
    if (value === undefined || value === otherwise) return [];
    return [`${line} ${port.name} ${isPresence ? "" : kind.words(value)}`.trimEnd()];
  });
};
