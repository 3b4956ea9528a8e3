/**
 * Reassembles the fragments of IPv6 packets (RFC 8200, section 4.5), with a timeout of 60 s per packet. The fragment header
 * must follow the fixed header. No ICMPv6 error reports a dropped packet.
 */
import { writeU16 } from "../../base/bytes.ts";
import { ETHERNET_HEADER_BYTES } from "../../wire/ethernet.ts";
import { IPV6_HEADER_BYTES, type Ipv6Header } from "../../wire/ipv6.ts";
import { formatIpv6 } from "../../wire/ipv6-address.ts";
import { decodeIpv6Fragment } from "../../wire/ipv6-fragment.ts";
import { type Fragment, Fragments } from "./fragments.ts";

const TIMEOUT_US = 60_000_000;
const HEADERS_BYTES = ETHERNET_HEADER_BYTES + IPV6_HEADER_BYTES;
const MAX_FRAME_BYTES = HEADERS_BYTES + 65_535;
const PAYLOAD_LENGTH_AT = ETHERNET_HEADER_BYTES + 4;
const NEXT_HEADER_AT = ETHERNET_HEADER_BYTES + 6;

export class Ipv6Reassembly {
  readonly #fragments = new Fragments(TIMEOUT_US, MAX_FRAME_BYTES);

  freeze() {
    return this.#fragments.freeze();
  }

  thaw(datagrams: ReturnType<Fragments["freeze"]>): void {
    this.#fragments.thaw(datagrams);
  }

  /**
   * @param frame contains a packet whose next header is a fragment header.
   * @returns a frame with the whole packet, without the fragment header, if this fragment completes it.
   */
  add(
    frame: Uint8Array,
    { payloadBytes, source, target }: Ipv6Header,
    nowUs: number,
  ): Uint8Array | undefined {
    const piece = decodeIpv6Fragment(frame.subarray(HEADERS_BYTES, HEADERS_BYTES + payloadBytes));
    if (piece === null || (piece.moreFragments && piece.data.length % 8 !== 0)) return undefined;
    const header = frame.slice(0, HEADERS_BYTES);
    header[NEXT_HEADER_AT] = piece.nextHeader;
    const fragment: Fragment = { ...piece, header, isLast: !piece.moreFragments };
    // RFC 6946, section 4: a packet in one fragment is independent of other fragments with its identification.
    const isWhole = piece.offset === 0 && !piece.moreFragments;
    const whole = isWhole
      ? joinOne(fragment)
      : this.#fragments.add(`${formatIpv6(source)} ${formatIpv6(target)} ${piece.id}`, fragment, nowUs);
    if (whole !== undefined) writeU16(whole, PAYLOAD_LENGTH_AT, whole.length - HEADERS_BYTES);
    return whole;
  }
}

function joinOne({ header, data }: Fragment): Uint8Array {
  const frame = new Uint8Array(header.length + data.length);
  frame.set(header);
  frame.set(data, header.length);
  return frame;
}
