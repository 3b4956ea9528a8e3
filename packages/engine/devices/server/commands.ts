/** The commands of the console that take no time. Each returns the lines it prints. */

import { formatIpv4 } from "../../wire/ipv4-address.ts";
import { formatIpv6 } from "../../wire/ipv6-address.ts";
import { formatMac } from "../../wire/mac.ts";
import { formatAnyAddress } from "../router/prefix.ts";
import { PING_USAGE, TRACE_USAGE } from "../router/probe-arguments.ts";
import { formatTable } from "../router/text-table.ts";
import { GET_USAGE } from "./get-command.ts";
import type { ServerHost } from "./host.ts";
import { SEND_USAGE } from "./send-command.ts";
import { saveConnection } from "./tcp/tcp-host.ts";
import { describeTransfer } from "./transfer-text.ts";
import { transfersOf } from "./transfers.ts";

type Command = (host: ServerHost, args: readonly string[]) => readonly string[];

const HELP: readonly (readonly [usage: string, meaning: string])[] = [
  ["show ip", "the port and its addresses"],
  ["show arp", "neighbours"],
  ["show connections", "TCP connections, their windows and their round trips"],
  ["show throughput", "bulk transfers, those in progress too"],
  [SEND_USAGE, "send bulk data to the sink of a server, port 5001: BYTES may end in k, M or G"],
  [GET_USAGE, "fetch a file and print it"],
  [PING_USAGE, "send N echo requests (5) with BYTES of data (56)"],
  [TRACE_USAGE, "find the routers on the way"],
  ["help", "this list"],
];

const SHOWN: Readonly<Record<string, (host: ServerHost) => readonly string[]>> = Object.assign(
  Object.create(null),
  { ip: showIp, arp: showArp, connections: showConnections, throughput: showThroughput },
);

export const COMMANDS: Readonly<Record<string, Command>> = Object.assign(Object.create(null), {
  show(host, [what = "", ...rest]) {
    const show = rest.length === 0 ? SHOWN[what.toLowerCase()] : undefined;
    return show ? show(host) : [`Usage: show ${Object.keys(SHOWN).join(" | ")}`];
  },
  help: () => HELP.flatMap(([usage, meaning]) => [usage, `    ${meaning}`]),
} satisfies Record<string, Command>);

function showIp({ spec }: ServerHost): readonly string[] {
  const { ipv4 = "none", ipv6 = "none", gateway = "none", gateway6 = "none" } = spec;
  return [
    `MAC       ${formatMac(spec.mac)}`,
    `IPv4      ${ipv4}, gateway ${gateway}`,
    `IPv6      ${ipv6}, gateway ${gateway6}`,
    `MTU       ${spec.mtuBytes}`,
  ];
}

function showArp({ parts }: ServerHost): readonly string[] {
  const rows = [
    ...parts.arp.list().map(([, address, mac]) => [formatIpv4(address), formatMac(mac)]),
    ...parts.neighbours.list().map(([, address, mac]) => [formatIpv6(address), formatMac(mac)]),
  ];
  return rows.length === 0 ? ["No neighbours."] : formatTable(["Address", "MAC"], rows);
}

function showConnections({ tcp }: ServerHost): readonly string[] {
  const rows = [...tcp.lives].map(({ ends, connection: { tcb } }) => [
    tcb.state,
    `${formatAnyAddress(ends.local)}:${ends.localPort}`,
    `${formatAnyAddress(ends.remote)}:${ends.remotePort}`,
    tcb.congestion.algorithm,
    `${Math.floor(tcb.congestion.windowBytes)}`,
    `${tcb.congestion.thresholdBytes ?? "-"}`,
    `${tcb.window}`,
    tcb.roundTrip.smoothedUs === undefined ? "-" : (tcb.roundTrip.smoothedUs / 1000).toFixed(1),
    (tcb.roundTrip.rtoUs / 1000).toFixed(0),
    `${tcb.counters.retransmissions}`,
  ]);
  const headings = [
    "State",
    "Local",
    "Remote",
    "Control",
    "cwnd",
    "ssthresh",
    "rwnd",
    "RTT ms",
    "RTO ms",
    "Resent",
  ];
  return rows.length === 0 ? ["No connections."] : formatTable(headings, rows);
}

function showThroughput({ tcp, transfers }: ServerHost): readonly string[] {
  const all = transfersOf({ transfers, connections: [...tcp.lives].map(saveConnection) });
  const lines = all.map(
    (transfer, index) => describeTransfer(transfer) + (index < transfers.length ? "" : ", in progress"),
  );
  return lines.length === 0 ? ["No transfers."] : lines;
}
