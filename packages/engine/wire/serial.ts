/** The link layers of serial lines: Cisco HDLC, PPP (RFC 1661, RFC 1662), Frame Relay (RFC 2427) and ATM (RFC 2684). */
import { readU16, readU32 } from "../base/bytes.ts";
import { afterType, ETHERTYPE_RARP, typeOrLength } from "./ethernet.ts";
import { IPV4 } from "./ipv4.ts";
import { IPV6 } from "./ipv6.ts";
import { afterLlc, SAP_SNAP, SNAP } from "./llc.ts";
import { type Fault, lacks, type Names, type Next, type Place, type Protocol } from "./protocol.ts";
import { dec8, dec16, dec32, hex, hex8, hex16 } from "./show.ts";

const HDLC_HEADER_BYTES = 4;
const HDLC_UNICAST = 0x0f;
const HDLC_BROADCAST = 0x8f;
/** SLARP has the type of RARP. */
const HDLC_SLARP = ETHERTYPE_RARP;

const SLARP_CODES: Names = { 0: "Address request", 1: "Address reply", 2: "Keepalive" };
const SLARP_KEEPALIVE = 2;

const SLARP: Protocol = {
  name: "SLARP",
  least: [4, "SLARP code"],
  length: ({ at, end }) => end - at,
  layout: ({ bytes, at }) => [
    ["Code", 0, 4, dec32, SLARP_CODES],
    ...(readU32(bytes, at) === SLARP_KEEPALIVE
      ? ([
          ["Sequence number", 4, 4, dec32],
          ["Sequence number heard", 8, 4, dec32],
        ] as const)
      : []),
  ],
  line: ({ bytes, at }) => SLARP_CODES[readU32(bytes, at)] ?? `code ${readU32(bytes, at)}`,
};

/** Address, control, EtherType. */
export const CISCO_HDLC: Protocol = {
  name: "CHDLC",
  title: "Cisco HDLC",
  least: [HDLC_HEADER_BYTES, "Cisco HDLC header"],
  layout: [
    ["Address", 0, 1, hex8],
    ["Control", 1, 1, hex8],
    ["Type", 2, 2, typeOrLength, "ethertype"],
  ],
  next: (place) =>
    readU16(place.bytes, place.at + 2) === HDLC_SLARP
      ? { to: SLARP, at: place.at + HDLC_HEADER_BYTES }
      : afterType(place, place.at + 2),
};

const PPP_ADDRESS = 0xff;

/** The offset of the protocol field: address and control may be left out. */
const pppProtocolAt = ({ bytes, at }: Place): number => (bytes[at] === PPP_ADDRESS ? at + 2 : at);
const isHdlc = ({ bytes, at }: Place): boolean => bytes[at] === HDLC_UNICAST || bytes[at] === HDLC_BROADCAST;

/** PPP in HDLC-like framing (RFC 1662). A first byte of Cisco HDLC selects that, as in libpcap's DLT_PPP_SERIAL. */
export const PPP: Protocol = {
  name: "PPP",
  least: [1, "PPP header"],
  check: (place) => (isHdlc(place) ? undefined : lacks(place, 2, "PPP protocol field", pppProtocolAt(place))),
  length: (place) => (isHdlc(place) ? 0 : pppProtocolAt(place) + 2 - place.at),
  layout: (place) => {
    const offset = pppProtocolAt(place) - place.at;
    return [
      ...(offset === 0
        ? []
        : ([
            ["Address", 0, 1, hex8],
            ["Control", 1, 1, hex8],
          ] as const)),
      ["Protocol", offset, 2, hex16, "ppp"],
    ];
  },
  next: (place) => {
    if (isHdlc(place)) return { to: CISCO_HDLC, at: place.at };
    const at = pppProtocolAt(place);
    const number = readU16(place.bytes, at);
    return { to: ["ppp", number], at: at + 2, unknown: `protocol ${hex(number)}` };
  },
};

const CONTROL_CODES: Names = {
  1: "Configure-Request",
  2: "Configure-Ack",
  3: "Configure-Nak",
  4: "Configure-Reject",
  5: "Terminate-Request",
  6: "Terminate-Ack",
  7: "Code-Reject",
  8: "Protocol-Reject",
  9: "Echo-Request",
  10: "Echo-Reply",
  11: "Discard-Request",
};

/** A control protocol of PPP. @param codes names for the values of the field Code; without them, the names of LCP. */
export const pppControl = (name: string, codes: Names = CONTROL_CODES): Protocol => ({
  name,
  least: [4, `${name} header`],
  layout: [
    ["Code", 0, 1, dec8, codes],
    ["Identifier", 1, 1, dec8],
    ["Length", 2, 2, dec16],
  ],
  line: ({ bytes, at }) => `${codes[bytes[at]!] ?? `code ${bytes[at]}`} id=${bytes[at + 1]}`,
});

const NLPID_SNAP = 0x80;
const NLPID_IPV4 = 0xcc;
const NLPID_IPV6 = 0x8e;
const UNNUMBERED = 0x03;
const Q922_MAX_BYTES = 4;

interface Q922 {
  readonly dlci: number;
  /** The offset after the address. */
  readonly end: number;
}

/** Reads as much of the address as there is: ten bits in the first two bytes, seven in each further one. */
function readQ922({ bytes, at, end }: Place): Q922 & { readonly isWhole: boolean } {
  let dlci = 0;
  let index = 0;
  for (; index < Q922_MAX_BYTES && at + index < end; index++) {
    const byte = bytes[at + index]!;
    dlci = index === 0 ? byte >> 2 : index === 1 ? dlci * 16 + (byte >> 4) : dlci * 128 + (byte >> 1);
    if (byte & 1) return { dlci, end: at + index + 1, isWhole: true };
  }
  return { dlci, end: at + index, isWhole: false };
}

/** The offset of the NLPID, behind a control byte and a padding; undefined for Cisco's EtherType. */
function nlpidAt({ bytes }: Place, { end }: Q922): number | undefined {
  if (bytes[end] !== UNNUMBERED) return undefined;
  return bytes[end + 1] === 0 ? end + 2 : end + 1;
}

/** A Q.922 address of two bytes or more, then a control byte and NLPID, or Cisco's EtherType. */
export const FRAME_RELAY: Protocol = {
  name: "Frame Relay",
  check: (place): Fault | undefined => {
    const address = readQ922(place);
    if (!address.isWhole)
      return address.end - place.at < Q922_MAX_BYTES
        ? lacks(place, 1, "Frame Relay address", address.end)
        : { text: "the Frame Relay address does not end" };
    if (address.end === place.end) return undefined;
    const nlpid = nlpidAt(place, address);
    if (nlpid === undefined) return lacks(place, 2, "EtherType", address.end);
    return lacks(place, 1, "NLPID", nlpid);
  },
  length: (place) => readQ922(place).end - place.at,
  layout: (place) => {
    const address = readQ922(place);
    const bytes = address.end - place.at;
    const nlpid = nlpidAt(place, address);
    return [
      ["DLCI", 0, bytes, () => String(address.dlci)],
      ...(nlpid === undefined
        ? ([["Type", bytes, 2, typeOrLength, "ethertype"]] as const)
        : ([
            ["Control", bytes, 1, hex8],
            ["NLPID", nlpid - place.at, 1, hex8],
          ] as const)),
    ];
  },
  line: (place) => `DLCI ${readQ922(place).dlci}`,
  next: (place): Next | undefined => {
    const address = readQ922(place);
    if (address.end === place.end) return undefined;
    const at = nlpidAt(place, address);
    if (at === undefined) return afterType(place, address.end);
    const nlpid = place.bytes[at]!;
    const to = { [NLPID_IPV4]: IPV4, [NLPID_IPV6]: IPV6, [NLPID_SNAP]: SNAP }[nlpid] ?? (["snap"] as const);
    return { to, at: at + 1, unknown: `DLCI ${address.dlci}, NLPID ${hex(nlpid, 2)}` };
  },
};

/** LLC-encapsulated AAL5 (RFC 2684). */
export const ATM: Protocol = {
  name: "ATM",
  least: [3, "LLC header"],
  layout: [
    ["DSAP", 0, 1, hex8],
    ["SSAP", 1, 1, hex8],
    ["Control", 2, 1, hex8],
  ],
  next: (place) => {
    const next = afterLlc(place);
    return next.to[1] === SAP_SNAP ? next : { ...next, to: ["snap"], at: place.at + 3 };
  },
};
