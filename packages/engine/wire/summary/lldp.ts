/** LLDP (IEEE 802.1AB): who announces itself, at which port, and for how long. */
import { decodeLldp } from "../lldp.ts";
import { bytesText, type Packet } from "./packet.ts";

/** The three mandatory TLVs with one byte of identifiers each. */
const SMALLEST_BYTES = 12;

export function decodeLldpPacket(packet: Packet, at: number): void {
  packet.describe("LLDP", bytesText(Math.max(0, packet.end - at)));
  if (!packet.has(at, SMALLEST_BYTES, "LLDP")) return;
  const pdu = decodeLldp(packet.bytes.subarray(0, packet.end), at);
  if (pdu === undefined) {
    if (!packet.isCut)
      packet.malformed("chassis, port and time to live do not begin the TLVs, or one does not end");
    return;
  }
  const { chassis, port, ttl, systemName } = pdu;
  packet.info = `${chassis.id} port ${port.id} TTL=${ttl}${systemName ? ` ${systemName}` : ""}`;
}
