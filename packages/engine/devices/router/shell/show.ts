/** `show ...`: a router's configuration, tables and counters, as lines of text. */

import { formatTable } from "../../../base/text-table.ts";
import type { Lease } from "../../../net/dhcp/leases.ts";
import type { PoolSpec } from "../../../net/dhcp/pool-shape.ts";
import type { Route, RouteSource } from "../../../net/fib/route.ts";
import { interfacesOf } from "../../../net/plane/config.ts";
import { ALL_DROP_REASONS, type DropReason } from "../../../net/plane/counters.ts";
import type { SavedNeighbour } from "../../../net/plane/neighbours.ts";
import { distanceOf } from "../../../net/plane/route-spec.ts";
import { vrfOf } from "../../../net/plane/tables.ts";
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import { formatIpv6, linkLocalOf } from "../../../wire/ipv6-address.ts";
import { formatMac } from "../../../wire/mac.ts";
import type { RouterCommands } from "../services/base/command.ts";
import type { Parts } from "../services/base/parts.ts";
import { configurationLines } from "./configuration-lines.ts";

type Lines = readonly string[];

export const SHOW_COMMANDS: RouterCommands = [
  {
    head: "show interfaces",
    meaning: "ports, whether they are shut down, and their frames",
    run: showInterfaces,
  },
  { head: "show ip", meaning: "ports and their addresses", run: showIp },
  { head: "show route", meaning: "routes, connected and static", run: showRoute },
  {
    head: "show ip route",
    syntax: "[vrf VRF]",
    meaning:
      "the same of IPv4, with distances and the routes that do not apply, of one VRF or of those without; show ipv6 route",
    run: (parts, [, vrf]) => showIpRoute(parts, 4, vrf),
  },
  {
    head: "show ipv6 route",
    syntax: "[vrf VRF]",
    meaning: "routes of IPv6",
    run: (parts, [, vrf]) => showIpRoute(parts, 6, vrf),
    unlisted: true,
  },
  { head: "show vrf", meaning: "tables of routes and their ports", run: showVrf },
  {
    head: "show arp",
    meaning: "IPv4 neighbours",
    run: (parts) => showNeighbours(parts, parts.arp.list(), formatIpv4),
  },
  {
    head: "show neighbours",
    meaning: "IPv6 neighbours",
    run: (parts) => showNeighbours(parts, parts.neighbours.list(), formatIpv6),
  },
  { head: "show dhcp", meaning: "pools and leases", run: showDhcp },
  { head: "show counters", meaning: "what went in and out, and what was dropped", run: showCounters },
  {
    head: "show running-config",
    meaning: "the running configuration as commands; show run for short",
    run: showRunning,
  },
  { head: "show startup-config", meaning: "what was saved, in the same way", run: showStartup },
];

/** Lines that have no effect are comments. */
function showRunning({ core, session }: Parts): Lines {
  return [
    ...session.leftOut.map((remark) => `! ${remark}; it is left out`),
    ...configurationLines(core.running),
  ];
}

/** Addresses as configured, including those of a port that is shut down, which are not in use. */
function showIp({ core }: Parts): Lines {
  const specs = interfacesOf(core.running);
  const rows = core.tables.ports.map(({ kind, mac, mtuBytes }, index) => {
    const { name, ipv4, ipv6 } = specs[index]!;
    const linkLocal = ipv6 && kind !== "loopback" ? formatIpv6(linkLocalOf(mac)) : "-";
    const ownMac = kind === "loopback" || kind === "gre" ? "-" : formatMac(mac);
    return [name, ipv4 ?? "-", ipv6 ?? "-", linkLocal, ownMac, String(mtuBytes)];
  });
  return formatTable(["Port", "IPv4", "IPv6", "Link-local", "MAC", "MTU"], rows);
}

function showInterfaces({ core }: Parts): Lines {
  const specs = interfacesOf(core.running);
  const rows = core.tables.ports.map(({ name, kind, isUp, mac }, index) => {
    const { ipv4, ipv6, shutdown } = specs[index]!;
    const { framesIn, framesOut } = core.counters.ports[index]!;
    const state = isUp ? "up" : shutdown ? "shut down" : "no carrier";
    const ownMac = kind === "loopback" || kind === "gre" ? "-" : formatMac(mac);
    return [name, state, ipv4 ?? "-", ipv6 ?? "-", ownMac, String(framesIn), String(framesOut)];
  });
  return formatTable(["Port", "State", "IPv4", "IPv6", "MAC", "Frames in", "Frames out"], rows);
}

function showRoute(parts: Parts): Lines {
  const { routes4, routes6 } = parts.core.tables;
  const rows = [
    ...routes4.list().map((route) => routeRow(parts, route, formatIpv4)),
    ...routes6.list().map((route) => routeRow(parts, route, formatIpv6)),
  ];
  return rows.length === 0
    ? ["No routes"]
    : formatTable([...sourceHeadings(parts), "Network", "Via", "Port"], rows);
}

/** The columns of sources and metrics, which a router without a routing protocol does not have. */
const sourceHeadings = (parts: Parts): string[] => (hasProtocol(parts) ? ["Source", "Distance"] : []);
const hasProtocol = ({ core }: Parts): boolean =>
  core.running.rip !== undefined || core.running.ospf !== undefined || core.running.bgp !== undefined;

/** The codes of FRR. */
const CODES: Readonly<Record<RouteSource, string>> = {
  connected: "C",
  static: "S",
  rip: "R",
  ospf: "O",
  bgp: "B",
};
const codeOf = <A>({ source, path }: Route<A>): string =>
  path === undefined ? CODES[source] : `${CODES[source]} ${path}`;

const sourceCells = <A>(parts: Parts, route: Route<A>): string[] =>
  hasProtocol(parts) ? [codeOf(route), `[${route.distance}/${route.metric}]`] : [];

const formatVia = <A>({ source, reject, via }: Route<A>, format: (address: A) => string): string =>
  source === "connected" ? "connected" : (reject ?? format(via!));

function showVrf({ core }: Parts): Lines {
  const { ports, vrfs } = core.tables;
  if (vrfs.size === 0) return ["No VRFs"];
  const rows = [...vrfs.keys()].map((name) => [
    name,
    ports.flatMap((port) => (port.vrf === name ? [port.name] : [])).join(" "),
  ]);
  return formatTable(["VRF", "Interfaces"], rows);
}

/** A name as in FRR, with the distances and the routes that do not apply. */
function showIpRoute({ core }: Parts, family: 4 | 6, vrf?: string): Lines {
  const { ports, vrfs } = core.tables;
  if (vrf !== undefined && !vrfs.has(vrf)) return [`There is no VRF ${vrf}: show vrf lists them`];
  const { routes4, routes6, idleRoutes } = vrfOf(core.tables, vrf);
  // The column that FRR begins its lines with; other routers have the sources in show route.
  const hasCodes = core.running.ospf !== undefined || core.running.bgp !== undefined;
  const withCode = (code: string): string[] => (hasCodes ? [code] : []);
  const row = <A>(route: Route<A>, format: (address: A) => string): string[] => [
    ...withCode(codeOf(route)),
    `${format(route.network)}/${route.prefixLength}`,
    formatVia(route, format),
    ports[route.port]?.name ?? "-",
    String(route.distance),
    "in use",
  ];
  const rows = [
    ...(family === 4
      ? routes4.list().map((route) => row(route, formatIpv4))
      : routes6.list().map((route) => row(route, formatIpv6))),
    ...idleRoutes
      .filter(({ route }) => route.to.includes(":") === (family === 6))
      .map(({ route, why }) => [
        ...withCode(CODES.static),
        route.to,
        route.via,
        "-",
        String(distanceOf(route)),
        why,
      ]),
  ];
  if (rows.length === 0) return ["No routes"];
  return formatTable([...withCode("Code"), "Network", "Via", "Interface", "Distance", "State"], rows);
}

const routeRow = <A>(parts: Parts, route: Route<A>, format: (address: A) => string): string[] => [
  ...sourceCells(parts, route),
  `${format(route.network)}/${route.prefixLength}`,
  formatVia(route, format),
  parts.core.tables.ports[route.port]?.name ?? "-",
];

function showNeighbours<A>(
  { core }: Parts,
  neighbours: readonly SavedNeighbour<A>[],
  format: (address: A) => string,
): Lines {
  if (neighbours.length === 0) return ["No neighbours"];
  const rows = neighbours.map(([port, address, mac, expiresUs]) => [
    format(address),
    formatMac(mac),
    core.tables.ports[port]?.name ?? "-",
    secondsLeft(expiresUs, core.world.nowUs),
  ]);
  return formatTable(["Address", "MAC", "Port", "Expires in"], rows);
}

const secondsLeft = (untilUs: number, nowUs: number): string =>
  `${Math.max(0, Math.ceil((untilUs - nowUs) / 1_000_000))} s`;

function showDhcp(parts: Parts): Lines {
  const { core, leases } = parts;
  const pools = [
    ...interfacesOf(core.running).flatMap(({ name, dhcp }) => (dhcp ? poolLines(name, dhcp) : [])),
    ...(core.running.dhcpPools ?? []).flatMap((pool) => poolLines(pool.subnet, pool)),
  ];
  if (pools.length === 0) return ["No port serves addresses"];
  const rows = leases.list().map((lease) => leaseRow(parts, lease));
  const declined = leases
    .listDeclined(core.world.nowUs)
    .map(({ address, untilUs }) => [
      formatIpv4(address),
      "-",
      "-",
      "in use",
      secondsLeft(untilUs, core.world.nowUs),
    ]);
  if (rows.length + declined.length === 0) return [...pools, "No leases"];
  return [...pools, ...formatTable(["Address", "MAC", "Name", "State", "Ends in"], [...rows, ...declined])];
}

const poolLines = (name: string, { first, last, leaseSeconds, reservations = [] }: PoolSpec): string[] => [
  `${name}: ${first} to ${last}, lease ${leaseSeconds} s`,
  ...reservations.map(({ mac, address }) => `${name}: ${address} is reserved for ${mac}`),
];

function leaseRow({ core }: Parts, { address, mac, hostName, offered, expiresUs }: Lease): string[] {
  const { nowUs } = core.world;
  const state = offered ? "offered" : "leased";
  return [
    formatIpv4(address),
    formatMac(mac),
    hostName || "-",
    expiresUs > nowUs ? state : "over",
    secondsLeft(expiresUs, nowUs),
  ];
}

function showCounters({ core }: Parts): Lines {
  const { ports, forwarded4, forwarded6, delivered, originated, drops } = core.counters;
  const rows = ports.map(({ framesIn, bytesIn, framesOut, bytesOut }, index) => [
    core.tables.ports[index]?.name ?? "-",
    ...[framesIn, bytesIn, framesOut, bytesOut].map(String),
  ]);
  const dropped = (Object.keys(ALL_DROP_REASONS) as DropReason[])
    .filter((reason) => (drops[reason] ?? 0) > 0)
    .map((reason) => `Dropped, ${ALL_DROP_REASONS[reason]}: ${drops[reason]}`);
  return [
    ...formatTable(["Port", "Frames in", "Bytes in", "Frames out", "Bytes out"], rows),
    `Forwarded: ${forwarded4} IPv4, ${forwarded6} IPv6`,
    `To the router: ${delivered}; from the router: ${originated}`,
    ...dropped,
  ];
}

function showStartup({ session }: Parts): Lines {
  if (session.startup === undefined)
    return ["Nothing is saved: the router starts with the properties of its node"];
  return configurationLines(session.startup.config);
}
