/** Echo (RFC 792): the only ICMP message that the PC answers. Ignores the message's code and checksum. */
import { readU16, writeU16 } from "../../../base/bytes.ts";
import { updateChecksum } from "../../../base/checksum.ts";
import { ETHERNET_HEADER_BYTES } from "../../../wire/ethernet.ts";
import { ICMP_ECHO, ICMP_ECHO_REPLY, ICMP_HEADER_BYTES } from "../../../wire/icmp.ts";
import type { Host, ReceivedIpv4 } from "../host.ts";
import type { Answers } from "./answers.ts";
import { turnAround } from "./turn-around.ts";

export function answerIcmp(host: Host, answers: Answers, packet: ReceivedIpv4): void {
  if (packet.payload.length < ICMP_HEADER_BYTES || packet.payload[0] !== ICMP_ECHO) return;
  const frame = turnAround(host, packet);
  const at = ETHERNET_HEADER_BYTES + packet.header.headerBytes;
  const before = readU16(frame, at);
  frame[at] = ICMP_ECHO_REPLY;
  // Adjusts the checksum instead of computing it: a damaged request must not return with a valid checksum.
  writeU16(frame, at + 2, updateChecksum(readU16(frame, at + 2), before, readU16(frame, at)));
  answers.to(packet, { frame });
}
