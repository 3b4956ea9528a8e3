/**
 * Writes pcapng, little-endian; layout in pcapng-format.ts. A file is one section header, then the interface descriptions,
 * numbered from 0 in their order, then packets of any interface.
 */
import { NS_PER_SECOND } from "../base/time.ts";
import { CaptureError } from "./capture-error.ts";
import type { Resolution } from "./classic-format.ts";
import { NO_BYTES } from "./frame.ts";
import { canonicalLinkType } from "./link-types.ts";
import {
  BLOCK_OVERHEAD_BYTES,
  BYTE_ORDER_MAGIC,
  ENHANCED_PACKET_BLOCK,
  INTERFACE_BLOCK,
  OPTION_END,
  OPTION_HEADER_BYTES,
  OPTION_IF_DESCRIPTION,
  OPTION_IF_FILTER,
  OPTION_IF_NAME,
  OPTION_IF_TSRESOL,
  OPTION_SHB_APPLICATION,
  PCAPNG_VERSION_MAJOR,
  PCAPNG_VERSION_MINOR,
  SECTION_HEADER_BLOCK,
} from "./pcapng-format.ts";

export interface InterfaceDescription {
  /** LINKTYPE_ value of all its packets. */
  readonly linkType: number;
  /** Maximum captured bytes per packet; 0 for no limit. */
  readonly snaplen: number;
  readonly name?: string;
  readonly description?: string;
  /** The pcap-filter expression that all its packets match. */
  readonly filter?: string;
  /** Unit of its times; microseconds when absent. */
  readonly resolution?: Resolution;
}

type Option = readonly [code: number, value: Uint8Array];

const MAX_OPTION_BYTES = 0xffff;
/** if_tsresol: the unit is 10^-9 s. */
const TSRESOL_NANOSECONDS = 9;
/** if_filter: a libpcap expression follows. */
const FILTER_IS_TEXT = 0;
const PACKET_HEADER_BYTES = 28;
const INITIAL_CAPACITY_BYTES = 4_096;
const TWO_32 = 0x1_0000_0000;

/** @param application the name of the program that writes the file */
export function encodeSectionHeader(application: string): Uint8Array {
  const fixed = new Uint8Array(16);
  const view = new DataView(fixed.buffer);
  view.setUint32(0, BYTE_ORDER_MAGIC, true);
  view.setUint16(4, PCAPNG_VERSION_MAJOR, true);
  view.setUint16(6, PCAPNG_VERSION_MINOR, true);
  // -1: the section's length is not specified.
  view.setBigInt64(8, -1n, true);
  return encodeBlock(SECTION_HEADER_BLOCK, fixed, [[OPTION_SHB_APPLICATION, encodeText(application)]]);
}

export function encodeInterface(described: InterfaceDescription): Uint8Array {
  const { linkType, snaplen, name, description, filter, resolution } = described;
  const fixed = new Uint8Array(8);
  const view = new DataView(fixed.buffer);
  view.setUint16(0, canonicalLinkType(linkType), true);
  view.setUint32(4, snaplen, true);
  const options: Option[] = [];
  if (name) options.push([OPTION_IF_NAME, encodeText(name)]);
  if (description) options.push([OPTION_IF_DESCRIPTION, encodeText(description)]);
  if (filter) options.push([OPTION_IF_FILTER, Uint8Array.of(FILTER_IS_TEXT, ...encodeText(filter))]);
  if (resolution === "nanosecond") options.push([OPTION_IF_TSRESOL, Uint8Array.of(TSRESOL_NANOSECONDS)]);
  return encodeBlock(INTERFACE_BLOCK, fixed, options);
}

/** Encodes packets into a growing buffer. */
export class PacketBlockEncoder {
  readonly #perSecond: readonly number[];
  #bytes = new Uint8Array(INITIAL_CAPACITY_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;

  /** @param resolutions of the interfaces, in the order of their descriptions */
  constructor(resolutions: readonly (Resolution | undefined)[]) {
    this.#perSecond = resolutions.map((resolution) => (resolution === "nanosecond" ? NS_PER_SECOND : 1e6));
  }

  /** Bytes written since the last `take`. */
  get sizeBytes(): number {
    return this.#size;
  }

  /**
   * Adds a copy of a packet. Truncates its time to the interface's resolution. Throws a CaptureError
   * `pcapng.time-out-of-range` for a time before 1970, or too late for 64 bits (in nanoseconds, after the year 2554).
   */
  write(
    interfaceId: number,
    seconds: number,
    nanoseconds: number,
    data: Uint8Array,
    originalLength: number,
  ): void {
    const perSecond = this.#perSecond[interfaceId];
    if (perSecond === undefined) throw new RangeError(`pcapng: there is no interface ${interfaceId}`);
    const paddedLength = padded(data.length);
    const blockBytes = PACKET_HEADER_BYTES + paddedLength + 4;
    const at = this.#size;
    if (at + blockBytes > this.#bytes.length) this.#grow(at + blockBytes);
    const view = this.#view;
    view.setUint32(at, ENHANCED_PACKET_BLOCK, true);
    view.setUint32(at + 4, blockBytes, true);
    view.setUint32(at + 8, interfaceId, true);
    this.#writeTime(at + 12, seconds, Math.floor(nanoseconds / (NS_PER_SECOND / perSecond)), perSecond);
    view.setUint32(at + 20, data.length, true);
    view.setUint32(at + 24, originalLength, true);
    this.#bytes.set(data, at + PACKET_HEADER_BYTES);
    this.#bytes.fill(0, at + PACKET_HEADER_BYTES + data.length, at + PACKET_HEADER_BYTES + paddedLength);
    view.setUint32(at + blockBytes - 4, blockBytes, true);
    this.#size = at + blockBytes;
  }

  /** Returns the blocks written since the last call; the caller owns the bytes. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#size);
    this.#setBytes(new Uint8Array(INITIAL_CAPACITY_BYTES));
    this.#size = 0;
    return taken;
  }

  /** Writes 64 bits, the upper half first. A product below 2^53 is exact in a number; a larger one needs bigint. */
  #writeTime(at: number, seconds: number, fraction: number, perSecond: number): void {
    const ticks = seconds * perSecond + fraction;
    let high = Math.floor(ticks / TWO_32);
    let low = ticks - high * TWO_32;
    if (!Number.isSafeInteger(ticks)) {
      const exact = BigInt(seconds) * BigInt(perSecond) + BigInt(fraction);
      high = Number(exact >> 32n);
      low = Number(exact & 0xffff_ffffn);
    }
    if (seconds < 0 || high >= TWO_32) {
      const message = `pcapng: a time of ${seconds} s does not fit the format`;
      throw new CaptureError("pcapng.time-out-of-range", this.#size, message);
    }
    this.#view.setUint32(at, high, true);
    this.#view.setUint32(at + 4, low, true);
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#size));
    this.#setBytes(larger);
  }

  #setBytes(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

const padded = (length: number): number => Math.ceil(length / 4) * 4;

/** Encodes as UTF-8, truncated after a whole character to an option's maximum length. */
function encodeText(text: string): Uint8Array {
  const bytes = new Uint8Array(MAX_OPTION_BYTES - 1);
  const { written } = new TextEncoder().encodeInto(text, bytes);
  return bytes.subarray(0, written);
}

function encodeBlock(type: number, fixed: Uint8Array, options: readonly Option[]): Uint8Array {
  const encoded = [...options, [OPTION_END, NO_BYTES] as const].map(encodeOption);
  const optionBytes = encoded.reduce((size, option) => size + option.length, 0);
  const length = BLOCK_OVERHEAD_BYTES + fixed.length + optionBytes;
  const block = new Uint8Array(length);
  const view = new DataView(block.buffer);
  view.setUint32(0, type, true);
  view.setUint32(4, length, true);
  view.setUint32(length - 4, length, true);
  block.set(fixed, 8);
  let at = 8 + fixed.length;
  for (const option of encoded) {
    block.set(option, at);
    at += option.length;
  }
  return block;
}

function encodeOption([code, value]: Option): Uint8Array {
  const option = new Uint8Array(OPTION_HEADER_BYTES + padded(value.length));
  const view = new DataView(option.buffer);
  view.setUint16(0, code, true);
  view.setUint16(2, value.length, true);
  option.set(value, OPTION_HEADER_BYTES);
  return option;
}
