/**
 * `ping -3`: each attempt is one TCP connection, in three phases.
 *
 *     SYN ->             <- SYN ACK   ACK ->          Connect
 *     PSH ACK, data ->   <- ACK                       SendData
 *     FIN PSH ACK ->     <- ACK, FIN ACK   ACK ->     Close
 *
 * Each phase sends up to three times, one wait (`-w`) apart. The pause between attempts equals the wait.
 */
import { PROTOCOL_TCP } from "../../../wire/ipv4.ts";
import {
  decodeTcp,
  TCP_ACK,
  TCP_FIN,
  TCP_PSH,
  TCP_RST,
  TCP_SYN,
  type Tcp,
  tcpBytes,
} from "../../../wire/tcp.ts";
import type { AddressFamily, IpPacket } from "../address-family.ts";
import type { Host, Received, Script } from "../host.ts";
import { type Notes, nextTurn, notesOf, once, pause, sub, turnsOf } from "../notes.ts";
import type { PingOptions } from "../ping-options.ts";
import { formatMs } from "./format-ms.ts";
import { randomPort } from "./probe-data.ts";
import { PING_WINDOW_BYTES, type Ports, synOptions, timestampOption } from "./tcp-segments.ts";

const TRIES = 3;
/** The pause between phases, as a share of the time that connecting took. */
const PAUSE_SHARE = 0.6;
const TITLE_COLUMNS = 9;
const NOTHING = new Uint8Array();

/** `sequence` is our next number to send, `acknowledgement` the peer's next number to receive. */
interface Connection {
  readonly ports: Ports;
  sequence: number;
  acknowledgement: number;
}

/** One ping command with a resolved target and next hop. */
export interface TcpPing<A, P extends IpPacket> {
  readonly family: AddressFamily<A, P>;
  readonly host: Host;
  readonly target: A;
  readonly options: PingOptions;
  /** Infinity for an endless ping. */
  readonly attempts: number;
  /** Whether the last attempt is also followed by a pause. */
  readonly pausesAtEnd: boolean;
  /** Sends a segment to the target. */
  send(segment: Tcp): void;
  /** Returns why the data segment cannot be sent; undefined if it can. */
  refusal(): string | undefined;
}

interface Answer<P> {
  readonly packet: P;
  /** Null if the answer is an ICMP error. */
  readonly tcp: Tcp | null;
  /** Time since the answered segment was sent, in microseconds. */
  readonly elapsedUs: number;
}

/** The segment that a phase sends, and the answer that ends the phase. */
interface Phase {
  readonly segment: () => Tcp;
  readonly isAnswer: (tcp: Tcp) => boolean;
}

export function* tcpPing<A, P extends IpPacket>(ping: TcpPing<A, P>, notes: Notes): Script {
  const { attempts, pausesAtEnd } = ping;
  const { sourcePort, targetPort, waitMs } = ping.options;
  const ports = once(notes, "ports", () => ({
    sourcePort: sourcePort || randomPort(ping.host),
    targetPort,
  }));
  for (const turns = turnsOf(notes, "attempts", 1); turns.number <= attempts; nextTurn(turns)) {
    const { number: sequence, notes: turn } = turns;
    yield* sub(turn, "attempt", (own) => attempt(ping, ports, sequence, own));
    if (pausesAtEnd || sequence < attempts) yield* pause(turn, "pause", { timeoutUs: waitMs * 1000 });
  }
}

function* attempt<A, P extends IpPacket>(
  ping: TcpPing<A, P>,
  ports: Ports,
  sequence: number,
  notes: Notes,
): Script {
  const refusal = once(notes, "refusal", () => ping.refusal());
  if (refusal !== undefined) return ping.host.world.print(`${begin(ping, "SendData")} ${refusal}\n`);
  const connection = once(
    notes,
    "connection",
    (): Connection => ({ ports, sequence: 0, acknowledgement: 0 }),
  );
  const connected = yield* sub(notes, "connect", (own) => connect(ping, connection, own));
  if (!once(notes, "isConnected", () => report(ping, "Connect", sequence, connected))) return;
  const pauseUs = Math.floor((connected?.elapsedUs ?? 0) * PAUSE_SHARE);
  yield* pause(notes, "pause", { timeoutUs: pauseUs });
  const sent = yield* sub(notes, "send", (own) => sendData(ping, connection, own));
  if (!once(notes, "isSent", () => report(ping, "SendData", sequence, sent))) return;
  yield* pause(notes, "secondPause", { timeoutUs: pauseUs });
  const startedUs = once(notes, "startedUs", () => ping.host.world.nowUs);
  const closed = yield* close(ping, connection, notesOf(notes, "close"));
  const lostMs = formatMs(ping.host.world.nowUs - startedUs);
  report(ping, "Close", sequence, closed, `(${lostMs}ms)`);
}

/** Size of the data segment with its TCP header, in bytes. */
export const dataSegmentBytes = (host: Host, { dataBytes }: PingOptions): number =>
  tcpBytes({ options: timestampOption(host), data: NOTHING }) + dataBytes;

/** The beginning of a phase's output line. */
const begin = <A, P extends IpPacket>({ family, target, options }: TcpPing<A, P>, title: string): string =>
  `${title.padEnd(TITLE_COLUMNS)} ${options.targetPort}@${family.format(target)}`;

/** Prints the result of a phase. @returns whether the attempt continues with the next phase. */
function report<A, P extends IpPacket>(
  ping: TcpPing<A, P>,
  title: string,
  sequence: number,
  answer: Answer<P> | undefined,
  lost = "",
): boolean {
  const { family, host } = ping;
  const { world } = host;
  if (answer === undefined) {
    world.print(`${begin(ping, title)} timeout${lost}\n`);
    return false;
  }
  const { packet, tcp, elapsedUs } = answer;
  const times = `ttl=${family.ttlOf(packet)} time=${formatMs(elapsedUs)} ms`;
  if (tcp === null) {
    const reporter = family.format(family.sourceOf(packet));
    const name = `tcp${family.mark}_seq=${sequence}`;
    world.print(`*${reporter} ${name} ${times} ${family.errorText(packet)}\n`);
    return false;
  }
  const isReset = (tcp.flags & TCP_RST) !== 0;
  const outcome = isReset ? "RST returned" : `seq=${sequence} ${times}`;
  world.print(`${begin(ping, title)} ${outcome}\n`);
  return !isReset;
}

/** Each try starts a new connection, with a new sequence number. */
function* connect<A, P extends IpPacket>(
  ping: TcpPing<A, P>,
  connection: Connection,
  notes: Notes,
): Script<Answer<P> | undefined> {
  const answer = yield* exchange(ping, connection, notes, {
    segment: () => {
      connection.sequence = ping.host.below(0xffff_ffff);
      return make(ping.host, connection, TCP_SYN);
    },
    isAnswer: ({ flags, acknowledgement }) =>
      flags === (TCP_SYN | TCP_ACK) && acknowledgement === after(connection.sequence, 1),
  });
  if (!isGood(answer)) return answer;
  connection.sequence = after(connection.sequence, 1);
  connection.acknowledgement = after(answer.tcp.sequence, 1);
  ping.send(make(ping.host, connection, TCP_ACK));
  return answer;
}

function* sendData<A, P extends IpPacket>(
  ping: TcpPing<A, P>,
  connection: Connection,
  notes: Notes,
): Script<Answer<P> | undefined> {
  const data = Uint8Array.from({ length: ping.options.dataBytes }, (_, i) => (i % 2 === 0 ? 0x0d : 0x0a));
  const next = after(connection.sequence, data.length);
  const answer = yield* exchange(ping, connection, notes, {
    segment: () => make(ping.host, connection, TCP_PSH | TCP_ACK, data),
    isAnswer: ({ flags, acknowledgement }) => (flags & TCP_ACK) !== 0 && acknowledgement === next,
  });
  connection.sequence = next;
  return answer;
}

/** The peer's FIN ends the phase; a bare acknowledgement before it does not. */
function* close<A, P extends IpPacket>(
  ping: TcpPing<A, P>,
  connection: Connection,
  notes: Notes,
): Script<Answer<P> | undefined> {
  const answer = yield* exchange(ping, connection, notes, {
    segment: () => make(ping.host, connection, TCP_FIN | TCP_PSH | TCP_ACK),
    isAnswer: ({ flags }) => (flags & TCP_FIN) !== 0,
  });
  if (!isGood(answer)) return answer;
  connection.sequence = after(connection.sequence, 1);
  connection.acknowledgement = after(answer.tcp.sequence, answer.tcp.data.length + 1);
  ping.send(make(ping.host, connection, TCP_ACK));
  return answer;
}

const isGood = <P>(answer: Answer<P> | undefined): answer is Answer<P> & { readonly tcp: Tcp } =>
  answer?.tcp != null && (answer.tcp.flags & TCP_RST) === 0;

/** Sends a segment until an answer arrives. A reset or an ICMP error is also an answer. */
function* exchange<A, P extends IpPacket>(
  ping: TcpPing<A, P>,
  { ports }: Connection,
  notes: Notes,
  { segment, isAnswer }: Phase,
): Script<Answer<P> | undefined> {
  const { family, host, options } = ping;
  const accept = (packet: Received): boolean => {
    if (!family.is(packet)) return false;
    if (family.isError(host, packet)) return true;
    const tcp = segmentIn(ping, packet, ports);
    return tcp !== null && ((tcp.flags & TCP_RST) !== 0 || isAnswer(tcp));
  };
  const send = (): number => {
    ping.send(segment());
    return host.world.nowUs;
  };
  for (const tries = turnsOf(notes, "tries"); tries.number < TRIES; nextTurn(tries)) {
    const sentUs = once(tries.notes, "sent", send);
    const timeoutUs = options.waitMs * 1000;
    const packet = (yield* pause(tries.notes, "answer", { timeoutUs, accept })) as P | undefined;
    if (packet) return { packet, tcp: segmentIn(ping, packet, ports), elapsedUs: host.world.nowUs - sentUs };
  }
  return undefined;
}

/** Returns the TCP segment that answers on `ports`; null if the packet is not one. */
function segmentIn<A, P extends IpPacket>(
  { family, target }: TcpPing<A, P>,
  packet: P,
  { sourcePort, targetPort }: Ports,
): Tcp | null {
  if (family.sourceOf(packet) !== target || family.protocolOf(packet) !== PROTOCOL_TCP) return null;
  const tcp = decodeTcp(packet.payload);
  return tcp?.sourcePort === targetPort && tcp.targetPort === sourcePort ? tcp : null;
}

const after = (sequence: number, bytes: number): number => (sequence + bytes) >>> 0;

const make = (host: Host, connection: Connection, flags: number, data = NOTHING): Tcp => ({
  ...connection.ports,
  sequence: connection.sequence,
  acknowledgement: connection.acknowledgement,
  flags,
  window: PING_WINDOW_BYTES,
  options: flags & TCP_SYN ? synOptions(host) : timestampOption(host),
  data,
});
