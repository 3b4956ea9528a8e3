/**
 * Seeded randomness: one independent stream per name, so that one consumer's draws never affect another's.
 *
 * The generator is xoshiro128** 1.1 (David Blackman and Sebastiano Vigna, "Scrambled linear pseudorandom number
 * generators", ACM TOMS 47, 2021; https://prng.di.unimi.it/xoshiro128starstar.c): period 2^128 - 1, four 32-bit words of
 * state. A stream's name is hashed with 64-bit FNV-1a (Fowler, Noll, Vo; draft-eastlake-fnv) and expanded to the state
 * with SplitMix64, as the authors advise (https://prng.di.unimi.it/splitmix64.c).
 *
 * Not for secrets: the output can be predicted from a few draws.
 */

const MASK_64 = 0xffff_ffff_ffff_ffffn;
const FNV_OFFSET_BASIS_64 = 0xcbf29ce484222325n;
const FNV_PRIME_64 = 0x100000001b3n;
const SPLITMIX_GAMMA = 0x9e3779b97f4a7c15n;
const TWO_32 = 0x1_0000_0000;
const MAX_BOUND = 0xffff_ffff;

/** A generator's position: four unsigned 32-bit words, not all zero. Plain JSON data. */
export type StreamState = readonly [number, number, number, number];

/** One stream of random numbers. Equal states give equal draws, on every machine. */
export class RandomStream {
  // Signed 32-bit words, so that V8 keeps them as small integers.
  #s0: number;
  #s1: number;
  #s2: number;
  #s3: number;

  /** Throws a RangeError when the state is not four unsigned 32-bit words with at least one bit set. */
  constructor(state: StreamState) {
    if (!isStreamState(state))
      throw new RangeError("random: a state is four unsigned 32-bit words, not all zero");
    this.#s0 = state[0] | 0;
    this.#s1 = state[1] | 0;
    this.#s2 = state[2] | 0;
    this.#s3 = state[3] | 0;
  }

  /** Draws an integer, uniform over [0, 2^32). */
  nextUint32(): number {
    const s1 = this.#s1;
    const scaled = Math.imul(s1, 5);
    const result = Math.imul((scaled << 7) | (scaled >>> 25), 9);
    const s2 = this.#s2 ^ this.#s0;
    const s3 = this.#s3 ^ s1;
    this.#s1 = s1 ^ s2;
    this.#s0 = this.#s0 ^ s3;
    this.#s2 = s2 ^ (s1 << 9);
    this.#s3 = (s3 << 11) | (s3 >>> 21);
    return result >>> 0;
  }

  /**
   * Draws an integer uniform over [0, bound), for a bound of 1 to 2^32 - 1 (else RangeError).
   *
   * Exact (Daniel Lemire, "Fast random integer generation in an interval", ACM TOMACS 29, 2019): the high word of
   * draw * bound is the result. Draws with a low word below 2^32 mod bound would favour some results, so they are repeated.
   * As a double, the 64-bit product loses at most 2^11, so rounding recovers its high word.
   */
  below(bound: number): number {
    if (!(bound >= 1 && bound <= MAX_BOUND))
      throw new RangeError(`random: bound ${bound} is not in 1..${MAX_BOUND}`);
    for (;;) {
      const draw = this.nextUint32();
      const low = Math.imul(draw, bound) >>> 0;
      if (low >= bound || low >= TWO_32 % bound) return Math.round((draw * bound - low) / TWO_32);
    }
  }

  /** Returns the current position; `new RandomStream(state)` continues from it. */
  saveState(): StreamState {
    return [this.#s0 >>> 0, this.#s1 >>> 0, this.#s2 >>> 0, this.#s3 >>> 0];
  }
}

/** Returns whether a value read from storage is a generator's position. */
export function isStreamState(value: unknown): value is StreamState {
  if (!Array.isArray(value) || value.length !== 4) return false;
  return value.every(isUint32) && value.some((word) => word !== 0);
}

/**
 * Returns the stream named by a seed and further names, for example (project seed, link's ends, direction, filter).
 * A number and its decimal text are the same seed. Names are length-prefixed: ("ab", "c") is not ("a", "bc").
 */
export function makeStream(seed: string | number, ...names: string[]): RandomStream {
  const name = [String(seed), ...names].map((part) => `${part.length}:${part}`).join("");
  return new RandomStream(expand(fnv1a64(new TextEncoder().encode(name))));
}

/** Returns the 64-bit FNV-1a hash of bytes. */
export function fnv1a64(bytes: Uint8Array): bigint {
  let hash = FNV_OFFSET_BASIS_64;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * FNV_PRIME_64) & MASK_64;
  return hash;
}

/** Returns the first `count` outputs of SplitMix64 for a seed. */
export function splitMix64(seed: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, index) => {
    let z = (seed + SPLITMIX_GAMMA * BigInt(index + 1)) & MASK_64;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK_64;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK_64;
    return z ^ (z >> 31n);
  });
}

/** Returns two SplitMix64 outputs as four words. SplitMix64 never returns zero twice in a row, so they are never all zero. */
function expand(seed: bigint): StreamState {
  const [first, second] = splitMix64(seed, 2) as [bigint, bigint];
  return [lowWord(first), lowWord(first >> 32n), lowWord(second), lowWord(second >> 32n)];
}

function lowWord(value: bigint): number {
  return Number(value & 0xffff_ffffn);
}

function isUint32(value: unknown): boolean {
  return typeof value === "number" && value >>> 0 === value;
}
