/** TCP (RFC 9293). */
import { readU16, readU32 } from "../../base/bytes.ts";
import {
  TCP_ACK,
  TCP_CWR,
  TCP_ECE,
  TCP_FIN,
  TCP_HEADER_BYTES,
  TCP_PSH,
  TCP_RST,
  TCP_SYN,
  TCP_URG,
} from "../tcp.ts";
import type { IpPayload, Packet } from "./packet.ts";

const FLAG_NAMES: readonly (readonly [flag: number, name: string])[] = [
  [TCP_FIN, "FIN"],
  [TCP_SYN, "SYN"],
  [TCP_RST, "RST"],
  [TCP_PSH, "PSH"],
  [TCP_ACK, "ACK"],
  [TCP_URG, "URG"],
  [TCP_ECE, "ECE"],
  [TCP_CWR, "CWR"],
];

export function decodeTcp(packet: Packet, { at, payloadBytes }: IpPayload): void {
  const { bytes } = packet;
  packet.protocol = "TCP";
  if (!packet.has(at, 4, "TCP ports")) return;
  const sourcePort = readU16(bytes, at);
  const targetPort = readU16(bytes, at + 2);
  packet.sourcePort = sourcePort;
  packet.targetPort = targetPort;
  if (!packet.has(at, TCP_HEADER_BYTES, "TCP header")) return;
  const headerBytes = ((bytes[at + 12] as number) >> 4) * 4;
  if (headerBytes < TCP_HEADER_BYTES || headerBytes > payloadBytes) {
    packet.malformed(`TCP header of ${headerBytes} bytes in ${payloadBytes}`);
  } else {
    packet.info = describe(bytes.subarray(at), `${sourcePort} -> ${targetPort}`, payloadBytes - headerBytes);
  }
}

function describe(segment: Uint8Array, ports: string, dataBytes: number): string {
  const flags = segment[13] as number;
  const names = FLAG_NAMES.flatMap(([flag, name]) => (flags & flag ? [name] : []));
  const fields = [
    `seq=${readU32(segment, 4)}`,
    ...(flags & TCP_ACK ? [`ack=${readU32(segment, 8)}`] : []),
    `win=${readU16(segment, 14)}`,
    `len=${dataBytes}`,
  ];
  return `${names.join(", ") || "no flags"} ${ports} ${fields.join(" ")}`;
}
