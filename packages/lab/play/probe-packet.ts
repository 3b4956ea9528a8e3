/** Recognises the packets of a probe among what its nodes send besides: hellos, advertisements, and what the timeline has begun. */
import { readU32 } from "@wirelab/engine/base/bytes";
import { parseAnyAddress } from "@wirelab/engine/net/address/prefix";
import { ETHERTYPE_ARP, ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from "@wirelab/engine/wire/ethernet";
import { NEIGHBOUR_SOLICITATION } from "@wirelab/engine/wire/icmpv6";
import { IPV4_HEADER_BYTES, PROTOCOL_ICMPV6 } from "@wirelab/engine/wire/ipv4";
import { IPV6_HEADER_BYTES } from "@wirelab/engine/wire/ipv6";
import { readIpv6 } from "@wirelab/engine/wire/ipv6-address";
import { layersOf } from "./tunnels.ts";

type Address = number | bigint;

/** The addresses of the packet in a frame, behind its tunnels; undefined for a frame without IP. */
function endsOf(frame: Uint8Array): { readonly source: Address; readonly destination: Address } | undefined {
  const { type, packet } = layersOf(frame).at(-1)!;
  if (type === ETHERTYPE_IPV4 && packet.length >= IPV4_HEADER_BYTES)
    return { source: readU32(packet, 12), destination: readU32(packet, 16) };
  if (type === ETHERTYPE_IPV6 && packet.length >= IPV6_HEADER_BYTES)
    return { source: readIpv6(packet, 8), destination: readIpv6(packet, 24) };
  return undefined;
}

/** @param target the address of the probe, without prefix length; undefined if there is none. */
export function isFor(target: string | undefined, frame: Uint8Array): boolean {
  const address = target === undefined ? null : parseAnyAddress(target);
  return address !== null && endsOf(frame)?.destination === address;
}

/** Whether a frame carries a packet to the sender of the packet in `arrived`. */
export function isAnswerTo(arrived: Uint8Array, frame: Uint8Array): boolean {
  const sender = endsOf(arrived)?.source;
  return sender !== undefined && endsOf(frame)?.destination === sender;
}

const TYPE_AT = IPV6_HEADER_BYTES;

/** Returns what a frame that looks a neighbour's address up is called; undefined for other frames. */
export function lookupName(frame: Uint8Array): string | undefined {
  const { type, packet } = layersOf(frame)[0]!;
  if (type === ETHERTYPE_ARP) return "ARP request";
  const isSolicitation =
    type === ETHERTYPE_IPV6 && packet[6] === PROTOCOL_ICMPV6 && packet[TYPE_AT] === NEIGHBOUR_SOLICITATION;
  return isSolicitation ? "neighbour solicitation" : undefined;
}
