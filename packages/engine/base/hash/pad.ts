/** A hash function of the engine, and the padding that MD5 and the SHA functions share. */

export interface Hash {
  readonly digestBytes: number;
  readonly blockBytes: number;
  digest(data: Uint8Array): Uint8Array;
}

/**
 * Appends a bit, zeros, and the length of the data in bits, so that the result has whole blocks.
 * @param lengthBytes those of the field for the length.
 */
export function pad(
  data: Uint8Array,
  blockBytes: number,
  lengthBytes: number,
  isLittleEndian: boolean,
): DataView {
  const blocks = Math.ceil((data.length + 1 + lengthBytes) / blockBytes);
  const padded = new Uint8Array(blocks * blockBytes);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  const bits = BigInt(data.length) * 8n;
  view.setBigUint64(padded.length - (isLittleEndian ? lengthBytes : 8), bits, isLittleEndian);
  return view;
}

/** @param words of the digest. */
export function wordsToBytes(words: readonly number[], isLittleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(words.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, word] of words.entries()) view.setUint32(index * 4, word >>> 0, isLittleEndian);
  return bytes;
}

export const rotateLeft = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));
