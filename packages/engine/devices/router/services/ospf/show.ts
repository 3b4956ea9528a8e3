/** `show ip ospf ...`: what OSPF knows, in the order and with the words of FRR. */

import { formatTable } from "../../../../base/text-table.ts";
import { ageOf } from "../../../../routing/ospf/database.ts";
import type { PathKind, PrefixRoute, RouterRoute } from "../../../../routing/ospf/routing-table.ts";
import type {
  Database,
  Entry,
  Interface,
  InterfaceState,
  Ospf as OspfState,
} from "../../../../routing/ospf/state.ts";
import { formatIpv4 } from "../../../../wire/ipv4-address.ts";
import { LSA } from "../../../../wire/ospf-lsa.ts";
import type { Parts } from "../base/parts.ts";
import type { Ospf } from "./ospf.ts";
import { NEIGHBOUR_WORDS, roleOf } from "./words.ts";

type Lines = readonly string[];
const OFF = "OSPF is not configured";

const withOspf =
  (show: (ospf: Ospf, parts: Parts) => Lines) =>
  (parts: Parts): Lines => {
    const ospf = parts.services.find<Ospf>("ospf");
    return ospf === undefined ? [OFF] : show(ospf, parts);
  };

const INTERFACE: Readonly<Record<InterfaceState, string>> = {
  down: "Down",
  loopback: "Loopback",
  waiting: "Waiting",
  "point-to-point": "Point-To-Point",
  other: "DROther",
  backup: "Backup",
  designated: "DR",
};

export const showNeighbours = withOspf(({ state }, { core }) => {
  const { nowUs } = core.world;
  const rows = [...state.interfaces.values()].flatMap((iface) =>
    [...iface.neighbours.values()].map((neighbour) => [
      formatIpv4(neighbour.id),
      String(neighbour.priority),
      `${NEIGHBOUR_WORDS[neighbour.state]}/${roleOf(iface, neighbour) ?? "-"}`,
      duration(nowUs - neighbour.sinceUs),
      secondsUntil(state.timers.dueUs("inactivity", neighbour.slot), nowUs),
      formatIpv4(neighbour.address),
      `${iface.config.name}:${formatIpv4(iface.config.address)}`,
      String(neighbour.retransmissions.size),
      String(neighbour.requests.size),
      String(neighbour.exchange.summary.length),
    ]),
  );
  const headings = [
    "Neighbor ID",
    "Pri",
    "State",
    "Up Time",
    "Dead Time",
    "Address",
    "Interface",
    "RXmtL",
    "RqstL",
    "DBsmL",
  ];
  const refusals = [...state.interfaces.values()].flatMap((iface) =>
    iface.refused.size > 0 ? [`${iface.config.name} has refused packets: ${refusedBy(iface)}`] : [],
  );
  return [...(rows.length === 0 ? ["No neighbours"] : formatTable(headings, rows)), ...refusals];
});

export const showInterfaces = withOspf(({ state }, { core }) => {
  const lines = [...state.interfaces.values()].flatMap((iface) =>
    interfaceLines(state, iface, core.world.nowUs),
  );
  return lines.length === 0 ? ["No interface is in an area"] : lines;
});

function interfaceLines(
  { config: { routerId }, timers }: OspfState,
  iface: Interface,
  nowUs: number,
): string[] {
  const { config, state, designated, backup, neighbours, slot } = iface;
  const full = [...neighbours.values()].filter((each) => each.state === "full").length;
  return [
    `${config.name} is up`,
    `  Internet Address ${formatIpv4(config.address)}/${config.prefixLength}, Area ${formatIpv4(config.areaId)}, MTU ${config.mtuBytes} bytes`,
    `  MTU mismatch detection: ${config.ignoresMtu ? "disabled" : "enabled"}`,
    `  Router ID ${formatIpv4(routerId)}, Network Type ${config.network === "point-to-point" ? "POINTOPOINT" : config.network.toUpperCase()}, Cost: ${config.cost}`,
    `  Transmit Delay is ${config.transmitDelaySeconds} sec, State ${INTERFACE[state]}, Priority ${config.priority}`,
    designated === 0
      ? "  No designated router on this network"
      : `  Designated Router: ${formatIpv4(designated)}`,
    backup === 0
      ? "  No backup designated router on this network"
      : `  Backup Designated Router: ${formatIpv4(backup)}`,
    `  Timer intervals configured, Hello ${config.helloSeconds}s, Dead ${config.deadSeconds}s, Wait ${config.deadSeconds}s, Retransmit ${config.retransmitSeconds}`,
    config.isPassive
      ? "    No hellos (passive interface)"
      : `    Hello due in ${secondsUntil(timers.dueUs("hello", slot), nowUs)}`,
    `  Neighbor Count is ${neighbours.size}, Adjacent neighbor count is ${full}`,
    ...(iface.refused.size > 0 ? [`  Refused packets: ${refusedBy(iface)}`] : []),
  ];
}

/** What the two ends of a link disagree about, with the number of packets. */
const refusedBy = ({ refused }: Interface): string =>
  [...refused].map(([reason, count]) => `${reason} ${count}`).join(", ");

const TITLES: readonly (readonly [type: number, title: string])[] = [
  [LSA.router, "Router Link States"],
  [LSA.network, "Net Link States"],
  [LSA.summaryNetwork, "Summary Link States"],
  [LSA.summaryRouter, "ASBR-Summary Link States"],
  [LSA.opaqueLink, "Link-Local Opaque-LSA"],
  [LSA.opaqueArea, "Area-Local Opaque-LSA"],
  [LSA.external, "AS External Link States"],
  [LSA.opaqueSystem, "AS-Global Opaque-LSA"],
];

export const showDatabase = withOspf(({ state }, { core }) => {
  const { nowUs } = core.world;
  return [
    `OSPF Router with ID (${formatIpv4(state.config.routerId)})`,
    ...[...state.areas].flatMap(([id, { database }]) =>
      tablesOf(database, ` (Area ${formatIpv4(id)})`, nowUs),
    ),
    ...[...state.interfaces.values()].flatMap(({ config, database }) =>
      tablesOf(database, ` (${config.name})`, nowUs),
    ),
    ...tablesOf(state.external, "", nowUs),
  ];
});

const tablesOf = (database: Database, where: string, nowUs: number): string[] =>
  TITLES.flatMap(([type, title]) => {
    const rows = [...database.values()]
      .filter(({ lsa }) => lsa.type === type)
      .sort((a, b) => a.lsa.id - b.lsa.id || a.lsa.advertiser - b.lsa.advertiser)
      .map((entry) => lsaRow(entry, nowUs));
    if (rows.length === 0) return [];
    return [
      "",
      `${title}${where}`,
      ...formatTable(["Link ID", "ADV Router", "Age", "Seq#", "CkSum", ""], rows),
    ];
  });

function lsaRow(entry: Entry, nowUs: number): string[] {
  const { id, advertiser, sequence, checksum, body } = entry.lsa;
  return [
    formatIpv4(id),
    formatIpv4(advertiser),
    String(ageOf(entry, nowUs)),
    `0x${(sequence >>> 0).toString(16)}`,
    `0x${checksum.toString(16).padStart(4, "0")}`,
    body.kind === "router"
      ? `${body.links.length} links`
      : body.kind === "summary" || body.kind === "external"
        ? `metric ${body.metric}`
        : "",
  ];
}

const KINDS: Readonly<Record<PathKind, string>> = {
  intra: "N",
  inter: "N IA",
  external1: "N E1",
  external2: "N E2",
};
export const showRoutes = withOspf(({ state, table }) => {
  const nameOf = (port: number): string => state.interfaces.get(port)?.config.name ?? "-";
  const row = (
    code: string,
    target: string,
    { areaId, hops }: PrefixRoute | RouterRoute,
    cost: string,
  ): string[] => [
    code,
    target,
    cost,
    formatIpv4(areaId),
    hops
      .map(({ port, via }) => (via === undefined ? nameOf(port) : `${formatIpv4(via)} ${nameOf(port)}`))
      .join(", "),
  ];
  const prefixes = [...table.prefixes.values()]
    .sort((a, b) => a.network - b.network || a.prefixLength - b.prefixLength)
    .map((route) => {
      const cost = route.kind === "external2" ? `[${route.cost}/${route.type2Cost}]` : `[${route.cost}]`;
      return row(KINDS[route.kind], `${formatIpv4(route.network)}/${route.prefixLength}`, route, cost);
    });
  const routers = [...table.borders.filter(({ isBoundary }) => !isBoundary), ...table.boundaries.values()]
    .filter(({ id }) => id !== state.config.routerId)
    .sort((a, b) => a.id - b.id)
    .map((route) =>
      row(
        route.kind === "inter" ? "R IA" : "R",
        `${formatIpv4(route.id)}${rolesOf(route)}`,
        route,
        `[${route.cost}]`,
      ),
    );
  const rows = [...prefixes, ...routers];
  return rows.length === 0
    ? ["No routes"]
    : formatTable(["Code", "Target", "Cost", "Area", "Next hops"], rows);
});

const rolesOf = ({ isBorder, isBoundary }: RouterRoute): string =>
  `${isBorder ? ", ABR" : ""}${isBoundary ? ", ASBR" : ""}`;

const secondsUntil = (untilUs: number | undefined, nowUs: number): string =>
  untilUs === undefined ? "-" : `${(Math.max(0, untilUs - nowUs) / 1_000_000).toFixed(3)}s`;

const two = (value: number): string => String(value).padStart(2, "0");
function duration(us: number): string {
  const seconds = Math.floor(us / 1_000_000);
  return `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
