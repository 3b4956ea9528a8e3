/**
 * Parses a router's `properties` from the API by hand, because the engine imports no schema library:
 *
 *     { "ports": [ { "name", "ipv4", "ipv6", "mtu", "dhcp": { "first", "last", "lease_seconds", "dns", "domain" }, "ra", "vrrp", "shutdown", "switchport" } ],
 *       "interfaces": [ the keys of a port, and { "type", "vlan", "outer_vlan", "local", "remote", "key", "ttl", or those of vxlan/settings.ts } ],
 *       "routes": [ { "to", "via", "distance", "track" } ], and the services of service-settings.ts }
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
  MAX_ROUTES,
  MIN_MTU_BYTES,
  type RouterConfig,
  type RouterPortSpec,
} from "./config.ts";
import { pool } from "./dhcp-pool-shape.ts";
import { PORT_ACL_KEYS } from "./firewall/acl-spec.ts";
import { FIREWALL_KEYS } from "./firewall/firewall-spec.ts";
import { readPortAcls } from "./firewall/parse-acls.ts";
import { readFirewall } from "./firewall/parse-firewall.ts";
import { readInterfaces, toKind } from "./interfaces/read.ts";
import { checkInterfaces } from "./interfaces/rules.ts";
import { readPolicy } from "./policy/read-policy.ts";
import {
  formatAnyAddress,
  formatAnyPrefix,
  formatPrefix4,
  formatPrefix6,
  parseAnyAddress,
  parseAnyPrefix,
  parsePrefix4,
  parsePrefix6,
} from "./prefix.ts";
import type { PortDraft, RouteDraft } from "./property-drafts.ts";
import { checkRules } from "./property-rules.ts";
import { DEFAULT_DISTANCE, MAX_DISTANCE, parseVia, type RouterRouteSpec } from "./routes/route-spec.ts";
import { readServices, SERVICE_KEYS } from "./service-settings.ts";
import { checkSwitchedPorts } from "./switching/rules.ts";
import { readSwitchport } from "./switching/switchport.ts";
import { checkVrrpTracks, readVrrp } from "./vrrp/settings.ts";

export type ParsedProperties =
  | { readonly ok: true; readonly config: RouterConfig }
  | { readonly ok: false; readonly problems: Problem[] };

/** As the names of interfaces in Linux, where a VRF is one. */
const VRF_NAME = /^[a-z][a-z0-9._-]{0,14}$/i;
const PORT_NAME = /^[a-z][a-z0-9/._-]{0,31}$/i;
const matching =
  (pattern: RegExp) =>
  (text: string): string | null =>
    pattern.test(text) ? text : null;

/** @param input JSON data; undefined and `{}` give the default router, with four ports without addresses. */
export function parseRouterProperties(input: unknown): ParsedProperties {
  const reader = new PropertyReader();
  const root = reader.object(
    input === undefined ? {} : input,
    [],
    ["ports", "interfaces", "routes", ...SERVICE_KEYS, ...FIREWALL_KEYS, "pbr_maps"],
  );
  if (root === null) return { ok: false, problems: reader.problems };
  const ports = readPorts(reader, root.ports);
  const routes = readRoutes(reader, root.routes);
  const interfaces = readInterfaces(reader, root.interfaces, (value, path, own, defaultMtu) =>
    readPort(reader, value, path, undefined, own, defaultMtu),
  );
  checkRules(ports, interfaces, routes, reader);
  checkSwitchedPorts(ports ?? [], reader);
  checkInterfaces(interfaces, ports, reader);
  checkVrrpTracks(ports ?? [], interfaces, reader);
  const services = readServices(reader, root, ports && [...ports, ...interfaces]);
  const firewall = readFirewall(reader, root, ports ?? [], interfaces);
  const policy = readPolicy(reader, root.pbr_maps, ports, interfaces);
  if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
  return {
    ok: true,
    config: {
      ports: (ports ?? []).map(toPort),
      ...(interfaces.length > 0 && {
        interfaces: interfaces.map((each) => ({ ...toPort(each), ...toKind(each) })),
      }),
      routes: routes.map(toRoute),
      ...services,
      ...firewall,
      ...policy,
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
    vrf: reader.optional(port.vrf, (vrf) => readVrf(reader, vrf, at("vrf"))),
    acls: readPortAcls(reader, port, path),
    pbr: reader.optional(port.pbr_policy, (name) => reader.text(name, at("pbr_policy"))),
  };
}

const readVrf = (reader: PropertyReader, value: unknown, path: Path): string | null =>
  reader.parsed(value, path, matching(VRF_NAME), "a name of up to 15 letters, digits, . _ -");

function readRoutes(reader: PropertyReader, value: unknown): RouteDraft[] {
  const routes = value === undefined ? [] : reader.array(value, ["routes"], 0, MAX_ROUTES);
  return Array.from(routes ?? [], (route, index) => readRoute(reader, route, ["routes", index]));
}

function readRoute(reader: PropertyReader, value: unknown, path: Path): RouteDraft {
  const route = reader.object(value, path, ["to", "via", "distance", "track", "vrf"]);
  if (route === null) return { to: null, via: null };
  return {
    to: reader.parsed(route.to, [...path, "to"], parseAnyPrefix, "a prefix (10.9.0.0/16 or 2001:db8::/32)"),
    via: reader.parsed(
      route.via,
      [...path, "via"],
      parseVia,
      "an IPv4 or IPv6 address, blackhole or unreachable",
    ),
    distance: reader.optional(route.distance, (distance) =>
      reader.integer(distance, [...path, "distance"], 1, MAX_DISTANCE),
    ),
    track: reader.optional(route.track, (target) =>
      reader.parsed(target, [...path, "track"], parseAnyAddress, "an IPv4 or IPv6 address"),
    ),
    vrf: reader.optional(route.vrf, (vrf) => readVrf(reader, vrf, [...path, "vrf"])),
  };
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

const toRoute = ({ to, via, distance, track, vrf }: RouteDraft): RouterRouteSpec => ({
  to: formatAnyPrefix(to!),
  via: typeof via === "string" ? via : formatAnyAddress(via!),
  ...(distance && distance !== DEFAULT_DISTANCE && { distance }),
  ...(track && { track: formatAnyAddress(track) }),
  ...(vrf && { vrf }),
});
