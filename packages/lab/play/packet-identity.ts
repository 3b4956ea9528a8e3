/**
 * Recognises one packet on several links: without its link layer, without the fields that a router changes, and without the tunnels
 * that carry it.
 */
import { readU16 } from "@wirelab/engine/base/bytes";
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from "@wirelab/engine/wire/ethernet";
import { PROTOCOL_ICMP, PROTOCOL_TCP, PROTOCOL_UDP } from "@wirelab/engine/wire/ipv4";
import type { Payload } from "./payload.ts";
import { layersOf } from "./tunnels.ts";

const FRAGMENT_AT = 6;
const TTL_AT = 8;
const PROTOCOL_AT = 9;
const ADDRESSES_AT = 12;
const ADDRESSES_END = 20;
const CHECKSUM_AT = 10;
const HOP_LIMIT_AT = 7;

/** Equal for two frames that carry the same packet; a corrupted copy and each fragment are packets of their own. */
export const identityOf = (frame: Uint8Array): string => identityIn(layersOf(frame).at(-1)!);

function identityIn({ type, packet: given }: Payload): string {
  const packet = given.slice();
  if (type === ETHERTYPE_IPV4 && packet.length > CHECKSUM_AT + 1) {
    packet[TTL_AT] = 0;
    packet[CHECKSUM_AT] = 0;
    packet[CHECKSUM_AT + 1] = 0;
  }
  if (type === ETHERTYPE_IPV6 && packet.length > HOP_LIMIT_AT) packet[HOP_LIMIT_AT] = 0;
  return `${type} ${String.fromCharCode(...packet)}`;
}

/** Whether a node has passed a tunnel's packet on as it is: the packet in the tunnel has not been in its hands. */
export function isCarriedOn(before: Uint8Array, after: Uint8Array): boolean {
  const [one, other] = [layersOf(before), layersOf(after)];
  return one.length > 1 && identityIn(one[0]!) === identityIn(other[0]!);
}

/** What a translation of addresses changes in the upper layer's header: ports or identifier, and checksum. */
const TRANSLATED: Readonly<Record<number, readonly (readonly [start: number, end: number])[]>> = {
  [PROTOCOL_ICMP]: [[2, 6]],
  [PROTOCOL_TCP]: [
    [0, 4],
    [16, 18],
  ],
  [PROTOCOL_UDP]: [
    [0, 4],
    [6, 8],
  ],
};

/** Equal for two frames of which one may carry the other's packet after a translation of its addresses; undefined if none may. */
export function identityBehind(frame: Uint8Array): string | undefined {
  const { type, packet } = layersOf(frame).at(-1)!;
  if (type !== ETHERTYPE_IPV4 || packet.length < ADDRESSES_END) return undefined;
  const copy = packet.slice();
  copy.fill(0, ADDRESSES_AT, ADDRESSES_END);
  const upperAt = ((copy[0] as number) & 15) * 4;
  const isFirst = (readU16(copy, FRAGMENT_AT) & 0x1fff) === 0;
  const ranges = isFirst ? TRANSLATED[copy[PROTOCOL_AT] as number] : undefined;
  for (const [start, end] of ranges ?? []) copy.fill(0, upperAt + start, upperAt + end);
  return identityIn({ type, packet: copy });
}
