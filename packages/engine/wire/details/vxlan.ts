/** VXLAN (RFC 7348, section 5), and the frame that it carries. */
import { readU32 } from "../../base/bytes.ts";
import { VXLAN_HEADER_BYTES } from "../vxlan.ts";
import { hex8, makeLayer, type Reader, type Row, readRows } from "./layer.ts";

const HEADER: readonly Row[] = [
  ["Flags", 0, 1, hex8],
  ["VNI", 4, 3, (bytes, at) => String(readU32(bytes, at) >>> 8)],
];

export const readVxlan: Reader = (bytes, at, end) => ({
  layer: makeLayer("VXLAN", at, VXLAN_HEADER_BYTES, end, readRows(bytes, at, end, HEADER)),
  next: { read: "frame", at: Math.min(end, at + VXLAN_HEADER_BYTES), end },
});
