/** The commands of a server's console. `console/command.ts` describes how to add one. */

import { formatTable } from "../../base/text-table.ts";
import { formatAnyAddress } from "../../net/address/prefix.ts";
import type { Host } from "../../net/host/host.ts";
import { describeTransfer } from "../../net/host/transfer-text.ts";
import { transfersOf } from "../../net/host/transfers.ts";
import { Ping } from "../../net/probe/ping.ts";
import { PING_SYNTAX, readPing, readTrace, TRACE_SYNTAX } from "../../net/probe/probe-arguments.ts";
import { Traceroute } from "../../net/probe/traceroute.ts";
import { saveConnection } from "../../net/tcp/tcp-host.ts";
import { formatIpv4 } from "../../wire/ipv4-address.ts";
import { formatIpv6 } from "../../wire/ipv6-address.ts";
import { formatMac } from "../../wire/mac.ts";
import { type CommandSpec, helpLines } from "../console/command.ts";
import { GET_USAGE, Get, readGet } from "./get-command.ts";
import { readSend, SEND_SYNTAX, SEND_USAGE, Send } from "./send-command.ts";

export const SERVER_COMMANDS: readonly CommandSpec<Host>[] = [
  { head: "show ip", meaning: "the port and its addresses", run: showIp },
  { head: "show arp", meaning: "neighbours", run: showArp },
  {
    head: "show connections",
    meaning: "TCP connections, their windows and their round trips",
    run: showConnections,
  },
  { head: "show throughput", meaning: "bulk transfers, those in progress too", run: showThroughput },
  {
    head: "send",
    syntax: SEND_SYNTAX,
    usage: SEND_USAGE,
    meaning: "send bulk data to the sink of a server, port 5001: BYTES may end in k, M or G",
    begin(host, args, done) {
      const order = readSend(args);
      return typeof order === "string" ? order : new Send(host, order, done);
    },
    checksWords: true,
  },
  {
    head: "http",
    syntax: "get URL",
    usage: GET_USAGE,
    meaning: "fetch a file and print it",
    begin(host, args, done) {
      const request = readGet(args);
      return typeof request === "string" ? request : new Get(host, request, done);
    },
    checksWords: true,
  },
  {
    head: "ping",
    syntax: PING_SYNTAX,
    meaning: "send N echo requests (5) with BYTES of data (56)",
    begin(host, args, done) {
      const request = readPing(args, host.plane.core.tables);
      return typeof request === "string" ? request : new Ping(host.plane, request, done);
    },
    checksWords: true,
  },
  {
    head: "traceroute",
    syntax: TRACE_SYNTAX,
    meaning: "find the routers on the way",
    begin(host, args, done) {
      const request = readTrace(args, host.plane.core.tables);
      return typeof request === "string" ? request : new Traceroute(host.plane, request, done);
    },
    checksWords: true,
  },
  {
    head: "help",
    meaning: "this list; ? lists what may follow at any place of a line",
    run: () => helpLines(SERVER_COMMANDS),
  },
];

function showIp({ spec }: Host): readonly string[] {
  const { ipv4 = "none", ipv6 = "none", gateway = "none", gateway6 = "none" } = spec;
  return [
    `MAC       ${formatMac(spec.mac)}`,
    `IPv4      ${ipv4}, gateway ${gateway}`,
    `IPv6      ${ipv6}, gateway ${gateway6}`,
    `MTU       ${spec.mtuBytes}`,
  ];
}

function showArp({ plane }: Host): readonly string[] {
  const rows = [
    ...plane.arp.list().map(([, address, mac]) => [formatIpv4(address), formatMac(mac)]),
    ...plane.neighbours.list().map(([, address, mac]) => [formatIpv6(address), formatMac(mac)]),
  ];
  return rows.length === 0 ? ["No neighbours."] : formatTable(["Address", "MAC"], rows);
}

function showConnections({ tcp }: Host): readonly string[] {
  const lives = [...tcp.lives];
  const usesEcn = lives.some(({ connection: { tcb } }) => tcb.ecn !== undefined);
  const rows = lives.map(({ ends, connection: { tcb } }) => [
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
    ...(usesEcn ? [`${tcb.ecn?.reductions ?? "-"}`, `${tcb.ecn?.marked ?? "-"}`] : []),
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
    ...(usesEcn ? ["Reduced", "Marked"] : []),
  ];
  return rows.length === 0 ? ["No connections."] : formatTable(headings, rows);
}

function showThroughput({ tcp, transfers }: Host): readonly string[] {
  const all = transfersOf({ transfers, connections: [...tcp.lives].map(saveConnection) });
  const lines = all.map(
    (transfer, index) => describeTransfer(transfer) + (index < transfers.length ? "" : ", in progress"),
  );
  return lines.length === 0 ? ["No transfers."] : lines;
}
