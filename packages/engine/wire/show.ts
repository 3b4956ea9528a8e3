/** How the fields of headers are shown. */
import { readU16, readU32 } from "../base/bytes.ts";
import { formatIpv4 } from "./ipv4-address.ts";
import { formatIpv6, readIpv6 } from "./ipv6-address.ts";
import { formatMac, readMac } from "./mac.ts";
import { bytesText, type Field, type Names, type Place, type Row, type TableName } from "./protocol.ts";

export const hex = (value: number, digits = 4): string => `0x${value.toString(16).padStart(digits, "0")}`;

export const hexOf = (bytes: Uint8Array): string =>
  `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;

export const hex8 = (bytes: Uint8Array, at: number): string => hex(bytes[at]!, 2);
export const hex16 = (bytes: Uint8Array, at: number): string => hex(readU16(bytes, at));
export const hex24 = (bytes: Uint8Array, at: number): string => hex(readU32(bytes, at) >>> 8, 6);
export const hex32 = (bytes: Uint8Array, at: number): string => hex(readU32(bytes, at), 8);
export const dec8 = (bytes: Uint8Array, at: number): string => String(bytes[at]);
export const dec16 = (bytes: Uint8Array, at: number): string => String(readU16(bytes, at));
export const dec24 = (bytes: Uint8Array, at: number): string => String(readU32(bytes, at) >>> 8);
export const dec32 = (bytes: Uint8Array, at: number): string => String(readU32(bytes, at));
export const seconds = (bytes: Uint8Array, at: number): string => `${readU32(bytes, at)} s`;
export const mac = (bytes: Uint8Array, at: number): string => formatMac(readMac(bytes, at));
export const ipv4 = (bytes: Uint8Array, at: number): string => formatIpv4(readU32(bytes, at));
export const ipv6 = (bytes: Uint8Array, at: number): string => formatIpv6(readIpv6(bytes, at));

/** Shows a number with its name: `6 (TCP)`. */
export const withName = (value: string, name: string | undefined): string =>
  name === undefined ? value : `${value} (${name})`;

/** Shows the names of the bits that are set, in the order of the list. */
export const flagNames = (value: number, names: readonly (readonly [bit: number, name: string])[]): string =>
  names.flatMap(([bit, name]) => (value & bit ? [name] : [])).join(", ") || "none";

const nameIn = (names: Names | (() => Names) | undefined, number: number): string | undefined =>
  (typeof names === "function" ? names() : names)?.[number];

const isTable = (names: Row[4]): names is TableName => typeof names === "string";

/** Returns the fields of a layout whose bytes are present. @param nameOf the names in the tables of the registry. */
export const rowsAt = (
  { bytes, end }: Place,
  start: number,
  rows: readonly Row[],
  nameOf?: (table: TableName, number: number) => string | undefined,
): Field[] =>
  rows
    .filter(([, offset, length]) => start + offset + length <= end)
    .map(([label, offset, length, show, names]) => {
      const at = start + offset;
      const number = numberAt(bytes, at, length);
      const name = isTable(names) ? nameOf?.(names, number) : nameIn(names, number);
      return { label, value: withName(show(bytes, at), name), at, length };
    });

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The number in one to four bytes. */
export const numberAt = (bytes: Uint8Array, at: number, length: number): number =>
  bytes.subarray(at, at + Math.min(length, 4)).reduce((value, byte) => value * 256 + byte, 0);

const MOST_CHARACTERS = 64;

/** Returns bytes as printable ASCII, truncated, with `?` for any other byte. */
export function printable(bytes: Uint8Array): string {
  const shown = bytes.subarray(0, MOST_CHARACTERS);
  const text = Array.from(shown, (byte) =>
    byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "?",
  ).join("");
  return bytes.length > MOST_CHARACTERS ? `${text}...` : text;
}

/** Offsets count from the option's first byte. `options` is where options of the same kind begin. */
interface Inside {
  readonly rows?: readonly Row[];
  readonly options?: number;
}

/** How an option is shown: each unit of its bytes, all of them as text, or what is inside, with `show` for the whole value. An option without a label is not shown. */
export type Options = Readonly<
  Record<
    number,
    readonly [label: string, unit?: Inside | "text" | number, show?: Row[3], names?: Names | (() => Names)]
  >
>;

/** An option: its number, its length with what is before the value, and the length of what is before the value. */
export type Head = readonly [code: number, length: number, headBytes: number];

/** Returns the fields of a list of options, up to one that does not end, or the last. @param last its number. */
export function optionsAt(
  place: Place,
  start: number,
  end: number,
  options: Options,
  head: (bytes: Uint8Array, at: number) => Head,
  last?: number,
): Field[] {
  const { bytes } = place;
  const fields: Field[] = [];
  for (let at = start; at < end; ) {
    const [code, length, headBytes] = head(bytes, at);
    if (length < 1 || at + length > end) break;
    const [label, unit, show, names] = options[code] ?? [`Option ${code}`];
    const value = bytes.subarray(at + headBytes, at + length);
    if (label !== "") fields.push({ label, value: valueText(value, unit, show, names), at, length });
    if (typeof unit === "object") {
      fields.push(...rowsAt({ ...place, end: at + length }, at, unit.rows ?? []));
      if (unit.options !== undefined)
        fields.push(...optionsAt(place, at + unit.options, at + length, options, head));
    }
    if (code === last) break;
    at += length;
  }
  return fields;
}

function valueText(
  value: Uint8Array,
  unit: Options[number][1],
  show: Row[3] | undefined,
  names: Names | (() => Names) | undefined,
): string {
  if (unit === "text") return new TextDecoder().decode(value);
  if (typeof unit === "object" && show !== undefined) return show(value, 0);
  if (typeof unit !== "number" || show === undefined || value.length === 0 || value.length % unit !== 0)
    return bytesText(value.length);
  return Array.from({ length: value.length / unit }, (_, index) =>
    withName(show(value, index * unit), nameIn(names, numberAt(value, index * unit, unit))),
  ).join(", ");
}

/** Options of IPv4 and TCP: a byte with the number, then a byte with the length of the whole option. Options 0 and 1 have no length. */
export const headOfBoth = (bytes: Uint8Array, at: number): Head =>
  bytes[at]! <= 1 ? [bytes[at]!, 1, 1] : [bytes[at]!, bytes[at + 1] ?? 0, 2];
