/** A conversation of two hosts through both routers, whose packets are random. */
import { readU16 } from "@wirelab/engine/base/bytes";
import { encodeIcmp } from "@wirelab/engine/wire/icmp";
import { decodeIpv4, type Ipv4Fields } from "@wirelab/engine/wire/ipv4";
import { TCP_ACK, TCP_FIN, TCP_PSH, TCP_RST, TCP_SYN } from "../../../packages/engine/wire/tcp.ts";
import type { Draws } from "./draws.ts";
import { type Ends, frameOf, icmp, tcp, type Upper, udp } from "./packets.ts";

const ECHO = 8;
const ECHO_REPLY = 0;
const REPLY_FLAGS = [TCP_SYN | TCP_ACK, TCP_ACK];
const LATER_FLAGS = [
  ...new Array<number>(8).fill(TCP_ACK),
  ...new Array<number>(4).fill(TCP_ACK | TCP_PSH),
  TCP_FIN | TCP_ACK,
  TCP_RST,
  TCP_RST | TCP_ACK,
  TCP_SYN,
  TCP_SYN | TCP_ACK,
  TCP_SYN | TCP_FIN,
  TCP_FIN,
  0,
];

/** How one of the routers lets one end see the other. */
export interface View {
  /** The packet that arrived last, from the IP header. */
  readonly packet: Uint8Array;
  readonly side: number;
  readonly ends: Ends;
}

export interface Flow {
  readonly protocol: number;
  readonly ends: Ends;
  readonly side: number;
  /** What was sent, and how many frames of it our router and the kernel's have sent on. */
  readonly history: string[];
  segments: number;
  /** TCP: no segment has FIN or RST. */
  readonly isLasting: boolean;
  /** TCP: a segment with FIN or RST was sent. */
  isEnding: boolean;
  /** TCP: a connection begins again, and its handshake is not over. */
  isReopening: boolean;
  /** What the far end has seen, by router: ours, the kernel's. */
  far: readonly View[];
  /** What the near end has seen of the far one. */
  near: readonly View[];
  /** Both routers gave it another port than its own, and not the same. */
  isRemapped: boolean;
}

export const turned = ({ source, target, sourcePort, targetPort }: Ends): Ends => ({
  source: target,
  target: source,
  sourcePort: targetPort,
  targetPort: sourcePort,
});

/** The ends of a packet; the identifier of a query is both ports. */
export function viewOf(side: number, frame: Uint8Array): View {
  const { source, target, protocol, headerBytes, totalBytes } = decodeIpv4(frame, 14)!;
  const at = 14 + headerBytes;
  const isIcmp = protocol === 1;
  const hasPorts = protocol === 6 || protocol === 17;
  const [sourcePort, targetPort] = isIcmp
    ? [readU16(frame, at + 4), readU16(frame, at + 4)]
    : hasPorts
      ? [readU16(frame, at), readU16(frame, at + 2)]
      : [0, 0];
  return { side, packet: frame.slice(14, 14 + totalBytes), ends: { source, target, sourcePort, targetPort } };
}

/**
 * Draws the flags of the next segment. A connection that is opened again after its end has a handshake without other segments:
 * the kernel then takes some for those of the connection before, by their sequence numbers.
 */
export function drawFlags(draws: Draws, flow: Flow, isReply: boolean): number {
  if (flow.isReopening) {
    flow.isReopening = !isReply;
    return isReply ? TCP_SYN | TCP_ACK : TCP_SYN;
  }
  const drawn = drawFreely(draws, flow, isReply);
  const flags = flow.isLasting && drawn & (TCP_FIN | TCP_RST) ? TCP_ACK : drawn;
  if (flags & (TCP_FIN | TCP_RST)) flow.isEnding = true;
  if (!flow.isEnding) return flags;
  flow.isReopening = flags === TCP_SYN && !isReply;
  return flags === (isReply ? TCP_SYN : TCP_SYN | TCP_ACK) ? TCP_ACK : flags;
}

function drawFreely(draws: Draws, { segments }: Flow, isReply: boolean): number {
  if (segments === 0) return draws.below(12) === 0 ? draws.pick(LATER_FLAGS) : TCP_SYN;
  if (segments < 3 && draws.below(8) > 0) return isReply ? draws.pick(REPLY_FLAGS) : TCP_ACK;
  return draws.pick(LATER_FLAGS);
}

/** The upper layer of a packet of the flow. */
export function upperOf(protocol: number, ends: Ends, isReply: boolean, flags: number, size: number): Upper {
  if (protocol === 6) return tcp(ends, flags, size);
  if (protocol === 17) return udp(ends, size);
  if (protocol === 1)
    return icmp(
      isReply ? ECHO_REPLY : ECHO,
      0,
      size,
      (isReply ? ends.targetPort : ends.sourcePort) * 0x1_0000 + 1,
    );
  return [protocol, new Uint8Array(size)];
}

/** The frames of a datagram, in fragments if `fragmentBytes` is given. */
export function framesOf(
  side: number,
  fields: Ipv4Fields,
  payload: Uint8Array,
  fragmentBytes?: number,
): Uint8Array[] {
  if (fragmentBytes === undefined) return [frameOf(side, fields, payload)];
  const frames: Uint8Array[] = [];
  for (let start = 0; start < payload.length; start += fragmentBytes) {
    const moreFragments = start + fragmentBytes < payload.length;
    const piece = payload.subarray(start, start + fragmentBytes);
    frames.push(frameOf(side, { ...fields, moreFragments, fragmentOffset: start }, piece));
  }
  return frames;
}

/** An error that an end, or a router behind it, sends about what it has seen. */
export function errorAbout(
  view: View,
  from: number,
  [type, code]: readonly [number, number],
  quotedBytes: number,
  id: number,
): Uint8Array {
  const quote = view.packet.subarray(0, quotedBytes);
  return frameOf(
    view.side,
    { source: from, target: view.ends.source, protocol: 1, id },
    encodeIcmp(type, code, 0, quote),
  );
}
