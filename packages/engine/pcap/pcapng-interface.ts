/** Decodes the interface description block of a pcapng, with the two options that define its time stamps. */

import { CaptureError } from "./capture-error.ts";
import type { CaptureInterface } from "./decoder.ts";
import { canonicalLinkType } from "./link-types.ts";
import {
  BLOCK_TRAILER_BYTES,
  OPTION_END,
  OPTION_HEADER_BYTES,
  OPTION_IF_TSOFFSET,
  OPTION_IF_TSRESOL,
} from "./pcapng-format.ts";
import { DEFAULT_TSRESOL, TickClock } from "./tick-clock.ts";

const OPTIONS_AT = 16;

/** An interface and the clock of its time stamps. */
export interface PcapngInterface extends CaptureInterface {
  clock: TickClock;
}

/** A whole block in a view, at `start` with `length`; `offset` is its position in the file. */
export interface BlockSpan {
  view: DataView;
  start: number;
  length: number;
  offset: number;
  littleEndian: boolean;
}

/** Throws a CaptureError `pcapng.bad-option` with the option's offset. */
export function decodeInterface(block: BlockSpan): PcapngInterface {
  const { view, start, littleEndian } = block;
  let tsresol = DEFAULT_TSRESOL;
  let offsetSeconds = 0;
  for (const option of optionsOf(block)) {
    if (option.code === OPTION_IF_TSRESOL) {
      tsresol = view.getUint8(expectLength(option, 1).at);
    } else if (option.code === OPTION_IF_TSOFFSET) {
      offsetSeconds = toSafeInteger(view.getBigInt64(expectLength(option, 8).at, littleEndian), option);
    }
  }
  return {
    linkType: canonicalLinkType(view.getUint16(start + 8, littleEndian)),
    snaplen: view.getUint32(start + 12, littleEndian),
    littleEndian,
    clock: new TickClock(tsresol, offsetSeconds),
  };
}

interface Option {
  code: number;
  length: number;
  /** Position of the value in the view. */
  at: number;
  /** Position of the option in the file. */
  offset: number;
}

function* optionsOf({ view, start, length, offset, littleEndian }: BlockSpan): Generator<Option> {
  const end = start + length - BLOCK_TRAILER_BYTES;
  let position = start + OPTIONS_AT;
  while (position + OPTION_HEADER_BYTES <= end) {
    const code = view.getUint16(position, littleEndian);
    const optionLength = view.getUint16(position + 2, littleEndian);
    const at = position + OPTION_HEADER_BYTES;
    const optionOffset = offset + position - start;
    if (code === OPTION_END) return;
    if (at + optionLength > end) {
      const message = `pcapng: option ${code} at byte ${optionOffset} claims ${optionLength} bytes, its block ends before`;
      throw new CaptureError("pcapng.bad-option", optionOffset, message);
    }
    yield { code, length: optionLength, at, offset: optionOffset };
    position = at + Math.ceil(optionLength / 4) * 4;
  }
}

function expectLength(option: Option, length: number): Option {
  if (option.length === length) return option;
  const message = `pcapng: option ${option.code} at byte ${option.offset} takes ${length} bytes, not ${option.length}`;
  throw new CaptureError("pcapng.bad-option", option.offset, message);
}

function toSafeInteger(value: bigint, option: Option): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  const message = `pcapng: option ${option.code} at byte ${option.offset} shifts times by ${value} seconds`;
  throw new CaptureError("pcapng.bad-option", option.offset, message);
}
