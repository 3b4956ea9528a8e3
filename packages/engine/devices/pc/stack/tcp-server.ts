/**
 * The TCP server behind every port of the PC: it accepts, acknowledges, discards the data, and closes when the peer does. It
 * does not depend on the address family: IPv4 and IPv6 share it.
 *
 * The server forgets a connection after a minute without a segment, or with a reset. Until then the sequence number keeps its
 * value from the handshake, so that a repeated FIN gets the same answer as the first.
 */
import { TCP_ACK, TCP_FIN, TCP_PSH, TCP_RST, TCP_SYN, type Tcp } from "../../../wire/tcp.ts";
import type { Host } from "../host.ts";
import type { PcState, TcpSession } from "../state.ts";

export const TCP_IDLE_US = 60_000_000;
export const TCP_SESSIONS_MAX = 1000;
const TWO_32 = 0x1_0000_0000;
const NOTHING = new Uint8Array();

/** Returns the answers to a segment from `peer` (the text of its address), in order; none without a connection. */
export function serveTcp(host: Host, peer: string, tcp: Tcp): Tcp[] {
  const { state, world } = host;
  forgetIdle(state, world.nowUs);
  const known = state.tcp.find(
    (each) => each.peer === peer && each.peerPort === tcp.sourcePort && each.port === tcp.targetPort,
  );
  const session = tcp.flags === TCP_SYN ? accept(host, peer, tcp, known) : known;
  if (session === undefined) return [];
  session.lastUs = world.nowUs;
  if (tcp.flags & TCP_RST) state.tcp = state.tcp.filter((each) => each !== session);
  return segmentsFor(session, tcp);
}

export function forgetIdle(state: PcState, nowUs: number): void {
  state.tcp = state.tcp.filter(({ lastUs }) => nowUs - lastUs <= TCP_IDLE_US);
}

/** Opens a new connection or restarts a known one, with a new sequence number. */
function accept(host: Host, peer: string, tcp: Tcp, known: TcpSession | undefined): TcpSession | undefined {
  const sequence = host.below(TWO_32 - 1);
  if (known !== undefined) return Object.assign(known, { sequence });
  if (host.state.tcp.length >= TCP_SESSIONS_MAX) {
    host.world.print("VPCS 0 out of session\n");
    return undefined;
  }
  const session = { peer, peerPort: tcp.sourcePort, port: tcp.targetPort, sequence, lastUs: 0 };
  host.state.tcp.push(session);
  return session;
}

/** Answers only these exact combinations of flags. */
function segmentsFor(session: TcpSession, tcp: Tcp): Tcp[] {
  const segment = (flags: number, sequenceTaken: number): Tcp => ({
    sourcePort: tcp.targetPort,
    targetPort: tcp.sourcePort,
    sequence: session.sequence,
    acknowledgement: (tcp.sequence + sequenceTaken) % TWO_32,
    flags,
    window: tcp.window,
    options: NOTHING,
    data: NOTHING,
  });
  const dataBytes = tcp.data.length;
  switch (tcp.flags) {
    case TCP_SYN: {
      const synAck = segment(TCP_SYN | TCP_ACK, 1);
      session.sequence = (session.sequence + 1) % TWO_32;
      return [synAck];
    }
    case TCP_PSH | TCP_ACK:
      return [segment(TCP_ACK, dataBytes)];
    case TCP_FIN | TCP_PSH | TCP_ACK:
      return [segment(TCP_ACK, dataBytes + 1), segment(TCP_FIN | TCP_ACK, dataBytes + 1)];
    case TCP_FIN | TCP_ACK:
      return [segment(TCP_FIN | TCP_ACK, dataBytes + 1), segment(TCP_FIN | TCP_ACK, dataBytes + 1)];
    default:
      return [];
  }
}
