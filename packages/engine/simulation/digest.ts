/**
 * A fingerprint of all events of a run, in order: two lanes of 32 bits, each multiplied and rotated per word (the mixing of
 * MurmurHash3, Austin Appleby, public domain). It detects whether two runs differ; it does not protect against forgery.
 */

/** The lane's body of MurmurHash3_x86_32. */
function mixA(lane: number, word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51);
  const a = lane ^ Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
  return (Math.imul((a << 13) | (a >>> 19), 5) + 0xe6546b64) | 0;
}

/** A lighter mix with other constants, so that collisions in the two lanes are independent. */
function mixB(lane: number, word: number): number {
  const b = lane ^ Math.imul(word, 0x85ebca6b);
  return Math.imul((b << 17) | (b >>> 15), 0xc2b2ae35);
}

/** Words of the largest usual frame. */
const FRAME_WORDS = 380;

const wordAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) |
  ((bytes[at + 1] as number) << 8) |
  ((bytes[at + 2] as number) << 16) |
  ((bytes[at + 3] as number) << 24);

export class Digest {
  #a = 0x9747b28c;
  #b = 0x3c6ef372;
  /** The bytes added last, and their words. */
  #bytes: Uint8Array | undefined;
  #words = new Int32Array(FRAME_WORDS);

  freeze(): readonly [number, number] {
    return [this.#a, this.#b];
  }

  thaw([a, b]: readonly [number, number]): void {
    this.#a = a;
    this.#b = b;
  }

  addWord(word: number): void {
    this.#a = mixA(this.#a, word);
    this.#b = mixB(this.#b, word);
  }

  /** A time or a count: any safe integer. */
  addNumber(value: number): void {
    this.addWord(value | 0);
    this.addWord((value / 0x1_0000_0000) | 0);
  }

  /**
   * Called for every frame on every link, so it is optimised: the lanes alternate, in local variables, and are then mixed into
   * each other. Bytes must not change between two calls: a switch floods a frame many times in a row, and its words are read once.
   */
  addBytes(bytes: Uint8Array): void {
    let a = this.#a;
    let b = this.#b;
    const { length } = bytes;
    const whole = length & ~7;
    if (bytes !== this.#bytes) this.#read(bytes, whole);
    const words = this.#words;
    const count = whole >> 2;
    for (let at = 0; at < count; at += 2) {
      a = mixA(a, words[at] as number);
      b = mixB(b, words[at + 1] as number);
    }
    this.#a = (a + b) | 0;
    this.#b = b ^ ((a << 7) | (a >>> 25));
    for (let at = whole; at < length; at++) this.addWord(bytes[at] as number);
    this.addWord(length);
  }

  #read(bytes: Uint8Array, whole: number): void {
    if (whole >> 2 > this.#words.length) this.#words = new Int32Array(whole >> 2);
    const words = this.#words;
    for (let at = 0; at < whole; at += 4) words[at >> 2] = wordAt(bytes, at);
    this.#bytes = bytes;
  }

  /** Two UTF-16 code units a word. */
  addText(text: string): void {
    let a = this.#a;
    let b = this.#b;
    const { length } = text;
    for (let at = 0; at < length; at += 2) {
      const second = at + 1 < length ? text.charCodeAt(at + 1) : 0;
      const word = text.charCodeAt(at) | (second << 16);
      a = mixA(a, word);
      b = mixB(b, word);
    }
    this.#a = mixA(a, length);
    this.#b = mixB(b, length);
  }

  /** 16 hexadecimal digits. */
  toString(): string {
    return [this.#a, this.#b].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
  }
}
