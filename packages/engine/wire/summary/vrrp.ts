/** VRRP version 3 (RFC 9568, section 5.2). */
import { decodeVrrp as decode, PRIORITY_OWNER, PRIORITY_STOPS } from "../vrrp.ts";
import { bytesText, type IpPayload, type Packet } from "./packet.ts";

const CENTISECOND_MS = 10;
const IPV4_BYTES = 4;
const IPV6_BYTES = 16;

export function decodeVrrp(packet: Packet, { at, payloadBytes, ttl }: IpPayload): void {
  const isIpv6 = packet.source?.includes(":") === true;
  const message = decode(packet.bytes.subarray(at, packet.end), isIpv6 ? IPV6_BYTES : IPV4_BYTES);
  if (message === null) {
    packet.describe("VRRP", `${bytesText(Math.max(0, payloadBytes))} ttl=${ttl}`);
    return;
  }
  const { id, priority, intervalCs } = message;
  const role = priority === PRIORITY_STOPS ? " stops" : priority === PRIORITY_OWNER ? " owner" : "";
  packet.describe(
    "VRRP",
    `Advertisement of virtual router ${id} priority=${priority}${role} interval=${intervalCs * CENTISECOND_MS} ms`,
  );
}
