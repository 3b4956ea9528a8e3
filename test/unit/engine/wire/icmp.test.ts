import { echoId, echoSequence, encodeEcho, encodeIcmp } from "@wirelab/engine/wire/icmp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checksum } from "../../../../packages/engine/base/checksum.ts";
import { toHex } from "./hex.ts";

describe("ICMP messages", () => {
  it("are an echo request as on the wire", () => {
    expect(toHex(encodeEcho(0x1234, 1, Uint8Array.of(0x61, 0x62, 0x63)))).toBe("0800216812340001616263");
  });

  it("are an error with its 32-bit word and the quoted packet", () => {
    expect(toHex(encodeIcmp(3, 4, 1_400, Uint8Array.of(0x45, 0)))).toBe("0304b283000005784500");
  });

  it("have a correct checksum for any content", () => {
    const word = fc.integer({ min: 0, max: 0xffff_ffff });
    fc.assert(
      fc.property(
        fc.nat(255),
        fc.nat(255),
        word,
        fc.uint8Array({ maxLength: 99 }),
        (type, code, rest, data) => {
          const message = encodeIcmp(type, code, rest, data);
          expect(checksum(message)).toBe(0);
          expect([message[0], message[1], ...message.subarray(8)]).toEqual([type, code, ...data]);
        },
      ),
    );
  });

  it("identify an echo by identifier and sequence number", () => {
    fc.assert(
      fc.property(fc.nat(0xffff), fc.nat(0xffff), (id, sequence) => {
        const message = encodeEcho(id, sequence, new Uint8Array(0));
        expect([message[0], echoId(message), echoSequence(message)]).toEqual([8, id, sequence]);
      }),
    );
  });
});
