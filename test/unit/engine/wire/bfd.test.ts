/** BFD control packets (RFC 5880, section 4.1). */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BfdPacket, decodeBfd, encodeBfd } from "../../../../packages/engine/wire/bfd.ts";
import { fromHex as bytes } from "./hex.ts";

const UP: BfdPacket = {
  diagnostic: 0,
  state: "up",
  isPoll: true,
  isFinal: false,
  isDemand: false,
  multiplier: 3,
  mine: 7,
  yours: 9,
  desiredTxUs: 300_000,
  requiredRxUs: 1_000_000,
};
/** Version 1, up, poll, multiplier 3, 24 bytes, discriminators 7 and 9, 300 ms, 1 s, no echo. */
const ENCODED = bytes("20e00318 00000007 00000009 000493e0 000f4240 00000000");

const withByte = (at: number, value: number): Uint8Array => ENCODED.with(at, value);

describe("BFD packets", () => {
  it("have the layout of the RFC", () => {
    expect(encodeBfd(UP)).toEqual(ENCODED);
    expect(decodeBfd(ENCODED)).toEqual(UP);
  });

  it.each([
    ["23 bytes", ENCODED.subarray(0, 23), "BFD takes 24 bytes, 23 are there"],
    ["version 0", withByte(0, 0), "BFD version 0"],
    ["a length of 25 bytes", withByte(3, 25), "BFD length 25 in 24 bytes"],
    ["a length of 23 bytes", withByte(3, 23), "BFD length 23 in 24 bytes"],
    ["a multiplier of 0", withByte(2, 0), "BFD detection multiplier 0"],
    ["the multipoint bit", withByte(1, 0xe1), "BFD multipoint bit"],
    ["authentication", withByte(1, 0xe4), "BFD authentication"],
    ["no discriminator", withByte(7, 0), "BFD discriminator 0"],
    ["no discriminator of the receiver", withByte(11, 0), "BFD state up without your discriminator"],
  ])("with %s are discarded", (_what, packet, why) => expect(decodeBfd(packet)).toBe(why));

  it("are read as they were written", () => {
    const number = fc.integer({ min: 1, max: 0xffff_ffff });
    const any = fc.record({
      diagnostic: fc.integer({ min: 0, max: 31 }),
      state: fc.constantFrom("admin-down" as const, "down" as const, "init" as const, "up" as const),
      isPoll: fc.boolean(),
      isFinal: fc.boolean(),
      isDemand: fc.boolean(),
      multiplier: fc.integer({ min: 1, max: 255 }),
      mine: number,
      yours: number,
      desiredTxUs: number,
      requiredRxUs: number,
    });
    fc.assert(
      fc.property(any, (packet) => {
        expect(decodeBfd(encodeBfd(packet))).toEqual(packet);
      }),
    );
  });

  it("of any bytes are read or refused", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (packet) => {
        expect(["string", "object"]).toContain(typeof decodeBfd(packet));
      }),
    );
  });
});
