/** RIP version 2 (RFC 2453, section 4). */
import { readU16 } from "../../base/bytes.ts";
import { RIP_ENTRY_BYTES, RIP_FAMILY_IPV4, RIP_HEADER_BYTES, ripEntriesEnd } from "../rip.ts";
import {
  dec8,
  dec16,
  dec32,
  type Field,
  ipv4,
  makeLayer,
  named,
  type Reader,
  type Row,
  readRows,
} from "./layer.ts";

const HEADER: readonly Row[] = [
  ["Command", 0, 1, (bytes, at) => named(bytes[at]!, ["", "request", "response"][bytes[at]!])],
  ["Version", 1, 1, dec8],
];
const ENTRY: readonly Row[] = [
  ["Address family", 0, 2, (bytes, at) => named(readU16(bytes, at), FAMILIES[readU16(bytes, at)])],
  ["Route tag", 2, 2, dec16],
  ["Network", 4, 4, ipv4],
  ["Mask", 8, 4, ipv4],
  ["Next hop", 12, 4, ipv4],
  ["Metric", 16, 4, dec32],
];
const FAMILIES: Readonly<Record<number, string>> = {
  0: "none",
  [RIP_FAMILY_IPV4]: "IPv4",
  65535: "authentication",
};

export const readRip: Reader = (bytes, at, end) => {
  const fields: Field[] = readRows(bytes, at, end, HEADER);
  const entriesEnd = at + ripEntriesEnd(bytes.subarray(at, end));
  for (let entry = at + RIP_HEADER_BYTES; entry < entriesEnd; entry += RIP_ENTRY_BYTES)
    fields.push(...readRows(bytes, entry, end, ENTRY));
  return { layer: makeLayer("RIP", at, end - at, end, fields) };
};
