/** One layer of a packet with its fields, and how tables of fields are read. */
import { readU16, readU32 } from "../../base/bytes.ts";
import { formatIpv4 } from "../ipv4-address.ts";
import { formatIpv6, readIpv6 } from "../ipv6-address.ts";
import { formatMac, readMac } from "../mac.ts";

/** Bytes of the packet, and what they state. Two fields can share bytes: flags of one byte. */
export interface Field {
  readonly label: string;
  readonly value: string;
  /** Offset in the packet, in bytes. */
  readonly at: number;
  readonly length: number;
}

export interface Layer {
  readonly name: string;
  readonly at: number;
  readonly length: number;
  readonly fields: readonly Field[];
}

/** A field of a header: its label, its offset from the header, its length, and how its value is shown. */
export type Row = readonly [
  label: string,
  offset: number,
  length: number,
  show: (bytes: Uint8Array, at: number) => string,
];

/** Reads a layer at an offset. `end` is where the layer around it ends. */
export type Reader = (bytes: Uint8Array, at: number, end: number) => Read;

export interface Read {
  readonly layer: Layer;
  /** The payload; undefined when nothing is known about it. */
  readonly next?: Next | undefined;
}

export interface Next {
  /** `frame`: an Ethernet frame, which a tunnel carries. */
  readonly read: Reader | "frame";
  readonly at: number;
  /** Where the payload ends; what follows is padding. */
  readonly end: number;
}

/** Returns the fields of the table whose bytes are present. */
export const readRows = (bytes: Uint8Array, start: number, end: number, rows: readonly Row[]): Field[] =>
  rows
    .filter(([, offset, length]) => start + offset + length <= end)
    .map(([label, offset, length, show]) => ({
      label,
      value: show(bytes, start + offset),
      at: start + offset,
      length,
    }));

/** @param length that of the header; the layer ends with the bytes that are present. */
export const makeLayer = (
  name: string,
  at: number,
  length: number,
  end: number,
  fields: readonly Field[],
): Layer => ({ name, at, length: Math.max(0, Math.min(length, end - at)), fields });

const hex = (value: number, digits: number): string => `0x${value.toString(16).padStart(digits, "0")}`;

export const hex8 = (bytes: Uint8Array, at: number): string => hex(bytes[at]!, 2);
export const hex16 = (bytes: Uint8Array, at: number): string => hex(readU16(bytes, at), 4);
export const hex32 = (bytes: Uint8Array, at: number): string => hex(readU32(bytes, at), 8);
export const dec8 = (bytes: Uint8Array, at: number): string => String(bytes[at]);
export const dec16 = (bytes: Uint8Array, at: number): string => String(readU16(bytes, at));
export const dec32 = (bytes: Uint8Array, at: number): string => String(readU32(bytes, at));
export const mac = (bytes: Uint8Array, at: number): string => formatMac(readMac(bytes, at));
export const ipv4 = (bytes: Uint8Array, at: number): string => formatIpv4(readU32(bytes, at));
export const ipv6 = (bytes: Uint8Array, at: number): string => formatIpv6(readIpv6(bytes, at));

/** Shows a number with its name: `6 (TCP)`. */
export const named = (value: number | string, name: string | undefined): string =>
  name === undefined ? String(value) : `${value} (${name})`;

/** Shows the names of the bits that are set, most significant first. */
export const flagNames = (value: number, names: readonly (readonly [bit: number, name: string])[]): string =>
  names.flatMap(([bit, name]) => (value & bit ? [name] : [])).join(", ") || "none";
