/** MD5 (RFC 1321). Only for protocols that require it: it resists no attacker. */
import { type Hash, pad, rotateLeft, wordsToBytes } from "./pad.ts";

const BLOCK_BYTES = 64;
const STEPS = 64;
/** By round, the rotations of four steps in turn. */
const ROTATIONS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;
/** Section 3.4: the integer part of 2 to the 32nd times the sine of the step, in radians. */
const SINES = Array.from({ length: STEPS }, (_, step) => Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32));

export const MD5: Hash = { digestBytes: 16, blockBytes: BLOCK_BYTES, digest };

function digest(data: Uint8Array): Uint8Array {
  const blocks = pad(data, BLOCK_BYTES, 8, true);
  let state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
  for (let at = 0; at < blocks.byteLength; at += BLOCK_BYTES) state = mixBlock(state, blocks, at);
  return wordsToBytes(state, true);
}

function mixBlock(state: readonly number[], blocks: DataView, at: number): number[] {
  let [a, b, c, d] = state as [number, number, number, number];
  for (let step = 0; step < STEPS; step++) {
    const round = step >> 4;
    const word = blocks.getUint32(at + placeOf(round, step) * 4, true);
    const sum = (a + functionOf(round, b, c, d) + word + SINES[step]!) | 0;
    const next = (b + rotateLeft(sum, ROTATIONS[round]![step & 3]!)) | 0;
    [a, b, c, d] = [d, next, b, c];
  }
  return [a, b, c, d].map((word, index) => (word + state[index]!) | 0);
}

function functionOf(round: number, b: number, c: number, d: number): number {
  if (round === 0) return (b & c) | (~b & d);
  if (round === 1) return (b & d) | (c & ~d);
  return round === 2 ? b ^ c ^ d : c ^ (b | ~d);
}

function placeOf(round: number, step: number): number {
  if (round === 0) return step;
  if (round === 1) return (5 * step + 1) & 15;
  return (round === 2 ? 3 * step + 5 : 7 * step) & 15;
}
