/** The slow protocols (IEEE 802.3, annex 57A): LACP and its markers; others by their subtype. */
import { decodeLacp, LACPDU_BYTES, type LacpEnd, SUBTYPE_LACP, SUBTYPE_MARKER } from "../lacp.ts";
import { formatMac } from "../mac.ts";
import { bytesText, type Packet } from "./packet.ts";

const MARKERS: Readonly<Record<number, string>> = { 1: "Marker", 2: "Marker response" };

export function decodeSlowProtocol(packet: Packet, at: number): void {
  packet.describe("Slow Protocols", bytesText(Math.max(0, packet.end - at)));
  const subtype = at < packet.end ? packet.bytes[at] : undefined;
  if (subtype !== SUBTYPE_LACP && subtype !== SUBTYPE_MARKER) return;
  packet.protocol = "LACP";
  if (!packet.has(at, LACPDU_BYTES, "LACP")) return;
  if (subtype === SUBTYPE_MARKER) {
    packet.info = MARKERS[packet.bytes[at + 2]!] ?? "Marker of an unknown kind";
    return;
  }
  const pdu = decodeLacp(packet.bytes, at);
  if (pdu === undefined) packet.malformed("the version is 0");
  else packet.info = `Actor ${describe(pdu.actor)}, partner ${describe(pdu.partner)}`;
}

/** The bits of a state, the most significant first, as tshark shows them: distributing is D, an absent bit a star. */
const LETTERS = "EFDCSGSA";

const describe = ({ system, key, port, state }: LacpEnd): string =>
  `${formatMac(system)} key=${key} port=${port} ${lettersOf(state)}`;

const lettersOf = (state: number): string =>
  Array.from(LETTERS, (letter, index) => (state & (0x80 >> index) ? letter : "*")).join("");
