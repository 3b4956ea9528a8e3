import {
  decodeNeighbour,
  encodeIcmpv6,
  encodeNeighbour,
  findOption,
  ICMPV6_ECHO,
  NEIGHBOUR_ADVERTISEMENT,
  NEIGHBOUR_SOLICITATION,
  type Neighbour,
  OPTION_MTU,
  OPTION_PREFIX,
} from "@wirelab/engine/wire/icmpv6";
import { decodeIpv6, encodeIpv6Checked } from "@wirelab/engine/wire/ipv6";
import { parseIpv6 } from "@wirelab/engine/wire/ipv6-address";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(text.trim().split(/\s+/), (pair) => Number.parseInt(pair, 16));

/** A solicitation of 2001:db8::2 by 2001:db8::1. An independent script of RFC 8200, section 8.1, computed its checksum. */
const SOLICITATION = fromHex(`
  60 00 00 00 00 20 3a ff 20 01 0d b8 00 00 00 00 00 00 00 00 00 00 00 01
  ff 02 00 00 00 00 00 00 00 00 00 01 ff 00 00 02
  87 00 3c 71 00 00 00 00 20 01 0d b8 00 00 00 00 00 00 00 00 00 00 00 02
  01 01 00 50 79 66 68 00`);

const solicitation: Neighbour = {
  type: NEIGHBOUR_SOLICITATION,
  flags: 0,
  target: parseIpv6("2001:db8::2")!,
  mac: 0x0050_7966_6800,
};

describe("Neighbour discovery", () => {
  test("a solicitation is written as its golden packet, checksum included", () => {
    const packet = encodeIpv6Checked(
      {
        source: parseIpv6("2001:db8::1")!,
        target: parseIpv6("ff02::1:ff00:2")!,
        nextHeader: 58,
        hopLimit: 255,
      },
      encodeNeighbour(solicitation),
    );
    expect(packet).toEqual(SOLICITATION);
  });

  test("a solicitation is decoded from its golden packet", () => {
    expect(decodeIpv6(SOLICITATION, 0)).toMatchObject({ payloadBytes: 32, nextHeader: 58, hopLimit: 255 });
    expect(decodeNeighbour(SOLICITATION.subarray(40))).toEqual(solicitation);
  });

  test("solicitations and advertisements decode unchanged, with and without a MAC", () => {
    const neighbour: fc.Arbitrary<Neighbour> = fc.record({
      type: fc.constantFrom(NEIGHBOUR_SOLICITATION, NEIGHBOUR_ADVERTISEMENT),
      flags: fc.integer({ min: 0, max: 7 }).map((bits) => bits * 0x2000_0000),
      target: fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
      mac: fc.option(fc.integer({ min: 0, max: 2 ** 48 - 1 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(neighbour, (value) => {
        expect(decodeNeighbour(encodeNeighbour(value))).toEqual(value);
      }),
    );
  });

  test("the link address option of the other message type is ignored", () => {
    const message = encodeNeighbour({ ...solicitation, type: NEIGHBOUR_ADVERTISEMENT });
    message[0] = NEIGHBOUR_SOLICITATION;
    expect(decodeNeighbour(message)?.mac).toBeUndefined();
  });

  test("a truncated message, or one of another type, is not decoded", () => {
    expect(decodeNeighbour(encodeNeighbour(solicitation).subarray(0, 23))).toBeNull();
    expect(decodeNeighbour(encodeIcmpv6(ICMPV6_ECHO, 0, 0, new Uint8Array(32)))).toBeNull();
  });

  test("options are found behind others, but not behind a malformed one", () => {
    const header = [134, 0, 0, 0, 0, 0, 0, 0];
    const mtu = [OPTION_MTU, 1, 0, 0, 0, 0, 5, 0];
    const unknown = [200, 2, ...new Array(14).fill(7)];
    const find = (...options: number[][]) =>
      findOption(Uint8Array.from([header, ...options].flat()), 8, OPTION_MTU);
    expect(find(unknown, mtu)).toEqual(Uint8Array.from(mtu));
    expect(find([200, 0, 0, 0, 0, 0, 0, 0], mtu)).toBeUndefined();
    expect(find([200, 9, 0, 0, 0, 0, 0, 0], mtu)).toBeUndefined();
    expect(find([OPTION_PREFIX, 1, 0, 0, 0, 0, 0, 0])).toBeUndefined();
  });

  test("no bytes make the decoders throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.constantFrom(135, 136, 134), (bytes, type) => {
        if (bytes.length > 0) bytes[0] = type;
        decodeNeighbour(bytes);
        findOption(bytes, 16, OPTION_MTU);
        decodeIpv6(bytes, 0);
      }),
    );
  });
});
