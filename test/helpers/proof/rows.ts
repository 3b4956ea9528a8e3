/** Frames as rows of the fields that must be equal in two runs of the same commands: nothing random, no clock, no checksum. */

import type { NotedFrame } from "./real-vpcs.ts";
import type { StepRecord } from "./steps.ts";
import { decodeFields, type Row } from "./tshark.ts";

export interface SentRow {
  readonly from: string;
  readonly fields: Row;
}

const LAYER_2 = ["frame.len", "eth.dst", "eth.src", "eth.type", "eth.padding", "eth.trailer"];
const ARP = [
  ...["hw.type", "proto.type", "hw.size", "proto.size", "opcode"],
  ...["src.hw_mac", "src.proto_ipv4", "dst.hw_mac", "dst.proto_ipv4"],
].map((field) => `arp.${field}`);
const IPV4 = [
  "hdr_len",
  "dsfield",
  "len",
  "flags.df",
  "flags.mf",
  "frag_offset",
  "ttl",
  "proto",
  "src",
  "dst",
].map((field) => `ip.${field}`);
const IPV6 = ["tclass", "flow", "plen", "nxt", "hlim", "src", "dst"].map((field) => `ipv6.${field}`);
const ICMP = ["icmp.type", "icmp.code", "icmp.seq", "icmp.mtu", "data.data"];
const ICMPV6 = [
  ...["type", "code", "echo.sequence_number", "opt.type", "opt.linkaddr", "opt.length"],
  ...["nd.ns.target_address", "nd.na.target_address", "nd.na.flag.r", "nd.na.flag.s", "nd.na.flag.o"],
].map((field) => `icmpv6.${field}`);
const UDP_PORTS = ["udp.srcport", "udp.dstport"];
const TCP_PORTS = ["tcp.srcport", "tcp.dstport"];
const UDP = [...UDP_PORTS, "udp.length", "udp.payload"];
const TCP = [
  ...TCP_PORTS,
  ...["tcp.flags", "tcp.len", "tcp.hdr_len", "tcp.window_size_value", "tcp.payload"],
  ...["tcp.option_kind", "tcp.options.mss_val", "tcp.options.wscale.shift", "tcp.options.timestamp.tsecr"],
];
/** Fields that tshark shows relative to the connection's first number. */
const TCP_NUMBERS = ["tcp.seq", "tcp.ack"];

const FIELDS = [...LAYER_2, ...ARP, ...IPV4, ...IPV6, ...ICMP, ...ICMPV6, ...UDP, ...TCP, ...TCP_NUMBERS];
const PORTS = [...UDP_PORTS, ...TCP_PORTS];

/** "Destination unreachable", and where to find it in an Ethernet frame. */
const ICMP_ERROR = { protocolAt: 23, payloadAt: 34, protocol: 1, errorType: 3 };
const ICMPV6_ERROR = { protocolAt: 20, payloadAt: 54, protocol: 58, errorType: 1 };

/** Ports of services, and those that `-s` and `-p` set. VPCS picks all others at random, even below 1024. */
const CHOSEN: ReadonlySet<number> = new Set([7, 53, 67, 68, 80, 4000, 5000]);

/** The rows of each step, decoded by one call of tshark. */
export function rowsOfSteps(records: readonly StepRecord[]): SentRow[][] {
  const rows = decodeFields(
    records.flatMap((record) => record.frames.map(withoutClock)),
    FIELDS,
  ).values();
  return records.map(({ frames }) => {
    const ports = new RandomPorts();
    return frames.map(({ from }) => ({ from, fields: ports.hide(rows.next().value!) }));
  });
}

/**
 * An ICMP error of a PC has its clock where RFC 4884 has the length of the quoted packet, which makes tshark
 * decode the rest differently from second to second.
 */
function withoutClock(noted: NotedFrame): NotedFrame {
  const { frame } = noted;
  const { protocolAt, payloadAt, protocol, errorType } = frame[12] === 0x86 ? ICMPV6_ERROR : ICMP_ERROR;
  if (frame[protocolAt] !== protocol || frame[payloadAt] !== errorType) return noted;
  return { ...noted, frame: frame.slice().fill(0, payloadAt + 4, payloadAt + 8) };
}

/** Replaces random ports by their distance from the first one seen, so that constant and consecutive ports stay recognizable. */
class RandomPorts {
  #first: number | undefined;

  hide(row: Row): Row {
    return { ...row, ...Object.fromEntries(PORTS.map((field) => [field, this.#hideAll(row[field]!)])) };
  }

  #hideAll(values: string): string {
    if (values === "") return values;
    return values
      .split(",")
      .map((value) => this.#hideOne(Number(value)))
      .join(",");
  }

  #hideOne(port: number): string {
    if (CHOSEN.has(port)) return String(port);
    this.#first ??= port;
    return `random+${port - this.#first}`;
  }
}

/** The key of an exchange, the same for both directions: ARP for one address, or two hosts and a protocol. */
export function conversationOf({ fields }: SentRow): string {
  if (fields["arp.opcode"] !== "") {
    const { "arp.opcode": opcode, "arp.src.proto_ipv4": source, "arp.dst.proto_ipv4": target } = fields;
    return `ARP for ${opcode === "1" ? target : source}`;
  }
  const version = fields["ip.src"] === "" ? "ipv6" : "ip";
  const hosts = [firstOf(fields[`${version}.src`]!), firstOf(fields[`${version}.dst`]!)].sort().join(" and ");
  return `protocol ${firstOf(fields[version === "ip" ? "ip.proto" : "ipv6.nxt"]!)} between ${hosts}`;
}

/** Returns the first of the comma-separated values: an ICMP error's own, before those of the packet that it quotes. */
export const firstOf = (values: string): string => values.split(",")[0]!;
