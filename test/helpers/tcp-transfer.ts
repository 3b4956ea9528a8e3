/** One transfer over an impaired link from a Linux guest or a server to a server, and the time that it takes. */
import { ETHERNET_HEADER_BYTES, ETHERTYPE_IPV4, etherType } from "@wirelab/engine/wire/ethernet";
import { decodeIpv4, PROTOCOL_TCP } from "@wirelab/engine/wire/ipv4";
import { decodeTcp, TCP_SYN, type Tcp } from "../../packages/engine/wire/tcp.ts";
import { playWithFrames } from "./play-linux.ts";

const TRANSFER_BYTES = 3_000_000;

const LINE = "rate: 20mbit, delay: 10ms";
const JITTER = "rate: 20mbit, delay: {delay: 10ms, jitter: 5ms}";

/** Each has 20 Mb/s and a round trip of 20 ms. */
export const CONDITIONS = {
  loss: `{both: {${LINE}}, a_to_b: {loss: 1%}}`,
  jitter: `{both: {${JITTER}}}`,
  reordering: `{both: {${LINE}}, a_to_b: {reorder: {chance: 5%}}}`,
  duplicates: `{both: {${LINE}, duplicate: {chance: 5%}}}`,
  all: `{both: {${JITTER}, duplicate: {chance: 2%}}, a_to_b: {loss: 0.5%, reorder: {chance: 2%}}}`,
} as const;

/** Names of controls: the server's, and Linux's. */
const ALGORITHMS = { cubic: "cubic", newreno: "reno" } as const;

export interface Transfers {
  readonly sender: "linux" | "server";
  readonly algorithm: keyof typeof ALGORITHMS;
  readonly condition: keyof typeof CONDITIONS;
  readonly seed: number;
  readonly count: number;
}

const INTERVAL_MS = 15_000;

/** A guest opens the connection a second before it sends; a server sends with the end of the handshake, a round trip after the order. */
const SENDERS = {
  linux: {
    // The cache of metrics would begin a transfer with the threshold of the one before.
    node: (algorithm: Transfers["algorithm"]) =>
      `{type: linux, ports: [10.0.0.1/24], commands: [sysctl -w net.ipv4.tcp_no_metrics_save=1 net.ipv4.tcp_congestion_control=${ALGORITHMS[algorithm]}]}`,
    command: `(sleep 1; dd if=/dev/zero bs=1000 count=${TRANSFER_BYTES / 1_000}) | nc -w 60 10.0.0.2 5001`,
    openMs: 700,
  },
  server: {
    node: (algorithm: Transfers["algorithm"]) =>
      // Linux ends slow start by the round trip too, for CUBIC.
      `{type: server, ip: 10.0.0.1/24, tcp: {congestion: ${algorithm}, hystart: ${algorithm === "cubic"}}}`,
    command: `send 10.0.0.2 -n ${TRANSFER_BYTES}`,
    // The answer to the SYN is on its way then.
    openMs: 15,
  },
};

function labOf({ sender, algorithm, condition, seed, count }: Transfers): string {
  const { node, command, openMs } = SENDERS[sender];
  const events = Array.from({ length: count }, (_, index) => {
    const atMs = (index + 1) * INTERVAL_MS;
    // The ping has both ends know each other's MAC address.
    return `  - {at: ${atMs - 500}ms, impairments: {cable: {both: {${LINE}}}}}
  - {at: ${atMs - 400}ms, console: {a: [ping 10.0.0.2 -c 1]}}
  - {at: ${atMs}ms, console: {a: ["${command}"]}}
  - {at: ${atMs + openMs}ms, impairments: {cable: ${CONDITIONS[condition]}}}
`;
  });
  return `
seed: ${seed}
nodes:
  a: ${node(algorithm)}
  b: {type: server, ip: 10.0.0.2/24}
links: [{link: a -- b, name: cable, impairments: {both: {${LINE}}}}]
run:
${events.join("")}duration: ${(count + 1) * INTERVAL_MS}ms
`;
}

/**
 * Returns, for each transfer, the seconds from the first data to the acknowledgement of the last. The handshake meets no impairment;
 * all data do.
 */
export function playTransfers(transfers: Transfers): number[] {
  const { sender, count } = transfers;
  const segments = playWithFrames(labOf(transfers)).frames.flatMap(({ from, frame, enteredNs }) => {
    const tcp = tcpOf(frame);
    return tcp === undefined ? [] : [{ from, tcp, ms: enteredNs / 1e6 }];
  });
  return Array.from({ length: count }, (_, index) => {
    const atMs = (index + 1) * INTERVAL_MS;
    const own = segments.filter(({ ms }) => ms >= atMs && ms < atMs + INTERVAL_MS - 500);
    const opening = own.filter(({ tcp }) => tcp.flags & TCP_SYN);
    const [syn, answer] = opening;
    const first = own.find(({ tcp }) => tcp.data.length > 0);
    const end = ((syn?.tcp.sequence ?? 0) + 1 + TRANSFER_BYTES) >>> 0;
    const last = own.find(
      ({ from, tcp }) => from === "b" && !(tcp.flags & TCP_SYN) && ((tcp.acknowledgement - end) | 0) >= 0,
    );
    const name = `${JSON.stringify(transfers)}, transfer ${index}`;
    if (answer === undefined || first === undefined || last === undefined)
      throw new Error(`${name} did not end`);
    const openedMs = atMs + SENDERS[sender].openMs;
    if (opening.length > 2 || answer.ms > openedMs || first.ms < openedMs)
      throw new Error(`${name}: impairments at ${openedMs} ms, SYN|ACK at ${answer.ms}, data at ${first.ms}`);
    return (last.ms - first.ms) / 1e3;
  });
}

function tcpOf(frame: Uint8Array): Tcp | undefined {
  const at = ETHERNET_HEADER_BYTES;
  const ip = etherType(frame) === ETHERTYPE_IPV4 ? decodeIpv4(frame, at) : null;
  if (ip?.protocol !== PROTOCOL_TCP) return undefined;
  return decodeTcp(frame.subarray(at + ip.headerBytes, at + ip.totalBytes)) ?? undefined;
}

export interface Mean {
  readonly mean: number;
  /** The standard error of the mean. */
  readonly error: number;
}

export function meanOf(values: readonly number[]): Mean {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}
