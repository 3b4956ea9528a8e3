/**
 * `ping -3`: a connection an attempt, in three phases.
 *
 *     SYN ->             <- SYN ACK   ACK ->          Connect
 *     PSH ACK, data ->   <- ACK                       SendData
 *     FIN PSH ACK ->     <- ACK, FIN ACK   ACK ->     Close
 *
 * Each sends up to three times, a wait apart. After them comes a pause as long as the wait.
 */
import { PROTOCOL_TCP } from "../../../wire/ipv4.ts";
import { formatIpv4 } from "../../../wire/ipv4-address.ts";
import { encodeTcp4, TCP_ACK, TCP_FIN, TCP_PSH, TCP_RST, TCP_SYN, type Tcp } from "../../../wire/tcp.ts";
import type { Received, ReceivedIpv4, Script } from "../host.ts";
import { formatMs } from "./format-ms.ts";
import { isIcmpError } from "./icmp-error.ts";
import { answerLine, type Ping, sendPacket } from "./ping-packets.ts";
import { randomPort } from "./probe-data.ts";
import { PING_WINDOW_BYTES, type Ports, synOptions, tcpFrom, timestampOption } from "./tcp-segments.ts";

const TRIES = 3;
/** Of the time that connecting took. */
const PAUSE_SHARE = 0.6;
const TITLE_COLUMNS = 9;
const NOTHING = new Uint8Array();

/** Both sequence numbers as they stand: ours to be sent next, the peer's to be received next. */
interface Connection {
  readonly ports: Ports;
  sequence: number;
  acknowledgement: number;
}

interface Answer {
  readonly packet: ReceivedIpv4;
  /** Null for an ICMP error. */
  readonly tcp: Tcp | null;
  /** From the segment that was answered. */
  readonly elapsedUs: number;
}

/** What is sent in a phase, and what ends it. */
interface Phase {
  readonly segment: () => Uint8Array;
  readonly isAnswer: (tcp: Tcp) => boolean;
}

export function* tcpPing(ping: Ping): Script {
  const { count, endless, sourcePort, targetPort, waitMs } = ping.options;
  const ports = { sourcePort: sourcePort || randomPort(ping.host), targetPort };
  for (let sequence = 1; endless || sequence <= count; sequence++) {
    yield* attempt(ping, ports, sequence);
    yield { timeoutUs: waitMs * 1000 };
  }
}

function* attempt(ping: Ping, ports: Ports, sequence: number): Script {
  const connection: Connection = { ports, sequence: 0, acknowledgement: 0 };
  const connected = yield* connect(ping, connection);
  if (!report(ping, "Connect", sequence, connected)) return;
  const pauseUs = Math.floor((connected?.elapsedUs ?? 0) * PAUSE_SHARE);
  yield { timeoutUs: pauseUs };
  const sent = yield* sendData(ping, connection);
  if (!report(ping, "SendData", sequence, sent)) return;
  yield { timeoutUs: pauseUs };
  const startedUs = ping.host.world.nowUs;
  const closed = yield* close(ping, connection);
  const lostMs = formatMs(ping.host.world.nowUs - startedUs);
  report(ping, "Close", sequence, closed, `(${lostMs}ms)`);
}

/** Prints how a phase went. @returns whether the next one follows. */
function report(
  { host, target, options }: Ping,
  title: string,
  sequence: number,
  answer: Answer | undefined,
  lost = "",
): boolean {
  const { world } = host;
  const begin = `${title.padEnd(TITLE_COLUMNS)} ${options.targetPort}@${formatIpv4(target)}`;
  if (answer === undefined) world.print(`${begin} timeout${lost}\n`);
  else if (answer.tcp === null)
    world.print(answerLine(host, answer.packet, `tcp_seq=${sequence}`, answer.elapsedUs));
  else if (answer.tcp.flags & TCP_RST) world.print(`${begin} RST returned\n`);
  else {
    const { ttl } = answer.packet.header;
    world.print(`${begin} seq=${sequence} ttl=${ttl} time=${formatMs(answer.elapsedUs)} ms\n`);
    return true;
  }
  return false;
}

/** Every try is a connection of its own. */
function* connect(ping: Ping, connection: Connection): Script<Answer | undefined> {
  const answer = yield* exchange(ping, connection, {
    segment: () => {
      connection.sequence = ping.host.below(0xffff_ffff);
      return encode(ping, connection, TCP_SYN);
    },
    isAnswer: ({ flags, acknowledgement }) =>
      flags === (TCP_SYN | TCP_ACK) && acknowledgement === after(connection.sequence, 1),
  });
  if (!isGood(answer)) return answer;
  connection.sequence = after(connection.sequence, 1);
  connection.acknowledgement = after(answer.tcp.sequence, 1);
  sendPacket(ping, PROTOCOL_TCP, encode(ping, connection, TCP_ACK));
  return answer;
}

function* sendData(ping: Ping, connection: Connection): Script<Answer | undefined> {
  const data = Uint8Array.from({ length: ping.options.dataBytes }, (_, i) => (i % 2 === 0 ? 0x0d : 0x0a));
  const next = after(connection.sequence, data.length);
  const answer = yield* exchange(ping, connection, {
    segment: () => encode(ping, connection, TCP_PSH | TCP_ACK, data),
    isAnswer: ({ flags, acknowledgement }) => (flags & TCP_ACK) !== 0 && acknowledgement === next,
  });
  connection.sequence = next;
  return answer;
}

/** The peer's FIN ends the phase; its bare acknowledgement before that does not. */
function* close(ping: Ping, connection: Connection): Script<Answer | undefined> {
  const answer = yield* exchange(ping, connection, {
    segment: () => encode(ping, connection, TCP_FIN | TCP_PSH | TCP_ACK),
    isAnswer: ({ flags }) => (flags & TCP_FIN) !== 0,
  });
  if (!isGood(answer)) return answer;
  connection.sequence = after(connection.sequence, 1);
  connection.acknowledgement = after(answer.tcp.sequence, answer.tcp.data.length + 1);
  sendPacket(ping, PROTOCOL_TCP, encode(ping, connection, TCP_ACK));
  return answer;
}

const isGood = (answer: Answer | undefined): answer is Answer & { readonly tcp: Tcp } =>
  answer?.tcp != null && (answer.tcp.flags & TCP_RST) === 0;

/** A reset or an ICMP error is an answer, too. */
function* exchange(
  ping: Ping,
  { ports }: Connection,
  { segment, isAnswer }: Phase,
): Script<Answer | undefined> {
  const { host, target, options } = ping;
  const accept = (packet: Received): boolean => {
    if (packet.kind !== "ipv4") return false;
    if (isIcmpError(host, packet)) return true;
    const tcp = tcpFrom(packet, target, ports);
    return tcp !== null && ((tcp.flags & TCP_RST) !== 0 || isAnswer(tcp));
  };
  for (let tries = 0; tries < TRIES; tries++) {
    const sentUs = host.world.nowUs;
    sendPacket(ping, PROTOCOL_TCP, segment());
    const packet = (yield { timeoutUs: options.waitMs * 1000, accept }) as ReceivedIpv4 | undefined;
    if (packet) return { packet, tcp: tcpFrom(packet, target, ports), elapsedUs: host.world.nowUs - sentUs };
  }
  return undefined;
}

const after = (sequence: number, bytes: number): number => (sequence + bytes) >>> 0;

function encode({ host, target }: Ping, connection: Connection, flags: number, data = NOTHING): Uint8Array {
  const { ports, sequence, acknowledgement } = connection;
  return encodeTcp4(host.state.ipv4.address, target, {
    ...ports,
    sequence,
    acknowledgement,
    flags,
    window: PING_WINDOW_BYTES,
    options: flags & TCP_SYN ? synOptions(host) : timestampOption(host),
    data,
  });
}
