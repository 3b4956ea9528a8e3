/**
 * A machine's state as its difference from the state of the image: the pages that the image's state does not have, and for each page where it
 * is found. A guest that was configured differs from its image in some megabytes of more than fifty.
 *
 * A state of the emulator: 16 bytes (magic, version, total length, length of the description), the description as JSON, padding to 4 bytes, and buffers, one after
 * another, whose offsets and lengths the description has. Pages are counted from the start of each buffer, because the length of the
 * description changes.
 */
import { createHash } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

const PAGE_BYTES = 4_096;
const HEADER_BYTES = 16;
const DESCRIPTION_LENGTH_AT = 12;

/** The pages of an image's state, by their hash. */
export class BasePages {
  readonly #pages: readonly Uint8Array[];
  #byHash: Map<string, number> | undefined;

  constructor(state: Uint8Array) {
    this.#pages = pagesOf(state);
  }

  get(index: number): Uint8Array {
    const page = this.#pages[index];
    if (page === undefined) throw new Error(`the image's state has no page ${index}`);
    return page;
  }

  find(page: Uint8Array): number | undefined {
    this.#byHash ??= new Map(this.#pages.map((each, index) => [hashOf(each), index]));
    return this.#byHash.get(hashOf(page));
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
  const pages = pagesOf(state).map((page) => {
    const found = base.find(page);
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

const hashOf = (page: Uint8Array): string => createHash("sha1").update(page).digest("base64");
