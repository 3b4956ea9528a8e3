import {
  decodeIpv4,
  encodeIpv4,
  PROTOCOL_ICMP,
  writeIpv4Checksum,
  writeIpv4Header,
} from "@wirelab/engine/wire/ipv4";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checksum } from "../../../../packages/engine/base/checksum.ts";
import { fromHex, toHex } from "./hex.ts";

/** The header of an echo request from 10.0.1.2 to 10.0.1.1 with 4 bytes after it. */
const GOLDEN = "4500001812344000400112af0a0001020a000101";
const FIELDS = {
  source: 0x0a00_0102,
  target: 0x0a00_0101,
  protocol: PROTOCOL_ICMP,
  id: 0x1234,
  dontFragment: true,
};

const fields = fc.record({
  source: fc.integer({ min: 0, max: 0xffff_ffff }),
  target: fc.integer({ min: 0, max: 0xffff_ffff }),
  protocol: fc.nat(255),
  ttl: fc.nat(255),
  id: fc.nat(0xffff),
  dontFragment: fc.boolean(),
  moreFragments: fc.boolean(),
  fragmentOffset: fc.nat(0x1fff).map((units) => units * 8),
  typeOfService: fc.nat(255),
});

describe("IPv4 packets", () => {
  it("are encoded and decoded as on the wire", () => {
    const [packet] = encodeIpv4(FIELDS, Uint8Array.of(1, 2, 3, 4));
    expect(toHex(packet!)).toBe(`${GOLDEN}01020304`);
    expect(decodeIpv4(fromHex(`eeee${GOLDEN}01020304eeee`), 2)).toEqual({
      headerBytes: 20,
      typeOfService: 0,
      totalBytes: 24,
      id: 0x1234,
      dontFragment: true,
      moreFragments: false,
      fragmentOffset: 0,
      ttl: 64,
      protocol: PROTOCOL_ICMP,
      source: FIELDS.source,
      target: FIELDS.target,
    });
  });

  it("survive being encoded and decoded, over any previous bytes", () => {
    fc.assert(
      fc.property(fields, fc.nat(100), fc.nat(255), (drawn, payloadBytes, junk) => {
        const bytes = new Uint8Array(3 + 20 + payloadBytes).fill(junk);
        writeIpv4Header(bytes, 3, drawn, payloadBytes);
        expect(checksum(bytes, 3, 23)).toBe(0);
        expect(decodeIpv4(bytes, 3)).toEqual({ ...drawn, headerBytes: 20, totalBytes: 20 + payloadBytes });
      }),
    );
  });

  it("have a header checksum that covers options", () => {
    const bytes = new Uint8Array(30).fill(0x7b);
    bytes[2] = 0x46;
    writeIpv4Checksum(bytes, 2);
    expect(checksum(bytes, 2, 26)).toBe(0);
    expect(checksum(bytes, 2, 22)).not.toBe(0);
  });

  it.each([
    ["another version", 0, 0x65],
    ["a header shorter than 20 bytes", 0, 0x44],
    ["a total length shorter than the header", 3, 19],
    ["a total length beyond the end", 3, 25],
  ])("are not decoded with %s", (_, at, value) => {
    const bytes = fromHex(`${GOLDEN}01020304`);
    bytes[at] = value;
    expect(decodeIpv4(bytes, 0)).toBeNull();
  });

  it("are not decoded if truncated at any byte", () => {
    const bytes = fromHex(`${GOLDEN}01020304`);
    for (let length = 0; length < 24; length++) expect(decodeIpv4(bytes.subarray(0, length), 0)).toBeNull();
  });

  it("are decoded from any bytes without throwing", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(20), (bytes, at) => void decodeIpv4(bytes, at)),
    );
  });

  it("are one packet if they fit", () => {
    const packets = encodeIpv4({ ...FIELDS, moreFragments: true }, new Uint8Array(80), 100);
    expect(packets.map((packet) => decodeIpv4(packet, 0)!.moreFragments)).toEqual([true]);
  });

  it("are cut into fragments that hold the whole payload in order", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 60, maxLength: 3_000 }),
        fc.integer({ min: 28, max: 1_500 }),
        (payload, mtuBytes) => {
          const packets = encodeIpv4(FIELDS, payload, mtuBytes);
          const headers = packets.map((packet) => decodeIpv4(packet, 0)!);
          let end = 0;
          for (const [index, header] of headers.entries()) {
            expect(header.totalBytes).toBeLessThanOrEqual(mtuBytes);
            expect([header.fragmentOffset, header.id, header.moreFragments]).toEqual([
              end,
              FIELDS.id,
              index < headers.length - 1,
            ]);
            end += header.totalBytes - 20;
          }
          expect(Buffer.concat(packets.map((packet) => packet.subarray(20))).equals(payload)).toBe(true);
        },
      ),
    );
  });
});
