/**
 * A fingerprint of everything that happened in a run, in order: two lanes of 32 bits, each multiplied and rotated per word
 * (the mixing of MurmurHash3, Austin Appleby, public domain). It tells equal runs from others; it is no defence against forgery.
 */

/** The lane's body of MurmurHash3_x86_32. */
function mixA(lane: number, word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51);
  const a = lane ^ Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
  return (Math.imul((a << 13) | (a >>> 19), 5) + 0xe6546b64) | 0;
}

/** A lighter mix of other constants, so that no two histories collide in both by the same accident. */
function mixB(lane: number, word: number): number {
  const b = lane ^ Math.imul(word, 0x85ebca6b);
  return Math.imul((b << 17) | (b >>> 15), 0xc2b2ae35);
}

export class Digest {
  #a = 0x9747b28c;
  #b = 0x3c6ef372;

  addWord(word: number): void {
    this.#a = mixA(this.#a, word);
    this.#b = mixB(this.#b, word);
  }

  /** A time or a count: any safe integer. */
  addNumber(value: number): void {
    this.addWord(value | 0);
    this.addWord((value / 0x1_0000_0000) | 0);
  }

  /** Every frame on every link comes by here, so the lanes stay in local variables. */
  addBytes(bytes: Uint8Array): void {
    let a = this.#a;
    let b = this.#b;
    const { length } = bytes;
    const whole = length & ~3;
    for (let at = 0; at < whole; at += 4) {
      const word =
        (bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24);
      a = mixA(a, word);
      b = mixB(b, word);
    }
    this.#a = a;
    this.#b = b;
    for (let at = whole; at < length; at++) this.addWord(bytes[at] as number);
    this.addWord(length);
  }

  /** Two UTF-16 code units a word. */
  addText(text: string): void {
    let a = this.#a;
    let b = this.#b;
    for (let at = 0; at + 1 < text.length; at += 2) {
      const word = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
      a = mixA(a, word);
      b = mixB(b, word);
    }
    this.#a = a;
    this.#b = b;
    if (text.length % 2 === 1) this.addWord(text.charCodeAt(text.length - 1));
    this.addWord(text.length);
  }

  /** 16 hexadecimal digits. */
  toString(): string {
    return [this.#a, this.#b].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
  }
}
