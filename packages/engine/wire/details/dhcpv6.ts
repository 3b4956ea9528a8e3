/** DHCPv6 (RFC 8415): the header, and the options by their codes. */
import { readU16 } from "../../base/bytes.ts";
import { DHCPV6_TYPES } from "../summary/dhcpv6.ts";
import { type Field, hex16, makeLayer, named, type Reader, type Row, readRows } from "./layer.ts";

const HEADER: readonly Row[] = [
  ["Message type", 0, 1, (bytes, at) => named(bytes[at]!, DHCPV6_TYPES[bytes[at]!])],
  ["Transaction", 1, 3, (bytes, at) => `${hex16(bytes, at)}${bytes[at + 2]!.toString(16).padStart(2, "0")}`],
];
const HEADER_BYTES = 4;
const OPTIONS: Readonly<Record<number, string>> = {
  1: "Client identifier",
  2: "Server identifier",
  3: "Addresses (IA_NA)",
  6: "Requested options",
  8: "Elapsed time",
  13: "Status",
  14: "Rapid commit",
  23: "DNS servers",
  24: "Domains",
  25: "Prefixes (IA_PD)",
};

export const readDhcpv6: Reader = (bytes, start, end) => {
  const fields: Field[] = readRows(bytes, start, end, HEADER);
  for (let at = start + HEADER_BYTES; at + 4 <= end; ) {
    const [code, length] = [readU16(bytes, at), 4 + readU16(bytes, at + 2)];
    if (at + length > end) break;
    fields.push({ label: OPTIONS[code] ?? `Option ${code}`, value: `${length - 4} bytes`, at, length });
    at += length;
  }
  return { layer: makeLayer("DHCPv6", start, end - start, end, fields) };
};
