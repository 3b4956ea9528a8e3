/** `show ...`: what a router has, knows and did, as lines of text. */
import { formatIpv4 } from "../../wire/ipv4-address.ts";
import { formatIpv6 } from "../../wire/ipv6-address.ts";
import { formatMac } from "../../wire/mac.ts";
import { DEFAULT_MTU_BYTES, type RouterPortSpec } from "./config.ts";
import { DROP_REASONS, type DropReason } from "./counters.ts";
import type { Parts } from "./parts.ts";
import { formatPrefix4, formatPrefix6 } from "./prefix.ts";
import type { Route } from "./route-table.ts";
import type { Lease, SavedNeighbour } from "./state.ts";
import { formatTable } from "./text-table.ts";

type Lines = readonly string[];

const SHOW: Readonly<Record<string, (parts: Parts) => Lines>> = Object.assign(Object.create(null), {
  ip: showIp,
  route: showRoute,
  arp: (parts: Parts) => showNeighbours(parts, parts.arp.list(), formatIpv4),
  neighbours: (parts: Parts) => showNeighbours(parts, parts.neighbours.list(), formatIpv6),
  dhcp: showDhcp,
  counters: showCounters,
  run: showRun,
} satisfies Record<string, (parts: Parts) => Lines>);

export function showCommand(parts: Parts, args: readonly string[]): Lines {
  const [what] = args.map((arg) => arg.toLowerCase());
  const show = what !== undefined && args.length === 1 ? SHOW[what] : undefined;
  return show ? show(parts) : [`Usage: show ${Object.keys(SHOW).join("|")}`];
}

function showIp({ core }: Parts): Lines {
  const rows = core.tables.ports.map(({ name, mac, mtuBytes, ipv4, ipv6 }) => [
    name,
    ipv4 ? formatPrefix4(ipv4) : "-",
    ipv6 ? formatPrefix6(ipv6) : "-",
    ipv6 ? formatIpv6(ipv6.linkLocal) : "-",
    formatMac(mac),
    String(mtuBytes),
  ]);
  return formatTable(["Port", "IPv4", "IPv6", "Link-local", "MAC", "MTU"], rows);
}

function showRoute(parts: Parts): Lines {
  const { routes4, routes6 } = parts.core.tables;
  const rows = [
    ...routes4.list().map((route) => routeRow(parts, route, formatIpv4)),
    ...routes6.list().map((route) => routeRow(parts, route, formatIpv6)),
  ];
  return rows.length === 0 ? ["No routes"] : formatTable(["Network", "Via", "Port"], rows);
}

const routeRow = <A>({ core }: Parts, route: Route<A>, format: (address: A) => string): string[] => [
  `${format(route.network)}/${route.prefixLength}`,
  route.via === undefined ? "connected" : format(route.via),
  core.tables.ports[route.port]?.name ?? "-",
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
  const pools = core.running.ports.flatMap(({ name, dhcp }) =>
    dhcp ? [`${name}: ${dhcp.first} to ${dhcp.last}, lease ${dhcp.leaseSeconds} s`] : [],
  );
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
  const dropped = (Object.keys(DROP_REASONS) as DropReason[])
    .filter((reason) => drops[reason] > 0)
    .map((reason) => `Dropped, ${DROP_REASONS[reason]}: ${drops[reason]}`);
  return [
    ...formatTable(["Port", "Frames in", "Bytes in", "Frames out", "Bytes out"], rows),
    `Forwarded: ${forwarded4} IPv4, ${forwarded6} IPv6`,
    `To the router: ${delivered}; from the router: ${originated}`,
    ...dropped,
  ];
}

/** Commands that make this configuration out of none; defaults are left out. */
function showRun({ core }: Parts): Lines {
  const { ports, routes } = core.running;
  return [...ports.flatMap(runOfPort), ...routes.map(({ to, via }) => `route add ${to} via ${via}`)];
}

function runOfPort({ name, ipv4, ipv6, mtuBytes, dhcp, ra }: RouterPortSpec): string[] {
  const lines: string[] = [];
  if (mtuBytes !== DEFAULT_MTU_BYTES) lines.push(`mtu ${name} ${mtuBytes}`);
  if (ipv4 !== undefined) lines.push(`ip ${name} ${ipv4}`);
  if (ipv6 !== undefined) lines.push(`ip ${name} ${ipv6}`);
  if (!ra) lines.push(`ra ${name} off`);
  if (dhcp !== undefined) {
    const dns = dhcp.dns.length > 0 ? ` dns ${dhcp.dns.join(" ")}` : "";
    const domain = dhcp.domain === undefined ? "" : ` domain ${dhcp.domain}`;
    lines.push(`dhcp ${name} ${dhcp.first} ${dhcp.last} lease ${dhcp.leaseSeconds}${dns}${domain}`);
  }
  return lines;
}
