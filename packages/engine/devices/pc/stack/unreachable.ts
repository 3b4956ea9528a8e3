/**
 * ICMP destination unreachable (RFC 792), in VPCS's format (docs/interface.md, section 9.7): a VPCS-specific word after the
 * checksum, and a short quote.
 * "Fragmentation needed" reports the PC's MTU in that word instead (RFC 1191, section 4).
 */
import { ETHERNET_HEADER_BYTES } from "../../../wire/ethernet.ts";
import {
  encodeIcmp,
  FRAGMENTATION_NEEDED,
  ICMP_ECHO,
  ICMP_ECHO_REPLY,
  ICMP_UNREACHABLE,
} from "../../../wire/icmp.ts";
import { PROTOCOL_ICMP } from "../../../wire/ipv4.ts";
import { isGroupMac } from "../../../wire/mac.ts";
import type { Host, ReceivedIpv4 } from "../host.ts";
import type { Answers } from "./answers.ts";

const QUOTE_MAX_BYTES = 44;
const SECOND_HALF_OF_WORD = 1;

/**
 *     0   1      2          4             6       8
 *     3   code   checksum   seconds, LE   00 01   the first 44 bytes of the packet
 */
export function sendUnreachable(host: Host, answers: Answers, packet: ReceivedIpv4, code: number): void {
  if (!mayBeReported(packet)) return;
  const { frame, header, totalBytes } = packet;
  const quoteEnd = ETHERNET_HEADER_BYTES + Math.min(totalBytes, QUOTE_MAX_BYTES);
  const quote = frame.subarray(ETHERNET_HEADER_BYTES, quoteEnd);
  const id = swapBytes(host.clockSeconds % 0x1_0000);
  const rest = code === FRAGMENTATION_NEEDED ? host.state.mtuBytes : id * 0x1_0000 + SECOND_HALF_OF_WORD;
  const message = encodeIcmp(ICMP_UNREACHABLE, code, rest, quote);
  const fields = {
    source: header.target,
    target: header.source,
    protocol: PROTOCOL_ICMP,
    id,
    dontFragment: true,
  };
  answers.to(packet, { fields, payload: message });
}

/** Excludes later fragments, broadcast and multicast frames, and ICMP errors (RFC 1122, section 3.2.2). */
function mayBeReported({ header, payload, targetMac }: ReceivedIpv4): boolean {
  if (header.fragmentOffset > 0 || isGroupMac(targetMac)) return false;
  return header.protocol !== PROTOCOL_ICMP || payload[0] === ICMP_ECHO || payload[0] === ICMP_ECHO_REPLY;
}

const swapBytes = (value: number): number => ((value & 0xff) << 8) | (value >>> 8);
