import {
  ALL_NODES,
  ALL_ROUTERS,
  eui64Of,
  formatIpv6,
  isLinkLocal,
  isMulticastIpv6,
  linkLocalOf,
  parseIpv6,
  readIpv6,
  samePrefix,
  solicitedNode,
  writeIpv6,
} from "@wirelab/engine/wire/ipv6-address";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const address = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
const parse = (text: string): bigint => parseIpv6(text)!;

describe("The text of an IPv6 address", () => {
  test.each([
    ["::", "::"],
    ["::1", "::1"],
    ["2001:DB8::1", "2001:db8::1"],
    ["2001:db8:0:0:0:0:0:1", "2001:db8::1"],
    ["2001:0db8:0001:0002:0003:0004:0005:0006", "2001:db8:1:2:3:4:5:6"],
    // RFC 5952: one group of zeros is not shortened (4.2.2), the longest run is (4.2.3), the first of two equal ones.
    ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["2001:0:0:1:0:0:0:1", "2001:0:0:1::1"],
    ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["1::", "1::"],
    ["::192.0.2.33", "::c000:221"],
    ["::ffff:192.0.2.33", "::ffff:192.0.2.33"],
    ["64:ff9b::192.0.2.33", "64:ff9b::c000:221"],
  ])("%s is written %s", (typed, written) => {
    expect(formatIpv6(parse(typed))).toBe(written);
  });

  test.each([
    "",
    ":",
    ":::",
    "1",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1::2::3",
    "1:2:3:4::5:6:7:8",
    "12345::",
    "g::",
    "::1/64",
    "fe80::1%eth0",
    "::256.0.0.1",
    "1.2.3.4",
    ":1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:",
    " ::1",
  ])("%j is not an address", (typed) => {
    expect(parseIpv6(typed)).toBeNull();
  });

  test("any address survives formatting and parsing, as text and as bytes", () => {
    fc.assert(
      fc.property(address, fc.nat(7), (value, offset) => {
        const bytes = new Uint8Array(24).fill(0xa5);
        writeIpv6(bytes, offset, value);
        expect(readIpv6(bytes, offset)).toBe(value);
        expect(bytes[offset + 16]).toBe(0xa5);
        expect(parseIpv6(formatIpv6(value))).toBe(value);
      }),
    );
  });

  test("no text makes the parser throw", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."0123456789abcdefg:.%") }),
        (text) => void parseIpv6(text),
      ),
    );
  });
});

describe("Kinds of addresses", () => {
  test("the identifier of a MAC has ff:fe in its middle and the universal bit flipped", () => {
    expect(eui64Of(0x0050_7966_6800)).toBe(0x0250_79ff_fe66_6800n);
    expect(formatIpv6(linkLocalOf(0x0050_7966_6800))).toBe("fe80::250:79ff:fe66:6800");
    expect(formatIpv6(linkLocalOf(0x0200_0000_00aa))).toBe("fe80::ff:fe00:aa");
  });

  test("the solicited-node group keeps the last three bytes", () => {
    expect(formatIpv6(solicitedNode(parse("2001:db8::12:3456:789a")))).toBe("ff02::1:ff56:789a");
  });

  test("multicast and link-local addresses are recognised by their first bits", () => {
    expect([ALL_NODES, ALL_ROUTERS].map(formatIpv6)).toEqual(["ff02::1", "ff02::2"]);
    expect(["ff00::", "ff02::1", "feff::1", "::"].map((text) => isMulticastIpv6(parse(text)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(["fe80::1", "febf::1", "fec0::1", "fe7f::1"].map((text) => isLinkLocal(parse(text)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test.each([
    ["2001:db8::1", "2001:db8::2", 64, true],
    ["2001:db8::1", "2001:db8:0:1::1", 64, false],
    ["2001:db8::1", "2001:db8:0:1::1", 63, true],
    ["2001:db8::1", "2001:db8::2", 128, false],
    ["::", "ffff::", 0, true],
  ])("%s and %s share %i bits: %s", (one, other, bits, expected) => {
    expect(samePrefix(parse(one), parse(other), bits)).toBe(expected);
  });
});
