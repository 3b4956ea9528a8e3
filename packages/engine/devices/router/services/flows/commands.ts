/** Commands of flow counters. */

import { formatTable } from "../../../../base/text-table.ts";
import { PROTOCOL_ICMP, PROTOCOL_ICMPV6 } from "../../../../wire/ipv4.ts";
import type { RouterCommands } from "../base/command.ts";
import type { Parts } from "../base/parts.ts";
import { protocolName } from "../firewall/rule.ts";
import { hasPorts } from "../firewall/tuple.ts";
import { FLOWS_CONFIGURE } from "./configure.ts";
import type { Flow } from "./flow-table.ts";
import type { Flows } from "./flows.ts";

type Lines = readonly string[];

function showFlows({ core, services }: Parts): Lines {
  const flows = services.find<Flows>("flows");
  if (flows === undefined || core.running.flows === undefined) return ["Flows are not counted"];
  const { table } = flows;
  const rows = table.list().map((flow) => rowOf(flow, core.world.nowUs));
  const count = `${rows.length} of ${core.running.flows.limit} flows; ${table.removed} have left the full table`;
  return rows.length === 0 ? [count] : [...formatTable(HEADINGS, rows), count];
}

function clearFlows({ services }: Parts): Lines {
  services.find<Flows>("flows")?.table.clear();
  return [];
}

const HEADINGS = ["Protocol", "From", "To", "Arrives at", "DSCP", "Packets", "Bytes", "Lasts", "Silent for"];

const rowOf = (flow: Flow, nowUs: number): string[] => [
  protocolName(flow.family, flow.protocol),
  withPort(flow, flow.source, flow.sourcePort),
  withPort(flow, flow.target, flow.targetPort) + icmpText(flow),
  flow.arrivedAt,
  String(flow.dscp),
  String(flow.packets),
  String(flow.bytes),
  seconds(flow.lastUs - flow.firstUs),
  seconds(nowUs - flow.lastUs),
];

function withPort({ family, protocol }: Flow, address: string, port: number): string {
  if (!hasPorts(protocol)) return address;
  return family === "ipv4" ? `${address}:${port}` : `[${address}]:${port}`;
}

const icmpText = ({ protocol, targetPort }: Flow): string =>
  protocol === PROTOCOL_ICMP || protocol === PROTOCOL_ICMPV6
    ? ` type ${targetPort >> 8} code ${targetPort & 0xff}`
    : "";

const seconds = (us: number): string => `${(us / 1_000_000).toFixed(3)} s`;

export const FLOWS_COMMANDS: RouterCommands = [
  ...FLOWS_CONFIGURE,
  { head: "show flows", meaning: "the flows, the one with the most bytes first", run: showFlows },
  { head: "clear flows", meaning: "count from 0 again", run: clearFlows },
];
