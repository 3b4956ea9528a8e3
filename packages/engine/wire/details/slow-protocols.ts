/** LACP and its markers (IEEE 802.1AX); what follows the subtype of other slow protocols is data. */
import { LACPDU_BYTES, lacpStateNames, SUBTYPE_LACP, SUBTYPE_MARKER } from "../lacp.ts";
import { dec8, dec16, hex32, mac, makeLayer, type Reader, type Row, readRows } from "./layer.ts";

const endRows = (name: string, at: number): Row[] => [
  [`${name} system priority`, at, 2, dec16],
  [`${name} system`, at + 2, 6, mac],
  [`${name} key`, at + 8, 2, dec16],
  [`${name} port priority`, at + 10, 2, dec16],
  [`${name} port`, at + 12, 2, dec16],
  [`${name} state`, at + 14, 1, (bytes, offset) => lacpStateNames(bytes[offset]!).join(", ") || "none"],
];

const SUBTYPE: readonly Row[] = [["Subtype", 0, 1, dec8]];
const LACP: readonly Row[] = [
  ...SUBTYPE,
  ["Version", 1, 1, dec8],
  ...endRows("Actor", 4),
  ...endRows("Partner", 24),
  ["Collector max delay", 44, 2, dec16],
];
const MARKER: readonly Row[] = [
  ...SUBTYPE,
  ["Version", 1, 1, dec8],
  ["Marker type", 2, 1, dec8],
  ["Requester port", 4, 2, dec16],
  ["Requester system", 6, 6, mac],
  ["Transaction", 12, 4, hex32],
];

export const readSlowProtocol: Reader = (bytes, at, end) => {
  const subtype = at < end ? bytes[at] : undefined;
  const [name, length, rows] =
    subtype === SUBTYPE_LACP
      ? (["LACP", LACPDU_BYTES, LACP] as const)
      : subtype === SUBTYPE_MARKER
        ? (["LACP marker", LACPDU_BYTES, MARKER] as const)
        : (["Slow protocol", 1, SUBTYPE] as const);
  return { layer: makeLayer(name, at, length, end, readRows(bytes, at, end, rows)) };
};
