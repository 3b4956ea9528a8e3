/** `show ip bgp ...`: what BGP knows, in the form and with the words of FRR. */
import { formatTable } from "../../../../base/text-table.ts";
import { ORIGIN_LETTERS } from "../../../../routing/bgp/attributes.ts";
import { isInternal } from "../../../../routing/bgp/decision.ts";
import { isWithoutPolicy } from "../../../../routing/bgp/export.ts";
import { MAX_PREFIXES } from "../../../../routing/bgp/limits.ts";
import {
  type Entry,
  type Neighbour,
  type Path,
  type Bgp as State,
  stateOf,
} from "../../../../routing/bgp/state.ts";
import { isUsable } from "../../../../routing/bgp/table.ts";
import { asPathText } from "../../../../wire/bgp-text.ts";
import { formatIpv4 } from "../../../../wire/ipv4-address.ts";
import type { Parts } from "../base/parts.ts";
import type { Bgp } from "./bgp.ts";
import { uptime } from "./times.ts";

type Lines = readonly string[];
const OFF = "% BGP instance not found";

export const withBgp =
  (show: (state: State, parts: Parts, args: readonly string[]) => Lines) =>
  (parts: Parts, args: readonly string[]): Lines => {
    const bgp = parts.services.find<Bgp>("bgp");
    return bgp === undefined ? [OFF] : show(bgp.state, parts, args);
  };

export const inOrder = ({ table }: State): Entry[] =>
  [...table.values()]
    .filter(({ paths }) => paths.length > 0)
    .sort((a, b) => a.network - b.network || a.length - b.length);

export const showSummary = withBgp((state, { core }) => {
  const { config, neighbours, table } = state;
  const rows = [...neighbours.values()].map((neighbour) => [
    formatIpv4(neighbour.config.address),
    "4",
    String(neighbour.remoteAs),
    String(neighbour.counters.received),
    String(neighbour.counters.sent),
    neighbour.sinceUs === undefined ? "never" : uptime(core.world.nowUs - neighbour.sinceUs),
    ...prefixCells(state, neighbour),
    neighbour.config.description ?? "N/A",
  ]);
  const headings = ["Neighbor", "V", "AS", "MsgRcvd", "MsgSent", "Up/Down", "State/PfxRcd", "PfxSnt", "Desc"];
  return [
    `BGP router identifier ${formatIpv4(config.routerId)}, local AS number ${config.as}`,
    `RIB entries ${table.size}, peers ${neighbours.size}`,
    ...(state.isFull
      ? [`The table has ${MAX_PREFIXES} prefixes, the limit: further ones are not taken`]
      : []),
    "",
    ...(rows.length === 0 ? ["No neighbors"] : formatTable(headings, rows)),
    "",
    `Total number of neighbors ${neighbours.size}`,
  ];
});

function prefixCells(state: State, neighbour: Neighbour): [received: string, sent: string] {
  const now = stateOf(neighbour);
  if (now !== "Established") return [stateWords(neighbour, now), "0"];
  return [
    isWithoutPolicy(state, neighbour, "in") ? "(Policy)" : String(neighbour.received.size),
    isWithoutPolicy(state, neighbour, "out") ? "(Policy)" : String(neighbour.sent.size),
  ];
}

function stateWords({ config, isOverLimit }: Neighbour, now: string): string {
  if (config.isShutDown) return "Idle (Admin)";
  return isOverLimit ? "Idle (PfxCt)" : now;
}

const LEGEND: Lines = [
  "Status codes:  * valid, > best, = multipath, i internal",
  "Origin codes:  i - IGP, e - EGP, ? - incomplete",
  "",
];

export const showTable = withBgp((state) => {
  const entries = inOrder(state);
  if (entries.length === 0) return ["No BGP prefixes displayed, 0 exist"];
  const rows = entries.flatMap((entry) =>
    entry.paths.map((path, index) => routeRow(state, entry, path, index)),
  );
  const paths = rows.length;
  return [
    `Local router ID is ${formatIpv4(state.config.routerId)}, local AS ${state.config.as}`,
    ...LEGEND,
    ...formatTable(["   Network", "Next Hop", "Metric", "LocPrf", "Weight", "Path"], rows),
    "",
    `Displayed ${entries.length} routes and ${paths} total paths`,
  ];
});

export function statusOf(state: State, { best, multipath }: Entry, path: Path): string {
  const valid = isUsable(state, path) ? "*" : " ";
  const chosen = path === best ? ">" : multipath.includes(path) ? "=" : " ";
  return `${valid}${chosen}${isInternal(path) ? "i" : " "}`;
}

function routeRow(state: State, entry: Entry, path: Path, index: number): string[] {
  const { attributes, weight } = path;
  const prefix = index === 0 ? `${formatIpv4(entry.network)}/${entry.length}` : "";
  return [
    `${statusOf(state, entry, path)}${prefix}`,
    formatIpv4(attributes.nextHop),
    attributes.med === null ? "" : String(attributes.med),
    attributes.localPreference === null ? "" : String(attributes.localPreference),
    String(weight),
    `${asPathText(attributes.asPath)} ${ORIGIN_LETTERS[attributes.origin]}`.trimStart(),
  ];
}
