/**
 * Logical link control (IEEE 802.2) in frames with a length, SNAP (IEEE 802), and the spanning tree (IEEE 802.1D-2004, 9.3), whose codec is in
 * `net/bridge/rstp`.
 */
import { readU16, readU32 } from "../base/bytes.ts";
import { afterType, ETHERNET } from "./ethernet.ts";
import { formatMac, readMac } from "./mac.ts";
import { endOf, lacks, type Place, type Protocol, type Row } from "./protocol.ts";
import { dec8, dec16, dec32, flagNames, hex, hex8, hex16, hex24, mac } from "./show.ts";

export const SAP_SPANNING_TREE = 0x4242;
export const SAP_SNAP = 0xaaaa;
export const SAP_RAW_IPX = 0xffff;
const LLC_HEADER_BYTES = 3;
const LLC_UNNUMBERED = 0x03;

/** Behind a length. */
export const LLC: Protocol = {
  name: "LLC",
  layout: [
    ["DSAP", 0, 1, hex8],
    ["SSAP", 1, 1, hex8],
    ["Control", 2, 1, hex8],
  ],
  length: () => LLC_HEADER_BYTES,
  check: (place) => {
    const end = endOf(place, readU16(place.bytes, place.at - 2), "802.3 frame");
    return typeof end === "number" ? (lacks({ ...place, end }, LLC_HEADER_BYTES, "LLC header") ?? end) : end;
  },
  next: (place) => afterLlc(place),
};

export function afterLlc({ bytes, at }: Place) {
  const access = readU16(bytes, at);
  return {
    to: ["llc", access] as const,
    // IPX in 802.3 has no LLC: these bytes are its checksum.
    at: access === SAP_RAW_IPX ? at : at + LLC_HEADER_BYTES,
    unknown: `DSAP ${hex(access >> 8, 2)}, SSAP ${hex(access & 255, 2)}`,
  };
}

const OUI_ETHERTYPE = 0x00_0000;
const OUI_CISCO = 0x00_000c;
const OUI_BRIDGED = 0x00_80c2;
/** Bridged Ethernet with and without frame check sequence (RFC 2684, RFC 2427). */
const BRIDGED_ETHERNET = [1, 7];
const SNAP_BYTES = 5;

/** From the organisation's number. */
export const SNAP: Protocol = {
  name: "SNAP",
  least: [SNAP_BYTES, "SNAP header"],
  layout: [
    ["Organisation", 0, 3, hex24],
    ["Type", 3, 2, hex16],
  ],
  next: (place) => {
    const { bytes, at } = place;
    const organisation = readU32(bytes, at) >>> 8;
    const type = readU16(bytes, at + 3);
    const end = at + SNAP_BYTES;
    if (organisation === OUI_ETHERTYPE) return afterType(place, at + 3);
    if (organisation === OUI_BRIDGED && BRIDGED_ETHERNET.includes(type))
      // RFC 2684, which has an LLC header before this one, pads to a multiple of 4.
      return { to: ETHERNET, at: end + (bytes[at - 1] === LLC_UNNUMBERED ? 2 : 0) };
    const numbers = organisation === OUI_CISCO ? [type] : [];
    const unknown = `organisation ${hex(organisation, 6)}, type ${hex(type)}`;
    return { to: ["snap", ...numbers], at: end, unknown };
  },
};

const TOPOLOGY_CHANGE_BPDU = 0x80;
const CONFIGURATION_BYTES = 27;
const FLAGS = [
  [0x80, "topology change acknowledged"],
  [0x40, "agreement"],
  [0x20, "forwarding"],
  [0x10, "learning"],
  [0x02, "proposal"],
  [0x01, "topology change"],
] as const;
const PORT_ROLES = ["unknown", "alternate or backup", "root", "designated"];
const time = (bytes: Uint8Array, at: number): string => `${readU16(bytes, at) / 256} s`;

const HEADER: readonly Row[] = [
  ["Protocol", 0, 2, dec16],
  ["Version", 2, 1, dec8],
  ["Type", 3, 1, hex8],
];
const isTopologyChange = ({ bytes, at }: Place): boolean => bytes[at + 3] === TOPOLOGY_CHANGE_BPDU;

export const STP: Protocol = {
  name: "STP",
  title: "Spanning tree",
  least: [4, "BPDU"],
  check: (place) => (isTopologyChange(place) ? undefined : lacks(place, CONFIGURATION_BYTES, "BPDU")),
  length: (place) => (isTopologyChange(place) ? 4 : place.bytes[place.at + 2]! >= 2 ? 36 : 35),
  layout: (place) =>
    isTopologyChange(place)
      ? HEADER
      : [
          ...HEADER,
          ["Flags", 4, 1, (bytes, at) => flagNames(bytes[at]!, FLAGS)],
          ["Port role", 4, 1, (bytes, at) => PORT_ROLES[(bytes[at]! >> 2) & 3]!],
          ["Root priority", 5, 2, dec16],
          ["Root", 7, 6, mac],
          ["Root path cost", 13, 4, dec32],
          ["Bridge priority", 17, 2, dec16],
          ["Bridge", 19, 6, mac],
          ["Port", 25, 2, hex16],
          ["Message age", 27, 2, time],
          ["Maximum age", 29, 2, time],
          ["Hello time", 31, 2, time],
          ["Forward delay", 33, 2, time],
          ["Version 1 length", 35, 1, dec8],
        ],
  line: (place, seen) => {
    if (isTopologyChange(place)) return "Topology change";
    const { bytes, at } = place;
    if (bytes[at + 2]! >= 2) seen.protocol = "RSTP";
    const root = `${readU16(bytes, at + 5)}/${formatMac(readMac(bytes, at + 7))}`;
    return `Root ${root} cost=${readU32(bytes, at + 13)} port=${hex(readU16(bytes, at + 25))}`;
  },
};
