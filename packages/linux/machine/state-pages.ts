/**
 * A machine's state as its difference from the state of the image: the pages that the image's state does not have, and for each page where it
 * is found. A guest that was configured differs from its image in some megabytes of more than fifty.
 *
 * A state of the emulator: 16 bytes (magic, version, total length, length of the description), the description as JSON, padding to 4 bytes, and buffers, one after
 * another, whose offsets and lengths the description has. Pages are counted from the start of each buffer, because the length of the
 * description changes.
 */
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

const PAGE_BYTES = 4_096;
const HEADER_BYTES = 16;
/** A prime, so that the bytes of a sample are at all places of a word. */
const SAMPLE_STEP = 31;
const FNV_PRIME = 16_777_619;
const DESCRIPTION_LENGTH_AT = 12;

/** The pages of an image's state, which are found by their content. */
export class BasePages {
  readonly #pages: readonly Uint8Array[];
  #bySample: Map<number, number[]> | undefined;

  constructor(state: Uint8Array) {
    this.#pages = pagesOf(state);
  }

  get(index: number): Uint8Array {
    const page = this.#pages[index];
    if (page === undefined) throw new Error(`the image's state has no page ${index}`);
    return page;
  }

  /** @param likely the index that is compared first: most pages follow each other as in the image. */
  find(page: Uint8Array, likely: number): number | undefined {
    if (this.#isAt(likely, page)) return likely;
    this.#bySample ??= this.#sample();
    return this.#bySample.get(sampleOf(page))?.find((index) => this.#isAt(index, page));
  }

  #isAt(index: number, page: Uint8Array): boolean {
    const own = this.#pages[index];
    return own !== undefined && Buffer.compare(own, page) === 0;
  }

  /** Equal pages are there once. */
  #sample(): Map<number, number[]> {
    const bySample = new Map<number, number[]>();
    for (const [index, page] of this.#pages.entries()) {
      const sample = sampleOf(page);
      const others = bySample.get(sample);
      if (others === undefined) bySample.set(sample, [index]);
      else if (!others.some((other) => this.#isAt(other, page))) others.push(index);
    }
    return bySample;
  }
}

interface Difference {
  readonly totalBytes: number;
  /** For each page, in order: the index of the image's page, or -1 for the next new one. */
  readonly pages: readonly number[];
  /** Lengths of the new pages; the last page of a buffer is shorter. */
  readonly lengths: readonly number[];
}

/** @returns zstd of: the length of a JSON text in 4 bytes, the text, the state's bytes before its buffers, the new pages. */
export function encodeDifference(base: BasePages, state: Uint8Array): Uint8Array {
  const fresh: Uint8Array[] = [];
  let likely = 0;
  const pages = pagesOf(state).map((page) => {
    const found = base.find(page, likely);
    likely = (found ?? likely) + 1;
    if (found === undefined) fresh.push(page);
    return found ?? -1;
  });
  const head = state.subarray(0, buffersAt(state));
  const difference: Difference = {
    totalBytes: state.length,
    pages,
    lengths: [head.length, ...fresh.map(({ length }) => length)],
  };
  const text = new TextEncoder().encode(JSON.stringify(difference));
  const length = new Uint8Array(new Uint32Array([text.length]).buffer);
  return zstdCompressSync(Buffer.concat([length, text, head, ...fresh]));
}

export function decodeDifference(base: BasePages, encoded: Uint8Array): Uint8Array {
  const bytes = zstdDecompressSync(encoded);
  const textLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const text = new TextDecoder().decode(bytes.subarray(4, 4 + textLength));
  const { totalBytes, pages, lengths } = JSON.parse(text) as Difference;
  let at = 4 + textLength;
  const [head, ...fresh] = lengths.map((length) => {
    at += length;
    return bytes.subarray(at - length, at);
  });
  const state = new Uint8Array(totalBytes);
  state.set(head!);
  const places = pagePlaces(state);
  let next = 0;
  for (const [index, page] of pages.entries())
    state.set(page === -1 ? fresh[next++]! : base.get(page), places[index]![0]);
  return state;
}

const pagesOf = (state: Uint8Array): Uint8Array[] =>
  pagePlaces(state).map(([from, to]) => state.subarray(from, to));

function pagePlaces(state: Uint8Array): (readonly [from: number, to: number])[] {
  const start = buffersAt(state);
  const { buffer_infos } = JSON.parse(
    new TextDecoder().decode(state.subarray(HEADER_BYTES, HEADER_BYTES + descriptionBytes(state))),
  ) as { buffer_infos: readonly { offset: number; length: number }[] };
  return buffer_infos.flatMap(({ offset, length }) =>
    Array.from({ length: Math.ceil(length / PAGE_BYTES) }, (_, index) => {
      const from = start + offset + index * PAGE_BYTES;
      return [from, Math.min(from + PAGE_BYTES, start + offset + length)] as const;
    }),
  );
}

const descriptionBytes = (state: Uint8Array): number =>
  new DataView(state.buffer, state.byteOffset).getUint32(DESCRIPTION_LENGTH_AT, true);

const buffersAt = (state: Uint8Array): number => (HEADER_BYTES + descriptionBytes(state) + 3) & ~3;

/** A number from some bytes of a page: pages with different numbers are different. */
function sampleOf(page: Uint8Array): number {
  let sample = page.length;
  for (let at = 0; at < page.length; at += SAMPLE_STEP) sample = Math.imul(sample ^ page[at]!, FNV_PRIME);
  return sample;
}
