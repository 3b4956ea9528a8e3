/** The link layers that a capture can have. */

import { readU16 } from "../../base/bytes.ts";
import type { DataLinkTypeName } from "../../pcap/index.ts";
import { decodeEthernet, decodeEtherType, decodeSnap } from "./ethernet.ts";
import { decodeIpv4 } from "./ipv4.ts";
import { decodeIpv6 } from "./ipv6.ts";
import { hex, type Packet } from "./packet.ts";

const DECODERS: Readonly<Record<DataLinkTypeName, (packet: Packet) => void>> = {
  DLT_EN10MB: (packet) => decodeEthernet(packet, 0),
  DLT_C_HDLC: decodeCiscoHdlc,
  DLT_PPP_SERIAL: decodePpp,
  DLT_FRELAY: decodeFrameRelay,
  DLT_ATM_RFC1483: decodeAtm,
};

export const decodeLink = (packet: Packet, linkType: DataLinkTypeName): void => DECODERS[linkType](packet);

const HDLC_UNICAST = 0x0f;
const HDLC_BROADCAST = 0x8f;
const HDLC_SLARP = 0x8035;

/** Address, control, EtherType. */
function decodeCiscoHdlc(packet: Packet): void {
  packet.protocol = "CHDLC";
  if (!packet.has(0, 4, "Cisco HDLC header")) return;
  const type = readU16(packet.bytes, 2);
  if (type === HDLC_SLARP) decodeSlarp(packet);
  else decodeEtherType(packet, type, 4);
}

const SLARP_WORDS: Readonly<Record<number, string>> = {
  0: "Address request",
  1: "Address reply",
  2: "Keepalive",
};

function decodeSlarp(packet: Packet): void {
  packet.protocol = "SLARP";
  if (!packet.has(4, 4, "SLARP code")) return;
  const code = readU16(packet.bytes, 4) * 0x1_0000 + readU16(packet.bytes, 6);
  packet.info = SLARP_WORDS[code] ?? `code ${code}`;
}

const PPP_ADDRESS = 0xff;
/** PPP protocol numbers (IANA). */
const PPP_IPV4 = 0x0021;
const PPP_IPV6 = 0x0057;
const PPP_CONTROL: ReadonlyMap<number, string> = new Map([
  [0x8021, "IPCP"],
  [0x8057, "IPV6CP"],
  [0x8207, "CDPCP"],
  [0xc021, "LCP"],
  [0xc023, "PAP"],
  [0xc025, "LQR"],
  [0xc223, "CHAP"],
]);

const CONTROL_CODES: readonly string[] = [
  "",
  "Configure-Request",
  "Configure-Ack",
  "Configure-Nak",
  "Configure-Reject",
  "Terminate-Request",
  "Terminate-Ack",
  "Code-Reject",
  "Protocol-Reject",
  "Echo-Request",
  "Echo-Reply",
  "Discard-Request",
];

/** PPP in HDLC-like framing (RFC 1662). A first byte of Cisco HDLC selects that, as in libpcap's DLT_PPP_SERIAL. */
function decodePpp(packet: Packet): void {
  packet.protocol = "PPP";
  if (!packet.has(0, 1, "PPP header")) return;
  const first = packet.bytes[0];
  if (first === HDLC_UNICAST || first === HDLC_BROADCAST) decodeCiscoHdlc(packet);
  else decodePppProtocol(packet, first === PPP_ADDRESS ? 2 : 0);
}

function decodePppProtocol(packet: Packet, at: number): void {
  if (!packet.has(at, 2, "PPP protocol field")) return;
  const number = readU16(packet.bytes, at);
  const name = PPP_CONTROL.get(number);
  if (number === PPP_IPV4) decodeIpv4(packet, at + 2);
  else if (number === PPP_IPV6) decodeIpv6(packet, at + 2);
  else if (name === undefined) packet.describeSize(undefined, `protocol ${hex(number)}`, at + 2);
  else decodePppControl(packet, name, at + 2);
}

function decodePppControl(packet: Packet, name: string, at: number): void {
  packet.protocol = name;
  if (!packet.has(at, 4, `${name} header`)) return;
  const code = packet.bytes[at] as number;
  const usual = name.endsWith("CP") ? CONTROL_CODES[code] : undefined;
  packet.info = `${usual || `code ${code}`} id=${packet.bytes[at + 1]}`;
}

const NLPID_SNAP = 0x80;
const NLPID_IPV4 = 0xcc;
const NLPID_IPV6 = 0x8e;
const UNNUMBERED = 0x03;
const Q922_MAX_BYTES = 4;

/** A Q.922 address of two bytes or more, then a control byte and NLPID (RFC 2427), or Cisco's EtherType. */
function decodeFrameRelay(packet: Packet): void {
  const { bytes } = packet;
  packet.protocol = "Frame Relay";
  const at = readQ922(packet);
  if (at === undefined || at === packet.end) return;
  if (bytes[at] === UNNUMBERED) decodeNlpid(packet, at + 1);
  else if (packet.has(at, 2, "EtherType")) decodeEtherType(packet, readU16(bytes, at), at + 2);
}

/** Reports the DLCI; returns the offset after the address, undefined if the address does not end. */
function readQ922(packet: Packet): number | undefined {
  let dlci = 0;
  for (let at = 0; at < Q922_MAX_BYTES; at++) {
    if (!packet.has(at, 1, "Frame Relay address")) return undefined;
    const byte = packet.bytes[at] as number;
    // Ten bits in the first two bytes, seven in each further byte.
    dlci = at === 0 ? byte >> 2 : at === 1 ? dlci * 16 + (byte >> 4) : dlci * 128 + (byte >> 1);
    packet.info = `DLCI ${dlci}`;
    if (byte & 1) return at + 1;
  }
  packet.malformed("the Frame Relay address does not end");
  return undefined;
}

function decodeNlpid(packet: Packet, start: number): void {
  const { bytes } = packet;
  if (!packet.has(start, 1, "NLPID")) return;
  const at = bytes[start] === 0 ? start + 1 : start;
  if (!packet.has(at, 1, "NLPID")) return;
  const nlpid = bytes[at] as number;
  if (nlpid === NLPID_IPV4) decodeIpv4(packet, at + 1);
  else if (nlpid === NLPID_IPV6) decodeIpv6(packet, at + 1);
  else if (nlpid === NLPID_SNAP) decodeSnap(packet, at + 1);
  else packet.describeSize(undefined, `${packet.info}, NLPID ${hex(nlpid, 2)}`, at + 1);
}

const LLC_SNAP = 0xaaaa;

/** LLC-encapsulated AAL5 (RFC 2684). */
function decodeAtm(packet: Packet): void {
  packet.protocol = "ATM";
  if (!packet.has(0, 3, "LLC header")) return;
  const access = readU16(packet.bytes, 0);
  if (access === LLC_SNAP) decodeSnap(packet, 3);
  else packet.describeSize(undefined, `DSAP ${hex(access >> 8, 2)}, SSAP ${hex(access & 255, 2)}`, 3);
}
