import { decodeIpv6, encodeIpv6, IPV6_HEADER_BYTES } from "@wirelab/engine/wire/ipv6";
import { parseIpv6 } from "@wirelab/engine/wire/ipv6-address";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decodeIpv6Fragment,
  fragmentIpv6,
  PROTOCOL_IPV6_FRAGMENT,
} from "../../../../packages/engine/wire/ipv6-fragment.ts";

const FIELDS = {
  source: parseIpv6("2001:db8::1")!,
  target: parseIpv6("2001:db8::2")!,
  nextHeader: 17,
  hopLimit: 9,
};
const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index);
const hexOf = (data: Uint8Array): string => Buffer.from(data).toString("hex");

describe("fragmentIpv6", () => {
  test("writes golden fragments: next header 44, offsets in units of 8 bytes, the same identification", () => {
    const fragments = fragmentIpv6(encodeIpv6(FIELDS, bytes(20)), 0x1234_5678, 64);
    const addresses = "20010db8000000000000000000000001" + "20010db8000000000000000000000002";
    expect(fragments.map(hexOf)).toEqual([
      `6000000000182c09${addresses}1100000112345678${hexOf(bytes(16))}`,
      `60000000000c2c09${addresses}1100001012345678${hexOf(bytes(20).subarray(16))}`,
    ]);
  });

  test("returns fragments within the MTU that together contain the packet's payload", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 4_000 }),
        fc.integer({ min: 56, max: 1_500 }),
        fc.integer({ min: 0, max: 0xffff_ffff }),
        (payload, mtuBytes, id) => {
          let end = 0;
          const pieces = fragmentIpv6(encodeIpv6(FIELDS, payload), id, mtuBytes).map((packet) => {
            expect(packet.length).toBeLessThanOrEqual(mtuBytes);
            const { payloadBytes, ...header } = decodeIpv6(packet, 0)!;
            expect(header).toEqual({ ...FIELDS, trafficClass: 0, nextHeader: PROTOCOL_IPV6_FRAGMENT });
            expect(payloadBytes).toBe(packet.length - IPV6_HEADER_BYTES);
            const piece = decodeIpv6Fragment(packet.subarray(IPV6_HEADER_BYTES))!;
            expect(piece).toMatchObject({ nextHeader: 17, offset: end, id });
            end += piece.data.length;
            expect(piece.moreFragments).toBe(end < payload.length);
            return piece.data;
          });
          expect(hexOf(Buffer.concat(pieces))).toBe(hexOf(payload));
        },
      ),
    );
  });

  test("is not decoded from fewer than 8 bytes", () => {
    expect(decodeIpv6Fragment(bytes(7))).toBeNull();
    expect(decodeIpv6Fragment(bytes(8))).not.toBeNull();
  });
});
