import {
  formatIpv4,
  isMulticastIpv4,
  maskOf,
  parseIpv4,
  prefixLengthOf,
  sameSubnet,
} from "@wirelab/engine/wire/ipv4-address";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const address = fc.integer({ min: 0, max: 0xffff_ffff });

describe("IPv4 addresses", () => {
  it.each([
    ["0.0.0.0", 0],
    ["10.0.1.2", 0x0a00_0102],
    ["192.168.255.1", 0xc0a8_ff01],
    ["255.255.255.255", 0xffff_ffff],
  ])("are numbers: %s", (text, number) => {
    expect(parseIpv4(text)).toBe(number);
    expect(formatIpv4(number)).toBe(text);
  });

  it.each([
    "",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.256",
    "1.2.3.",
    "1..3.4",
    "1.2.3.-4",
    "1.2.3.0x4",
    " 1.2.3.4",
    "1.2.3.4444",
  ])("are not read from %j", (text) => {
    expect(parseIpv4(text)).toBeNull();
  });

  it("survive being written and read", () => {
    fc.assert(fc.property(address, (value) => parseIpv4(formatIpv4(value)) === value));
  });

  it("are parsed from any text without throwing", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const value = parseIpv4(text);
        expect(value === null || (value >= 0 && value <= 0xffff_ffff)).toBe(true);
      }),
    );
  });

  it("have masks for prefixes of 0 to 32 bits", () => {
    const masks = [0, 1, 8, 24, 31, 32].map((length) => formatIpv4(maskOf(length)));
    expect(masks).toEqual([
      "0.0.0.0",
      "128.0.0.0",
      "255.0.0.0",
      "255.255.255.0",
      "255.255.255.254",
      "255.255.255.255",
    ]);
  });

  it("have a prefix length for each mask, and none for other numbers", () => {
    for (let length = 0; length <= 32; length++) expect(prefixLengthOf(maskOf(length))).toBe(length);
    expect([0xff00_ff00, 1, 0x7fff_ffff].map(prefixLengthOf)).toEqual([null, null, null]);
  });

  it("are in one subnet when the bits under the mask agree", () => {
    fc.assert(
      fc.property(address, address, fc.integer({ min: 0, max: 32 }), (a, b, length) => {
        const bits = (value: number): string => value.toString(2).padStart(32, "0").slice(0, length);
        expect(sameSubnet(a, b, maskOf(length))).toBe(bits(a) === bits(b));
      }),
    );
  });

  it("are multicast from 224.0.0.0 to 239.255.255.255", () => {
    const groups = ["223.255.255.255", "224.0.0.0", "239.255.255.255", "240.0.0.0"].map((text) =>
      isMulticastIpv4(parseIpv4(text)!),
    );
    expect(groups).toEqual([false, true, true, false]);
  });
});
