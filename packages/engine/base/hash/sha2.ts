/**
 * SHA-256, SHA-384 and SHA-512 (FIPS 180-4, sections 6.2, 6.4 and 6.5), by one algorithm over words of 32 or 64 bits. The constants are the
 * first bits of the fractional parts of roots of primes (section 4.2), and are computed at their first use.
 */
import { type Hash, pad } from "./pad.ts";

/** What distinguishes words of 32 and 64 bits: their bits, the steps, and the rotations and shifts of the functions of section 4.1. */
interface Shape {
  readonly wordBits: 32 | 64;
  readonly steps: number;
  readonly bigSigma0: Bits;
  readonly bigSigma1: Bits;
  /** The last one is a shift. */
  readonly smallSigma0: Bits;
  readonly smallSigma1: Bits;
}
type Bits = readonly [bigint, bigint, bigint];

const WORDS_32: Shape = {
  wordBits: 32,
  steps: 64,
  bigSigma0: [2n, 13n, 22n],
  bigSigma1: [6n, 11n, 25n],
  smallSigma0: [7n, 18n, 3n],
  smallSigma1: [17n, 19n, 10n],
};
const WORDS_64: Shape = {
  wordBits: 64,
  steps: 80,
  bigSigma0: [28n, 34n, 39n],
  bigSigma1: [14n, 18n, 41n],
  smallSigma0: [1n, 8n, 7n],
  smallSigma1: [19n, 61n, 6n],
};

const PRIMES = firstPrimes(80);
const STATE_WORDS = 8;

const makeHash = (shape: Shape, firstPrime: number, digestBytes: number): Hash => {
  const wordBytes = shape.wordBits / 8;
  const blockBytes = 16 * wordBytes;
  let constants: readonly bigint[] | undefined;
  let initial: readonly bigint[] = [];
  const digest = (data: Uint8Array): Uint8Array => {
    if (constants === undefined) {
      constants = PRIMES.slice(0, shape.steps).map((prime) => fraction(prime, 3n, shape.wordBits));
      const primes = PRIMES.slice(firstPrime, firstPrime + STATE_WORDS);
      initial = primes.map((prime) => fraction(prime, 2n, shape.wordBits));
    }
    const blocks = pad(data, blockBytes, 2 * wordBytes, false);
    let state = initial;
    for (let at = 0; at < blocks.byteLength; at += blockBytes)
      state = mixBlock(shape, constants, state, blocks, at);
    return toBytes(state, wordBytes).subarray(0, digestBytes);
  };
  return { digestBytes, blockBytes, digest };
};

export const SHA256 = makeHash(WORDS_32, 0, 32);
export const SHA384 = makeHash(WORDS_64, 8, 48);
export const SHA512 = makeHash(WORDS_64, 0, 64);

function mixBlock(
  shape: Shape,
  constants: readonly bigint[],
  state: readonly bigint[],
  blocks: DataView,
  at: number,
): bigint[] {
  const { wordBits, steps, bigSigma0, bigSigma1, smallSigma0, smallSigma1 } = shape;
  const cut = (value: bigint): bigint => BigInt.asUintN(wordBits, value);
  const width = BigInt(wordBits);
  const rotate = (word: bigint, bits: bigint): bigint => (word >> bits) | cut(word << (width - bits));
  const big = (word: bigint, [x, y, z]: Bits): bigint => rotate(word, x) ^ rotate(word, y) ^ rotate(word, z);
  const small = (word: bigint, [x, y, z]: Bits): bigint => rotate(word, x) ^ rotate(word, y) ^ (word >> z);
  const words: bigint[] = [];
  let [a, b, c, d, e, f, g, h] = state as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
  for (let step = 0; step < steps; step++) {
    words[step] =
      step < 16
        ? readWord(blocks, at + (step * wordBits) / 8, wordBits)
        : cut(
            small(words[step - 2]!, smallSigma1) +
              words[step - 7]! +
              small(words[step - 15]!, smallSigma0) +
              words[step - 16]!,
          );
    const first = h + big(e, bigSigma1) + ((e & f) ^ (cut(~e) & g)) + constants[step]! + words[step]!;
    const second = big(a, bigSigma0) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [cut(first + second), a, b, c, cut(d + first), e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, index) => cut(word + state[index]!));
}

const readWord = (blocks: DataView, at: number, wordBits: 32 | 64): bigint =>
  wordBits === 64 ? blocks.getBigUint64(at) : BigInt(blocks.getUint32(at));

function toBytes(words: readonly bigint[], wordBytes: number): Uint8Array {
  const bytes = new Uint8Array(words.length * wordBytes);
  for (const [index, word] of words.entries())
    for (let byte = 0; byte < wordBytes; byte++)
      bytes[index * wordBytes + byte] = Number((word >> BigInt(8 * (wordBytes - 1 - byte))) & 0xffn);
  return bytes;
}

/** The first bits of the fractional part of a root of a prime. */
const fraction = (prime: number, degree: bigint, bits: number): bigint =>
  BigInt.asUintN(bits, root(BigInt(prime) << (BigInt(bits) * degree), degree));

/** The integer part of a root, by bisection. */
function root(value: bigint, degree: bigint): bigint {
  let [low, high] = [0n, 1n << BigInt(Math.ceil(value.toString(2).length / Number(degree)))];
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** degree <= value) low = middle;
    else high = middle - 1n;
  }
  return low;
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return primes;
}
