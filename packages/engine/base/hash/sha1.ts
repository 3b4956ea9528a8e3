/** SHA-1 (FIPS 180-4, section 6.1). Only for protocols that require it. */
import { type Hash, pad, rotateLeft, wordsToBytes } from "./pad.ts";

const BLOCK_BYTES = 64;
const STEPS = 80;
const CONSTANTS = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6] as const;

export const SHA1: Hash = { digestBytes: 20, blockBytes: BLOCK_BYTES, digest };

function digest(data: Uint8Array): Uint8Array {
  const blocks = pad(data, BLOCK_BYTES, 8, false);
  let state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
  for (let at = 0; at < blocks.byteLength; at += BLOCK_BYTES) state = mixBlock(state, blocks, at);
  return wordsToBytes(state, false);
}

function mixBlock(state: readonly number[], blocks: DataView, at: number): number[] {
  const words: number[] = [];
  let [a, b, c, d, e] = state as [number, number, number, number, number];
  for (let step = 0; step < STEPS; step++) {
    words[step] =
      step < 16
        ? blocks.getUint32(at + step * 4)
        : rotateLeft(words[step - 3]! ^ words[step - 8]! ^ words[step - 14]! ^ words[step - 16]!, 1);
    const round = Math.floor(step / 20);
    const sum = rotateLeft(a, 5) + functionOf(round, b, c, d) + e + CONSTANTS[round]! + words[step]!;
    [a, b, c, d, e] = [sum | 0, a, rotateLeft(b, 30), c, d];
  }
  return [a, b, c, d, e].map((word, index) => (word + state[index]!) | 0);
}

function functionOf(round: number, b: number, c: number, d: number): number {
  if (round === 0) return (b & c) ^ (~b & d);
  return round === 2 ? (b & c) ^ (b & d) ^ (c & d) : b ^ c ^ d;
}
