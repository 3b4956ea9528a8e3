import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checksum, pseudoHeaderSum4 } from "../../../../packages/engine/base/checksum.ts";
import { decodeTcp, encodeTcp4, TCP_SYN, tcpBytes } from "../../../../packages/engine/wire/tcp.ts";
import { toHex } from "./hex.ts";

const word = fc.integer({ min: 0, max: 0xffff_ffff });
const tcp = fc.record({
  sourcePort: fc.nat(0xffff),
  targetPort: fc.nat(0xffff),
  sequence: word,
  acknowledgement: word,
  flags: fc.nat(255),
  window: fc.nat(0xffff),
  options: fc.nat(10).map((words) => new Uint8Array(4 * words).fill(1)),
  data: fc.uint8Array({ maxLength: 100 }),
});

describe("TCP segments", () => {
  const syn = {
    sourcePort: 0x3039,
    targetPort: 80,
    sequence: 0x0102_0304,
    acknowledgement: 0,
    flags: TCP_SYN,
    window: 2_920,
    options: Uint8Array.of(2, 4, 5, 0xb4),
    data: new Uint8Array(0),
  };

  it("are encoded and decoded as on the wire", () => {
    const segment = encodeTcp4(0x0a00_0102, 0x0a00_0101, syn);
    expect(toHex(segment)).toBe("30390050010203040000000060020b68422d0000020405b4");
    expect(decodeTcp(segment)).toEqual(syn);
  });

  it("survive being encoded and decoded, with a checksum over the pseudo header", () => {
    fc.assert(
      fc.property(tcp, word, word, (drawn, source, target) => {
        const segment = encodeTcp4(source, target, drawn);
        expect(segment).toHaveLength(tcpBytes(drawn));
        expect(decodeTcp(segment)).toEqual(drawn);
        const sum = pseudoHeaderSum4(source, target, 6, segment.length);
        expect(checksum(segment, 0, segment.length, sum)).toBe(0);
      }),
    );
  });

  it.each([
    ["shorter than 20 bytes", 0x40],
    ["longer than the segment", 0x70],
  ])("are not decoded with a header %s", (_, offset) => {
    const segment = encodeTcp4(1, 2, syn);
    segment[12] = offset;
    expect(decodeTcp(segment)).toBeNull();
  });

  it("are not decoded from fewer than 20 bytes, and no bytes make the decoder throw", () => {
    for (let length = 0; length < 20; length++) expect(decodeTcp(new Uint8Array(length))).toBeNull();
    fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => void decodeTcp(bytes)));
  });
});
