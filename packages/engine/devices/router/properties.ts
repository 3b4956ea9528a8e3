/**
 * Parses a router's `properties` from the API by hand, because the engine imports no schema library:
 *
 *     { "ports": [ { "name", "ipv4", "ipv6", "mtu", "dhcp": { "first", "last", "lease_seconds", "dns", "domain" }, "ra", "vrrp", "shutdown", "switchport" } ],
 *       "interfaces": [ the keys of a port, and { "type", "vlan", "outer_vlan", "local", "remote", "key", "ttl", or those of vxlan/settings.ts } ],
 *       and the settings of service-settings.ts }
 *
 * This file checks the shape of each value, then `property-rules.ts` the rules between them, which ignore values that
 * are already invalid. Every problem is reported.
 */
import { type Path, type Problem, PropertyReader } from "../../settings/property-reader.ts";
import {
  DEFAULT_MTU_BYTES,
  DEFAULT_PORTS,
  defaultPortName,
  MAX_MTU_BYTES,
  MAX_PORTS,
  MIN_MTU_BYTES,
  type RouterConfig,
  type RouterPortSpec,
} from "./config.ts";
import { pool } from "./dhcp-pool-shape.ts";
import { PORT_ACL_KEYS, type PortAcls } from "./firewall/acl-spec.ts";
import { readInterfaces, toKind } from "./interfaces/read.ts";
import { checkInterfaces } from "./interfaces/rules.ts";
import { vrfName } from "./port-kind.ts";
import { formatPrefix4, formatPrefix6, parsePrefix4, parsePrefix6 } from "./prefix.ts";
import type { PortDraft } from "./property-drafts.ts";
import { checkRules } from "./property-rules.ts";
import { readServices, SERVICE_KEYS } from "./service-settings.ts";
import { checkSwitchedPorts } from "./switching/rules.ts";
import { readSwitchport } from "./switching/switchport.ts";
import { checkVrrpTracks, readVrrp } from "./vrrp/settings.ts";

export type ParsedProperties =
  | { readonly ok: true; readonly config: RouterConfig }
  | { readonly ok: false; readonly problems: Problem[] };

const PORT_NAME = /^[a-z][a-z0-9/._-]{0,31}$/i;
const matching =
  (pattern: RegExp) =>
  (text: string): string | null =>
    pattern.test(text) ? text : null;

/** @param input JSON data; undefined and `{}` give the default router, with four ports without addresses. */
export function parseRouterProperties(input: unknown): ParsedProperties {
  const reader = new PropertyReader();
  const root = reader.object(input === undefined ? {} : input, [], ["ports", "interfaces", ...SERVICE_KEYS]);
  if (root === null) return { ok: false, problems: reader.problems };
  const ports = readPorts(reader, root.ports);
  const interfaces = readInterfaces(reader, root.interfaces, (value, path, own, defaultMtu) =>
    readPort(reader, value, path, undefined, own, defaultMtu),
  );
  checkRules(ports, interfaces, reader);
  checkSwitchedPorts(ports ?? [], reader);
  checkInterfaces(interfaces, ports, reader);
  checkVrrpTracks(ports ?? [], interfaces, reader);
  const services = readServices(reader, root, ports && [...ports, ...interfaces]);
  if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
  return {
    ok: true,
    config: {
      ports: (ports ?? []).map(toPort),
      ...(interfaces.length > 0 && {
        interfaces: interfaces.map((each) => ({ ...toPort(each), ...toKind(each) })),
      }),
      ...services,
    },
  };
}

/** Null if the list itself is invalid: the rules then skip the check that a gateway is on a subnet. */
function readPorts(reader: PropertyReader, value: unknown): PortDraft[] | null {
  const given = value === undefined ? new Array<object>(DEFAULT_PORTS).fill({}) : value;
  const ports = reader.array(given, ["ports"], 1, MAX_PORTS);
  return ports && Array.from(ports, (port, index) => readPhysicalPort(reader, port, index));
}

function readPhysicalPort(reader: PropertyReader, value: unknown, index: number): PortDraft {
  const path = ["ports", index];
  const port = readPort(reader, value, path, defaultPortName(index), ["switchport"]);
  const { switchport } = (value ?? {}) as { readonly switchport?: unknown };
  return { ...port, switchport: readSwitchport(reader, switchport, [...path, "switchport"]) };
}

const PORT_KEYS = [
  "name",
  "ipv4",
  "ipv6",
  "mtu",
  "dhcp",
  "ra",
  "vrrp",
  "vrf",
  "shutdown",
  ...PORT_ACL_KEYS,
  "pbr_policy",
];
/** A port with every value invalid, so that no rule checks it. */
const WRONG_PORT: PortDraft = {
  name: null,
  ipv4: null,
  ipv6: null,
  mtuBytes: null,
  dhcp: null,
  ra: null,
  shutdown: null,
};

/** @param defaultName undefined if a name is required. @param further keys that the caller reads. */
function readPort(
  reader: PropertyReader,
  value: unknown,
  path: Path,
  defaultName: string | undefined,
  further: readonly string[] = [],
  defaultMtu = DEFAULT_MTU_BYTES,
): PortDraft {
  const port = reader.object(value, path, [...PORT_KEYS, ...further]);
  if (port === null) return WRONG_PORT;
  const at = (key: string): Path => [...path, key];
  const { name = defaultName, mtu = defaultMtu, ra = true, shutdown = false } = port;
  const addresses = {
    ipv4: reader.optional(port.ipv4, (text) =>
      reader.parsed(text, at("ipv4"), parsePrefix4, "an IPv4 address with prefix length (10.0.1.1/24)"),
    ),
    ipv6: reader.optional(port.ipv6, (text) =>
      reader.parsed(text, at("ipv6"), parsePrefix6, "an IPv6 address with prefix length (2001:db8::1/64)"),
    ),
  };
  return {
    name: reader.parsed(name, at("name"), matching(PORT_NAME), "a name of a port (letters, digits, / . _ -)"),
    ...addresses,
    mtuBytes: reader.integer(mtu, at("mtu"), MIN_MTU_BYTES, MAX_MTU_BYTES),
    dhcp: reader.optional(port.dhcp, (value) => pool.read(reader, value, at("dhcp"), undefined)),
    ra: reader.boolean(ra, at("ra")),
    shutdown: reader.boolean(shutdown, at("shutdown")),
    vrrp: reader.optional(port.vrrp, (vrrp) => readVrrp(reader, vrrp, at("vrrp"), addresses)),
    vrf: reader.optional(port.vrf, (vrf) => vrfName.read(reader, vrf, at("vrf"), undefined)),
    acls: readPortAcls(reader, port, path),
    pbr: reader.optional(port.pbr_policy, (name) => reader.text(name, at("pbr_policy"))),
  };
}

/** The names that a port gives; undefined if it has none. */
function readPortAcls(
  reader: PropertyReader,
  port: Readonly<Record<string, unknown>>,
  path: Path,
): PortAcls | undefined {
  const names: Record<string, string> = {};
  for (const key of PORT_ACL_KEYS) {
    const name = reader.optional(port[key], (value) => reader.text(value, [...path, key]));
    if (typeof name === "string") names[key] = name;
  }
  return Object.keys(names).length === 0 ? undefined : names;
}

/** Converts a draft without problems: nothing in it is null. */
function toPort({
  name,
  ipv4,
  ipv6,
  mtuBytes,
  dhcp,
  ra,
  vrrp,
  vrf,
  shutdown,
  acls,
  switchport,
  pbr,
}: PortDraft): RouterPortSpec {
  return {
    name: name!,
    ...(ipv4 && { ipv4: formatPrefix4(ipv4) }),
    ...(ipv6 && { ipv6: formatPrefix6(ipv6) }),
    mtuBytes: mtuBytes!,
    ...(dhcp && { dhcp }),
    ra: ra!,
    ...(vrrp && vrrp.length > 0 && { vrrp }),
    ...(vrf && { vrf }),
    ...(shutdown && { shutdown }),
    ...(acls && { acls }),
    ...(switchport && { switchport }),
    ...(pbr != null && { pbr }),
  };
}
