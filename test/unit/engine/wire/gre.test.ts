import { decodeGre, encodeGre } from "@wirelab/engine/wire/gre";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checksum } from "../../../../packages/engine/base/checksum.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "hex"));
const PAYLOAD = Uint8Array.of(1, 2, 3);

describe("a GRE packet", () => {
  it("has a header of four bytes, and of eight with a key", () => {
    expect(hex(encodeGre({ etherType: 0x0800, key: undefined, payload: PAYLOAD }))).toBe("00000800010203");
    expect(hex(encodeGre({ etherType: 0x86dd, key: 7, payload: PAYLOAD }))).toBe("200086dd00000007010203");
  });

  it("decodes to what was encoded", () => {
    const key = fc.option(fc.integer({ min: 0, max: 0xffff_ffff }), { nil: undefined });
    const any = fc.record({ etherType: fc.integer({ min: 0, max: 0xffff }), key, payload: fc.uint8Array() });
    fc.assert(fc.property(any, (gre) => void expect(decodeGre(encodeGre(gre))).toEqual(gre)));
  });

  it("is read with a sequence number, which the router does not check", () => {
    expect(decodeGre(bytesOf("30000800000000070000002a01"))).toEqual({
      etherType: 0x0800,
      key: 7,
      payload: Uint8Array.of(1),
    });
  });

  it("is read with a checksum if that is right", () => {
    const packet = bytesOf("a000080000000000000000070102");
    const sum = checksum(packet);
    packet.set([sum >> 8, sum & 255], 4);
    expect(decodeGre(packet)).toEqual({ etherType: 0x0800, key: 7, payload: Uint8Array.of(1, 2) });
    packet[13] = 3;
    expect(decodeGre(packet)).toBeNull();
  });

  it.each([
    ["truncated", "000008"],
    ["truncated in its key", "20000800000000"],
    ["of version 1, which is PPTP's", "00010800"],
    ["source routed", "40000800"],
  ])("that is %s is not one", (_what, text) => {
    expect(decodeGre(bytesOf(text))).toBeNull();
  });

  it("decodes from any bytes without an exception", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 32 }), (bytes) => void decodeGre(bytes)));
  });
});
