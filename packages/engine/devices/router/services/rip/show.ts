/** `show ip rip` and `show ip rip status`, with the columns of FRR. */
import { ownValue } from "../../../../base/own-value.ts";
import { formatTable } from "../../../../base/text-table.ts";
import { formatIpv4 } from "../../../../wire/ipv4-address.ts";
import type { Parts } from "../base/parts.ts";
import type { RipAuthentication } from "./authentication-settings.ts";
import { isActive, ripPorts } from "./own-routes.ts";
import type { Rip } from "./rip.ts";
import type { RipSpec } from "./settings.ts";
import type { Origin, RipRoute } from "./table.ts";

type Lines = readonly string[];

const CODES: Readonly<Record<Origin, string>> = {
  interface: "C(i)",
  connected: "C(r)",
  static: "S(r)",
  ospf: "O(r)",
  bgp: "B(r)",
  default: "R(d)",
  rip: "R(n)",
};
const LEGEND = [
  "Codes: R - RIP, C - connected, S - static",
  "       (n) - of a neighbour, (i) - a port of RIP, (r) - redistributed, (d) - default",
  "",
];
const OFF = "RIP is not configured";

export function showRip({ core, services }: Parts): Lines {
  const rip = services.find<Rip>("rip");
  if (rip === undefined) return [OFF];
  const rows = rip.routes().map((route) => routeRow(route, core.world.nowUs));
  if (rows.length === 0) return ["No routes"];
  return [...LEGEND, ...formatTable(["Code", "Network", "Next Hop", "Metric", "From", "Tag", "Time"], rows)];
}

function routeRow(route: RipRoute, nowUs: number): string[] {
  const { origin, network, prefixLength, via, metric, from, tag, timeoutUs, garbageUs } = route;
  const untilUs = timeoutUs ?? garbageUs;
  return [
    CODES[origin],
    `${formatIpv4(network)}/${prefixLength}`,
    formatIpv4(via ?? 0),
    String(metric),
    from === undefined ? "self" : formatIpv4(from),
    String(tag),
    untilUs === undefined ? "" : minutes(untilUs - nowUs),
  ];
}

export function showRipStatus({ core, services }: Parts): Lines {
  const rip = services.find<Rip>("rip");
  const spec = core.running.rip;
  if (rip === undefined || spec === undefined) return [OFF];
  const { nowUs } = core.world;
  const { authentication } = spec;
  const ports = ripPorts(core.tables, spec).map((port) => [
    port.name,
    isActive(port, spec) ? "2" : "none",
    "2",
    ...(authentication ? [keysAt(ownValue(authentication, port.name))] : []),
  ]);
  const peers = rip
    .peers()
    .map(({ address, badPackets, badRoutes, lastUpdateUs }) => [
      formatIpv4(address),
      String(badPackets),
      String(badRoutes),
      hours(nowUs - lastUpdateUs),
    ]);
  return [
    'Routing Protocol is "rip"',
    `  Sending updates every ${spec.updateSeconds} seconds, next due in ${seconds(rip.nextUpdateUs - nowUs)} seconds`,
    `  Timeout after ${spec.timeoutSeconds} seconds, garbage collect after ${spec.garbageSeconds} seconds`,
    `  Split horizon: ${spec.splitHorizon}`,
    `  Redistributing:${redistributed(spec)}`,
    "  Ports:",
    ...indent(formatTable(["Port", "Send", "Recv", ...(authentication ? ["Keys"] : [])], ports)),
    "  Routing for Networks:",
    ...spec.networks.map((network) => `    ${network}`),
    "  Routing Information Sources:",
    ...indent(formatTable(["Gateway", "BadPackets", "BadRoutes", "Last Update"], peers)),
    "  Distance: 120",
  ];
}

function redistributed({ redistribute, isDefaultAnnounced }: RipSpec): string {
  const sources = [...Object.keys(redistribute), ...(isDefaultAnnounced ? ["default"] : [])];
  return sources.length === 0 ? " none" : ` ${sources.join(" ")}`;
}

const indent = (lines: Lines): Lines => lines.map((line) => `    ${line}`);
const seconds = (us: number): number => Math.max(0, Math.ceil(us / 1_000_000));
const two = (number: number): string => String(number).padStart(2, "0");
const minutes = (us: number): string => `${two(Math.floor(seconds(us) / 60))}:${two(seconds(us) % 60)}`;
const hours = (us: number): string => {
  const total = Math.floor(us / 1_000_000);
  return `${two(Math.floor(total / 3_600))}:${two(Math.floor(total / 60) % 60)}:${two(total % 60)}`;
};

/** The mode and the numbers of keys, not the keys. */
const keysAt = (of: RipAuthentication | undefined): string =>
  of === undefined
    ? "none"
    : [of.mode, ...(of.mode === "text" ? [] : [of.keys.map(({ id }) => id).join(",")])].join(" ");
