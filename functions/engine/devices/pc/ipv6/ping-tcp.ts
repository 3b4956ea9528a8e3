/**
 * `ping -3` over IPv6: a connection an attempt.
 *
 *     SYN ->   <- SYN ACK   ACK ->       Connect
 *     PSH ACK, data ->   <- ACK          SendData
 *     FIN PSH ACK ->   <- FIN ACK   ACK ->   Close
 */
import { PROTOCOL_TCP } from "../../../wire/ipv4.ts";
import { formatIpv6 } from "../../../wire/ipv6-address.ts";
import {
  decodeTcp,
  encodeTcp,
  TCP_ACK,
  TCP_FIN,
  TCP_PSH,
  TCP_RST,
  TCP_SYN,
  type Tcp,
} from "../../../wire/tcp.ts";
import { formatMs } from "../commands/format-ms.ts";
import { randomPort } from "../commands/probe-data.ts";
import { synOptions, timestampOption } from "../commands/tcp-segments.ts";
import type { Received, ReceivedIpv6, Script } from "../host.ts";
import { isError6 } from "./errors.ts";
import { answerLine, type Ping6, sendProbe } from "./ping-line.ts";

const TRIES = 3;
const WINDOW_BYTES = 2920;
const PAUSE_SHARE = 0.6;
const NONE = new Uint8Array();

/** Both sequence numbers as they stand: ours to be sent next, the peer's to be received next. */
interface Connection {
  readonly sourcePort: number;
  sequence: number;
  acknowledgement: number;
}

interface Answer {
  readonly packet: ReceivedIpv6;
  /** Null for an ICMPv6 error. */
  readonly tcp: Tcp | null;
  /** From the segment that was answered. */
  readonly elapsedUs: number;
}

export function* tcpPing6(ping: Ping6): Script {
  const { count, waitMs, sourcePort } = ping.options;
  const port = sourcePort || randomPort(ping.host);
  for (let sequence = 1; sequence <= count; sequence++) {
    yield* attempt(ping, port, sequence);
    if (sequence < count) yield { timeoutUs: waitMs * 1000 };
  }
}

function* attempt(ping: Ping6, sourcePort: number, sequence: number): Script {
  const connection: Connection = { sourcePort, sequence: 0, acknowledgement: 0 };
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
  ping: Ping6,
  phase: string,
  sequence: number,
  answer: Answer | undefined,
  lost = "",
): boolean {
  const { host, options, target } = ping;
  const title = `${phase.padEnd(9)} ${options.targetPort}@${formatIpv6(target)}`;
  if (answer === undefined) host.world.print(`${title} timeout${lost}\n`);
  else if (answer.tcp === null)
    host.world.print(answerLine(host, answer.packet, `tcp6_seq=${sequence}`, answer.elapsedUs));
  else if (answer.tcp.flags & TCP_RST) host.world.print(`${title} RST returned\n`);
  else {
    const { hopLimit } = answer.packet.header;
    const times = `seq=${sequence} ttl=${hopLimit} time=${formatMs(answer.elapsedUs)} ms`;
    host.world.print(`${title} ${times}\n`);
    return true;
  }
  return false;
}

function* connect(ping: Ping6, connection: Connection): Script<Answer | undefined> {
  const answer = yield* exchange(ping, connection, {
    // Every try is a connection of its own.
    prepare: () => {
      connection.sequence = ping.host.below(0xffff_ffff);
      return segment(ping, connection, TCP_SYN, synOptions(ping.host), NONE);
    },
    isAnswer: (tcp) =>
      tcp.flags === (TCP_SYN | TCP_ACK) && tcp.acknowledgement === after(connection.sequence, 1),
  });
  if (answer?.tcp == null || answer.tcp.flags & TCP_RST) return answer;
  connection.sequence = after(connection.sequence, 1);
  connection.acknowledgement = after(answer.tcp.sequence, 1);
  acknowledge(ping, connection);
  return answer;
}

function* sendData(ping: Ping6, connection: Connection): Script<Answer | undefined> {
  const data = Uint8Array.from({ length: ping.options.dataBytes }, (_, i) => (i % 2 === 0 ? 0x0d : 0x0a));
  const next = after(connection.sequence, data.length);
  const answer = yield* exchange(ping, connection, {
    prepare: () => segment(ping, connection, TCP_PSH | TCP_ACK, timestampOption(ping.host), data),
    isAnswer: ({ flags, acknowledgement }) => (flags & TCP_ACK) !== 0 && acknowledgement === next,
  });
  connection.sequence = next;
  return answer;
}

/** The peer's FIN ends the phase; its bare acknowledgement before that does not. */
function* close(ping: Ping6, connection: Connection): Script<Answer | undefined> {
  const answer = yield* exchange(ping, connection, {
    prepare: () => segment(ping, connection, TCP_FIN | TCP_PSH | TCP_ACK, timestampOption(ping.host), NONE),
    isAnswer: ({ flags }) => (flags & TCP_FIN) !== 0,
  });
  if (answer?.tcp == null || answer.tcp.flags & TCP_RST) return answer;
  connection.sequence = after(connection.sequence, 1);
  connection.acknowledgement = after(answer.tcp.sequence, answer.tcp.data.length + 1);
  acknowledge(ping, connection);
  return answer;
}

interface Exchange {
  prepare(): Tcp;
  isAnswer(tcp: Tcp): boolean;
}

/** Sends up to three times, a wait apart; a reset or an ICMPv6 error is an answer, too. */
function* exchange(
  ping: Ping6,
  connection: Connection,
  { prepare, isAnswer }: Exchange,
): Script<Answer | undefined> {
  const { world } = ping.host;
  const accept = (packet: Received): boolean => {
    if (packet.kind === "ipv6" && isError6(ping.host, packet)) return true;
    const tcp = tcpFromTarget(ping, connection, packet);
    return tcp !== null && ((tcp.flags & TCP_RST) !== 0 || isAnswer(tcp));
  };
  for (let tries = 0; tries < TRIES; tries++) {
    const sentUs = world.nowUs;
    sendProbe(ping, PROTOCOL_TCP, encodeTcp(prepare(), 0));
    const packet = yield { timeoutUs: ping.options.waitMs * 1000, accept };
    if (packet?.kind === "ipv6")
      return { packet, tcp: tcpFromTarget(ping, connection, packet), elapsedUs: world.nowUs - sentUs };
  }
  return undefined;
}

function tcpFromTarget({ target, options }: Ping6, connection: Connection, packet: Received): Tcp | null {
  if (packet.kind !== "ipv6" || packet.header.source !== target) return null;
  const tcp = packet.header.nextHeader === PROTOCOL_TCP ? decodeTcp(packet.payload) : null;
  const isOurs = tcp?.sourcePort === options.targetPort && tcp.targetPort === connection.sourcePort;
  return isOurs ? tcp : null;
}

const after = (sequence: number, bytes: number): number => (sequence + bytes) >>> 0;

function acknowledge(ping: Ping6, connection: Connection): void {
  const tcp = segment(ping, connection, TCP_ACK, timestampOption(ping.host), NONE);
  sendProbe(ping, PROTOCOL_TCP, encodeTcp(tcp, 0));
}

const segment = (
  { options }: Ping6,
  { sourcePort, sequence, acknowledgement }: Connection,
  flags: number,
  tcpOptions: Uint8Array,
  data: Uint8Array,
): Tcp => ({
  sourcePort,
  targetPort: options.targetPort,
  sequence,
  acknowledgement,
  flags,
  window: WINDOW_BYTES,
  options: tcpOptions,
  data,
});
