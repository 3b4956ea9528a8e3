/**
 * Tunnels: packets that carry other packets. A tunnel of another kind is one entry here.
 *
 * Sources: RFC 2784 (GRE), RFC 2003 (IPv4 in IPv4), RFC 4213 (IPv6 in IPv4), RFC 2473 (in IPv6), RFC 7348 (VXLAN).
 */
import { readU16, readU32 } from "@wirelab/engine/base/bytes";
import {
  ETHERNET_HEADER_BYTES,
  ETHERTYPE_BRIDGED,
  ETHERTYPE_IPV4,
  ETHERTYPE_IPV6,
} from "@wirelab/engine/wire/ethernet";
import { decodeGre, PROTOCOL_GRE } from "@wirelab/engine/wire/gre";
import { IPV4_HEADER_BYTES, PROTOCOL_IPV4, PROTOCOL_IPV6, PROTOCOL_UDP } from "@wirelab/engine/wire/ipv4";
import { IPV6_HEADER_BYTES } from "@wirelab/engine/wire/ipv6";
import { UDP_HEADER_BYTES } from "@wirelab/engine/wire/udp";
import { decodeVxlan, VXLAN_HEADER_BYTES } from "@wirelab/engine/wire/vxlan";
import { type Payload, payloadIn } from "./payload.ts";

/** A packet with what it is wrapped in. */
export interface Layer extends Payload {
  /** The tunnel in which the layer before carries this one; undefined for the outermost layer. */
  readonly tunnel: string | undefined;
}

type Unwrap = (data: Uint8Array) => Layer | undefined;

const BY_PROTOCOL: ReadonlyMap<number, Unwrap> = new Map([
  [PROTOCOL_GRE, unwrapGre],
  [PROTOCOL_IPV4, (packet) => ({ type: ETHERTYPE_IPV4, packet, tunnel: "IP in IP" })],
  [PROTOCOL_IPV6, (packet) => ({ type: ETHERTYPE_IPV6, packet, tunnel: "IP in IP" })],
  [PROTOCOL_UDP, (datagram) => unwrapVxlan(datagram.subarray(UDP_HEADER_BYTES))],
]);

function unwrapGre(packet: Uint8Array): Layer | undefined {
  const gre = decodeGre(packet);
  if (gre === null) return undefined;
  const { etherType: type, payload } = gre;
  return type === ETHERTYPE_BRIDGED
    ? { ...payloadIn(payload), tunnel: "GRE" }
    : { type, packet: payload, tunnel: "GRE" };
}

const VXLAN_FLAGS = 0x0800_0000;

/** By its header, because a lab chooses the port: the flag of a VNI, and zeros in all that is reserved. */
function unwrapVxlan(data: Uint8Array): Layer | undefined {
  if (data.length < VXLAN_HEADER_BYTES + ETHERNET_HEADER_BYTES) return undefined;
  if (readU32(data, 0) !== VXLAN_FLAGS || data[7] !== 0) return undefined;
  const vxlan = decodeVxlan(data);
  return vxlan === null ? undefined : { ...payloadIn(vxlan.frame), tunnel: "VXLAN" };
}

/** Tunnels in tunnels beyond this are data. */
const MOST_LAYERS = 8;

/** Returns the packets in a frame, the outermost first. What a fragment carries is not looked into. */
export function layersOf(frame: Uint8Array): readonly Layer[] {
  const layers: Layer[] = [{ ...payloadIn(frame), tunnel: undefined }];
  while (layers.length < MOST_LAYERS) {
    const inner = carriedBy(layers.at(-1)!);
    if (inner === undefined) break;
    layers.push(inner);
  }
  return layers;
}

/** The offset of a fragment, and the flag that more follow. */
const FRAGMENT_BITS = 0x3fff;

function carriedBy({ type, packet }: Layer): Layer | undefined {
  if (type === ETHERTYPE_IPV4 && packet.length >= IPV4_HEADER_BYTES) {
    if ((readU16(packet, 6) & FRAGMENT_BITS) !== 0) return undefined;
    return BY_PROTOCOL.get(packet[9] as number)?.(packet.subarray(((packet[0] as number) & 15) * 4));
  }
  if (type === ETHERTYPE_IPV6 && packet.length >= IPV6_HEADER_BYTES)
    return BY_PROTOCOL.get(packet[6] as number)?.(packet.subarray(IPV6_HEADER_BYTES));
  return undefined;
}
