/** Reads the path of a command's probes: a target, optionally with its port, and a source. */
import { BROADCAST_IPV4, isHostAddress } from "../../wire/ipv4-address.ts";
import { isLinkLocal, isMulticastIpv6 } from "../../wire/ipv6-address.ts";
import { isLinkLocal4 } from "../address/ipv4-address-kinds.ts";
import { formatAnyAddress, parseAnyAddress } from "../address/prefix.ts";
import { findPort, noSuchPort } from "../plane/find-port.ts";
import { type RouterPort, type Tables, type Vrf, vrfOf } from "../plane/tables.ts";

export interface ProbePath {
  readonly target: number | bigint;
  /** If undefined, probes use the address of the sending port. */
  readonly source: number | bigint | undefined;
  /** The port of a target that is ambiguous without one; undefined for targets with a route. */
  readonly port: RouterPort | undefined;
  /** The table of routes to the target; undefined for the default one. */
  readonly vrf: string | undefined;
  /** Whether several hosts may reply. */
  readonly isGroup: boolean;
}

/** Options that `readProbePath` reads: the port of the target, the source, and the VRF. */
export const PORT_OPTION = "-I";
export const SOURCE_OPTION = "-S";
/** The VRF of a target. */
export const VRF_OPTION = "-V";

/**
 * @param text an address, or `ADDR%PORT`.
 * @returns the path, or an error as text.
 */
export function readProbePath(
  text: string,
  words: Readonly<Record<string, string>>,
  tables: Tables,
): ProbePath | string {
  const [address = "", zone] = text.split("%", 2);
  const target = parseAnyAddress(address);
  if (target === null) return `${address} is not an IPv4 or IPv6 address`;
  const vrf = words[VRF_OPTION];
  if (vrf !== undefined && !tables.vrfs.has(vrf)) return `there is no VRF ${vrf}: show vrf lists them`;
  const scope = scopeOf(target, { ...tables, ports: tables.ports.filter((each) => each.vrf === vrf) });
  if (scope === undefined) return `${address} cannot be probed: no host has this address`;
  const port = readPort(target, scope, words[PORT_OPTION] ?? zone, tables);
  if (typeof port === "string") return port;
  const source = readSource(target, words[SOURCE_OPTION], port, vrfOf(tables, port?.vrf ?? vrf));
  if (typeof source === "string") return source;
  return { target, source, port, vrf: port?.vrf ?? vrf, isGroup: scope === "group" || scope === "subnet" };
}

/** `host` has a route, `link` is one host of a link, `group` several hosts of a link, `subnet` the hosts of a connected subnet. */
type Scope = "host" | "link" | "group" | "subnet";

function scopeOf(target: number | bigint, { ports }: Tables): Scope | undefined {
  if (typeof target === "bigint") {
    if (isMulticastIpv6(target)) return "group";
    if (isLinkLocal(target)) return "link";
    return target > 1n ? "host" : undefined;
  }
  if (target === BROADCAST_IPV4) return "group";
  if (ports.some(({ ipv4 }) => ipv4?.broadcast === target)) return "subnet";
  if (isLinkLocal4(target)) return "link";
  return isHostAddress(target) ? "host" : undefined;
}

function readPort(
  target: number | bigint,
  scope: Scope,
  name: string | undefined,
  { ports }: Tables,
): RouterPort | undefined | string {
  const text = formatAnyAddress(target);
  if (scope === "host" || scope === "subnet") {
    if (name === undefined) return undefined;
    return `${text} is where the routes lead: a port is named for broadcast, multicast and link-local addresses`;
  }
  if (name === undefined) return `${text} may be on any port: name one, as in ${text}%${ports[0]!.name}`;
  const port = findPort(ports, name);
  if (port === undefined) return noSuchPort(name);
  if (!port.isUp) return `${port.name} is shut down`;
  const [family, own] = typeof target === "number" ? ["IPv4", port.ipv4] : ["IPv6", port.ipv6];
  return own === undefined ? `${port.name} has no ${family} address` : port;
}

function readSource(
  target: number | bigint,
  text: string | undefined,
  port: RouterPort | undefined,
  { own4, own6 }: Vrf,
): number | bigint | undefined | string {
  if (text === undefined) return undefined;
  const source = parseAnyAddress(text);
  if (source === null) return `${text} is not an IPv4 or IPv6 address`;
  if (typeof source !== typeof target)
    return `${text} and ${formatAnyAddress(target)} are of different families`;
  const isOwn =
    typeof source === "number" ? own4.has(source) : own6.has(source) || source === port?.ipv6?.linkLocal;
  return isOwn ? source : `${text} is not an address of this router`;
}
