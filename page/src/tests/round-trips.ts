/** Round-trip times of the pings of a lab that was played. Pure. */

import { ETHERNET_HEADER_BYTES, ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from "@wirelab/engine/wire/ethernet";
import { ICMP_ECHO, ICMP_ECHO_REPLY } from "@wirelab/engine/wire/icmp";
import { ICMPV6_ECHO, ICMPV6_ECHO_REPLY } from "@wirelab/engine/wire/icmpv6";
import { PROTOCOL_ICMP, PROTOCOL_ICMPV6 } from "@wirelab/engine/wire/ipv4";
import { IPV6_HEADER_BYTES } from "@wirelab/engine/wire/ipv6";
import { packetOffset } from "@wirelab/engine/wire/vlan-tag";
import type { LoggedFrame } from "@wirelab/lab/play/frame-log";

export interface RoundTrip {
  /** The node that sent the request, and the address that it pinged. */
  readonly from: string;
  readonly to: string;
  /** When the request was sent. */
  readonly atNs: number;
  /** Null if no reply arrived at the sender. */
  readonly rttNs: number | null;
}

interface Echo {
  readonly isRequest: boolean;
  /** Addresses, id and sequence number, which a reply repeats with the addresses exchanged. */
  readonly key: string;
  readonly target: string;
}

const NS_PER_MS = 1e6;
export const toMs = (ns: number): number => ns / NS_PER_MS;

/** @returns a ping for each echo request, in order of time. */
export function roundTrips(frames: readonly LoggedFrame[]): RoundTrip[] {
  const found: Ping[] = [];
  /** The last ping of each key. Nodes on the way pass the same request on. */
  const last = new Map<string, Ping>();
  for (const { atNs, node, echo } of echoesOf(frames)) {
    const ping = last.get(echo.key);
    if (!echo.isRequest) {
      if (ping?.from === node && ping.rttNs === null) ping.rttNs = atNs - ping.atNs;
    } else if (ping === undefined || ping.from === node) {
      const next: Ping = { from: node, to: echo.target, atNs, rttNs: null };
      last.set(echo.key, next);
      found.push(next);
    }
  }
  return found;
}

interface Ping extends RoundTrip {
  rttNs: number | null;
}

/** Requests when a node sends them, and replies when they arrive at a node. */
function echoesOf(frames: readonly LoggedFrame[]) {
  return frames
    .flatMap(({ frame, from, to, enteredNs, arrivedNs }) => {
      const echo = readEcho(frame);
      if (echo === null || (!echo.isRequest && arrivedNs === undefined)) return [];
      return [echo.isRequest ? { atNs: enteredNs, node: from, echo } : { atNs: arrivedNs!, node: to, echo }];
    })
    .sort((a, b) => a.atNs - b.atNs);
}

function readEcho(frame: Uint8Array): Echo | null {
  if (frame.length < ETHERNET_HEADER_BYTES) return null;
  const at = packetOffset(frame);
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const type = view.getUint16(at - 2);
  if (type === ETHERTYPE_IPV4 && at + 20 <= frame.length && frame[at + 9] === PROTOCOL_ICMP) {
    // A later fragment has no ICMP header.
    if ((view.getUint16(at + 6) & 0x1fff) !== 0) return null;
    const header = (frame[at]! & 0x0f) * 4;
    return readIcmp(
      view,
      at + header,
      [ICMP_ECHO, ICMP_ECHO_REPLY],
      [frame.subarray(at + 12, at + 16).join("."), frame.subarray(at + 16, at + 20).join(".")],
    );
  }
  if (type === ETHERTYPE_IPV6 && at + IPV6_HEADER_BYTES <= frame.length && frame[at + 6] === PROTOCOL_ICMPV6)
    return readIcmp(
      view,
      at + IPV6_HEADER_BYTES,
      [ICMPV6_ECHO, ICMPV6_ECHO_REPLY],
      [ipv6Text(view, at + 8), ipv6Text(view, at + 24)],
    );
  return null;
}

const ipv6Text = (view: DataView, at: number): string =>
  Array.from({ length: 8 }, (_, index) => view.getUint16(at + 2 * index).toString(16))
    .join(":")
    .replace(/\b0(:0)+\b/, ":")
    .replace(/:{3,}/, "::");

function readIcmp(
  view: DataView,
  at: number,
  [request, reply]: readonly [number, number],
  [source, target]: readonly [string, string],
): Echo | null {
  if (at + 8 > view.byteLength) return null;
  const type = view.getUint8(at);
  if (type !== request && type !== reply) return null;
  const isRequest = type === request;
  const pair = isRequest ? `${source} ${target}` : `${target} ${source}`;
  return { isRequest, key: `${pair} ${view.getUint32(at + 4)}`, target };
}
