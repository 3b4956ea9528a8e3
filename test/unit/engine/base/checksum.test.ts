import { readU16, writeU16 } from "@wirelab/engine/base/bytes";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checksum,
  foldChecksum,
  pseudoHeaderSum4,
  pseudoHeaderSum6,
  sumWords,
  updateChecksum,
} from "../../../../packages/engine/base/checksum.ts";
import { fromHex } from "../wire/hex.ts";

/** Sums word by word with end-around carry, as in RFC 1071. */
function reference(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) {
    sum += (bytes[at]! << 8) + (bytes[at + 1] ?? 0);
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return ~sum & 0xffff;
}

describe("the Internet checksum", () => {
  it("is that of the example in RFC 1071, section 3", () => {
    const example = Uint8Array.of(0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7);
    expect(sumWords(example)).toBe(0x2ddf0);
    expect(checksum(example)).toBe(0x220d);
  });

  it("is that of a captured IPv4 header", () => {
    const header = fromHex("45000073000040004011b861c0a80001c0a800c7");
    expect(checksum(header)).toBe(0);
    writeU16(header, 10, 0);
    expect(checksum(header)).toBe(0xb861);
  });

  it("agrees with a plain reference for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => checksum(bytes) === reference(bytes)),
    );
  });

  it("covers the given range, and starts from the given sum", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(20), (bytes, words) => {
        const cut = Math.min(2 * words, bytes.length & ~1);
        expect(checksum(bytes, cut, bytes.length, sumWords(bytes, 0, cut))).toBe(checksum(bytes));
      }),
    );
  });

  it("stays exact for the largest packets", () => {
    expect(checksum(new Uint8Array(65_536).fill(0xff))).toBe(0);
    expect(foldChecksum(0xffff * 0x8000)).toBe(0);
  });

  it("can be updated when one word changes (RFC 1624)", () => {
    const header = fc.uint8Array({ minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(header, fc.nat(8), fc.nat(0xffff), (bytes, word, value) => {
        const at = 2 * word;
        bytes[18] = 0x45; // a header is never all zero
        const old = checksum(bytes);
        const before = readU16(bytes, at);
        writeU16(bytes, at, value);
        const updated = updateChecksum(old, before, value);
        expect(foldChecksum(sumWords(bytes) + updated)).toBe(0);
      }),
    );
  });

  it("is updated as in the example of RFC 1624, section 4", () => {
    expect(updateChecksum(0xdd2f, 0x5555, 0x3285)).toBe(0x0000);
  });

  it("covers addresses, protocol and length in the pseudo header of IPv4", () => {
    const pseudo = Uint8Array.of(10, 0, 1, 2, 192, 168, 3, 4, 0, 17, 0x12, 0x34);
    expect(pseudoHeaderSum4(0x0a00_0102, 0xc0a8_0304, 17, 0x1234)).toBe(sumWords(pseudo));
  });

  it("covers addresses, next header and length in the pseudo header of IPv6", () => {
    const packet = Uint8Array.from({ length: 43 }, (_, index) => index * 7);
    const tail = Uint8Array.of(0, 0, 0x12, 0x34, 0, 0, 0, 58);
    expect(pseudoHeaderSum6(packet, 3, 58, 0x1234)).toBe(sumWords(packet, 11, 43) + sumWords(tail));
  });
});
