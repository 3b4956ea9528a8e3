/**
 * A fingerprint of everything that happened in a run, in order: two lanes of 32 bits, each multiplied and rotated per word
 * (the mixing of MurmurHash3, Austin Appleby, public domain). It tells equal runs from others; it is no defence against forgery.
 */

export class Digest {
  #a = 0x9747b28c;
  #b = 0x3c6ef372;

  addWord(word: number): void {
    const mixed = Math.imul(word, 0xcc9e2d51);
    const a = this.#a ^ Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
    this.#a = (Math.imul((a << 13) | (a >>> 19), 5) + 0xe6546b64) | 0;
    const b = this.#b ^ Math.imul(word, 0x85ebca6b);
    this.#b = Math.imul((b << 17) | (b >>> 15), 0xc2b2ae35) | 0;
  }

  /** A time or a count: any safe integer. */
  addNumber(value: number): void {
    this.addWord(value | 0);
    this.addWord((value / 0x1_0000_0000) | 0);
  }

  addBytes(bytes: Uint8Array): void {
    const whole = bytes.length & ~3;
    for (let at = 0; at < whole; at += 4) {
      this.addWord(
        (bytes[at] as number) |
          ((bytes[at + 1] as number) << 8) |
          ((bytes[at + 2] as number) << 16) |
          ((bytes[at + 3] as number) << 24),
      );
    }
    for (let at = whole; at < bytes.length; at++) this.addWord(bytes[at] as number);
    this.addWord(bytes.length);
  }

  addText(text: string): void {
    for (let at = 0; at < text.length; at++) this.addWord(text.charCodeAt(at));
    this.addWord(text.length);
  }

  /** 16 hexadecimal digits. */
  toString(): string {
    return [this.#a, this.#b].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
  }
}
