/**
 * The options of a segment: maximum segment size (RFC 9293, section 3.2), window scale and timestamps (RFC 7323), selective
 * acknowledgements (RFC 2018). Unknown options are skipped.
 */
import { readU16, readU32, writeU16, writeU32 } from "../../base/bytes.ts";

const KIND_END = 0;
const KIND_NOP = 1;
const KIND_MSS = 2;
const KIND_WINDOW_SCALE = 3;
const KIND_SACK_PERMITTED = 4;
const KIND_SACK = 5;
const KIND_TIMESTAMPS = 8;

export const TIMESTAMPS_BYTES = 12;
const MAX_OPTION_BYTES = 40;
const BLOCK_BYTES = 8;

/** Sequence numbers, as in the header: the first byte of the block and the first after it. */
export type SackBlock = readonly [start: number, end: number];

export interface TcpOptions {
  readonly mssBytes?: number | undefined;
  readonly windowShift?: number | undefined;
  readonly isSackPermitted?: boolean | undefined;
  readonly timestamps?: { readonly value: number; readonly echo: number } | undefined;
  readonly sack?: readonly SackBlock[] | undefined;
}

/** Decodes what is well-formed before the first malformed option. */
export function decodeOptions(bytes: Uint8Array): TcpOptions {
  const found: { -readonly [K in keyof TcpOptions]: TcpOptions[K] } = {};
  for (let at = 0; at < bytes.length; ) {
    const kind = bytes[at] as number;
    if (kind === KIND_END) break;
    if (kind === KIND_NOP) {
      at += 1;
      continue;
    }
    const length = bytes[at + 1] ?? 0;
    if (length < 2 || at + length > bytes.length) break;
    if (kind === KIND_MSS && length === 4) found.mssBytes = readU16(bytes, at + 2);
    else if (kind === KIND_WINDOW_SCALE && length === 3) found.windowShift = bytes[at + 2] as number;
    else if (kind === KIND_SACK_PERMITTED && length === 2) found.isSackPermitted = true;
    else if (kind === KIND_TIMESTAMPS && length === 10)
      found.timestamps = { value: readU32(bytes, at + 2), echo: readU32(bytes, at + 6) };
    else if (kind === KIND_SACK && length % BLOCK_BYTES === 2)
      found.sack = readBlocks(bytes, at + 2, at + length);
    at += length;
  }
  return found;
}

function readBlocks(bytes: Uint8Array, start: number, end: number): SackBlock[] {
  const blocks: SackBlock[] = [];
  for (let at = start; at < end; at += BLOCK_BYTES) blocks.push([readU32(bytes, at), readU32(bytes, at + 4)]);
  return blocks;
}

/** Encodes options, each aligned to 4 bytes. Blocks that do not fit are left out. */
export function encodeOptions(options: TcpOptions): Uint8Array {
  const bytes = new Uint8Array(MAX_OPTION_BYTES);
  let at = 0;
  const begin = (padding: number, kind: number, length: number): number => {
    bytes.fill(KIND_NOP, at, at + padding);
    bytes[at + padding] = kind;
    bytes[at + padding + 1] = length;
    at += padding + length;
    return at - length + 2;
  };
  const { mssBytes, windowShift, isSackPermitted, timestamps, sack = [] } = options;
  if (mssBytes !== undefined) writeU16(bytes, begin(0, KIND_MSS, 4), mssBytes);
  if (isSackPermitted) begin(2, KIND_SACK_PERMITTED, 2);
  if (windowShift !== undefined) bytes[begin(1, KIND_WINDOW_SCALE, 3)] = windowShift;
  if (timestamps !== undefined) {
    const value = begin(2, KIND_TIMESTAMPS, 10);
    writeU32(bytes, value, timestamps.value);
    writeU32(bytes, value + 4, timestamps.echo);
  }
  const blocks = sack.slice(0, Math.floor((MAX_OPTION_BYTES - at - 4) / BLOCK_BYTES));
  if (blocks.length > 0) {
    let block = begin(2, KIND_SACK, 2 + blocks.length * BLOCK_BYTES);
    for (const [start, end] of blocks) {
      writeU32(bytes, block, start);
      writeU32(bytes, block + 4, end);
      block += BLOCK_BYTES;
    }
  }
  return bytes.subarray(0, at);
}
