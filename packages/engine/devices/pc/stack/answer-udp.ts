/** UDP: every port echoes its data, unless the datagram looks like an answer; a TTL of 1 ends a trace. */
import { writeU16 } from "../../../base/bytes.ts";
import { DHCP_CLIENT_PORT, DHCP_SERVER_PORT } from "../../../wire/dhcp.ts";
import { DNS_PORT } from "../../../wire/dns.ts";
import { ETHERNET_HEADER_BYTES } from "../../../wire/ethernet.ts";
import { UNREACHABLE_PORT } from "../../../wire/icmp.ts";
import { MAC_BYTES, readMac } from "../../../wire/mac.ts";
import { decodeUdp, ECHO_PORT, type Udp } from "../../../wire/udp.ts";
import type { Host, ReceivedIpv4 } from "../host.ts";
import type { Answers } from "./answers.ts";
import { turnAround } from "./turn-around.ts";
import { sendUnreachable } from "./unreachable.ts";

export function answerUdp(host: Host, answers: Answers, packet: ReceivedIpv4): void {
  const udp = decodeUdp(packet.payload);
  if (udp === null || isAnswer(host, udp)) return;
  if (packet.header.ttl > 1) echo(host, answers, packet, udp);
  else sendUnreachable(host, answers, packet, UNREACHABLE_PORT);
}

function echo(host: Host, answers: Answers, packet: ReceivedIpv4, { sourcePort, targetPort }: Udp): void {
  const frame = turnAround(host, packet);
  const at = ETHERNET_HEADER_BYTES + packet.header.headerBytes;
  writeU16(frame, at, targetPort);
  writeU16(frame, at + 2, sourcePort);
  answers.to(packet, { frame });
}

/**
 * Whether a datagram answers a command that no longer waits for it, or is an echo. Two PCs would otherwise echo an echo (from
 * port 7) without end.
 */
function isAnswer({ mac }: Host, { sourcePort, targetPort, data }: Udp): boolean {
  if (sourcePort === ECHO_PORT || sourcePort === DNS_PORT) return true;
  if (sourcePort === DHCP_SERVER_PORT && targetPort === DHCP_CLIENT_PORT) return true;
  return data.length >= MAC_BYTES && readMac(data, 0) === mac;
}
