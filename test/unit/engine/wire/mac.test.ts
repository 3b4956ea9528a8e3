import { parseIpv6 } from "@wirelab/engine/wire/ipv6-address";
import {
  BROADCAST_MAC,
  formatMac,
  ipv6MulticastMac,
  isGroupMac,
  parseMac,
  readMac,
  writeMac,
} from "@wirelab/engine/wire/mac";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHex } from "./hex.ts";

const mac = fc.integer({ min: 0, max: BROADCAST_MAC });

describe("MAC addresses", () => {
  it("are numbers of six bytes, the first the highest", () => {
    const bytes = Uint8Array.of(0xee, 0x00, 0x50, 0x79, 0x66, 0x68, 0x01, 0xee);
    expect(readMac(bytes, 1)).toBe(0x0050_7966_6801);
    const target = new Uint8Array(8).fill(0xa5);
    writeMac(target, 1, 0xfedc_ba98_7654);
    expect(toHex(target)).toBe("a5fedcba987654a5");
  });

  it("are written as six pairs of lower-case digits", () => {
    expect([0, 0x0050_7966_6801, BROADCAST_MAC].map(formatMac)).toEqual([
      "00:00:00:00:00:00",
      "00:50:79:66:68:01",
      "ff:ff:ff:ff:ff:ff",
    ]);
  });

  it.each(["00:50:79:66:68:01", "00-50-79-66-68-01"])("are read from %s", (text) => {
    expect(parseMac(text)).toBe(0x0050_7966_6801);
  });

  it.each([
    "",
    "00:50:79:66:68",
    "00:50:79:66:68:01:02",
    "0:50:79:66:68:01",
    "005079666801",
    "00:50:79:66:68:0g",
  ])("are not read from %j", (text) => {
    expect(parseMac(text)).toBeNull();
  });

  it("survive being written and read, as bytes and as text", () => {
    fc.assert(
      fc.property(mac, (value) => {
        const bytes = new Uint8Array(6);
        writeMac(bytes, 0, value);
        expect(readMac(bytes, 0)).toBe(value);
        expect(parseMac(formatMac(value))).toBe(value);
        expect(formatMac(value).replaceAll(":", "")).toBe(toHex(bytes));
      }),
    );
  });

  it("are a group if the lowest bit of the first byte is set", () => {
    fc.assert(
      fc.property(mac, (value) => {
        const bytes = new Uint8Array(6);
        writeMac(bytes, 0, value);
        expect(isGroupMac(value)).toBe((bytes[0]! & 1) === 1);
      }),
    );
  });

  it("of an IPv6 group contain its last four bytes (RFC 2464, section 7)", () => {
    expect(formatMac(ipv6MulticastMac(parseIpv6("ff02::1:ff28:9c5a")!))).toBe("33:33:ff:28:9c:5a");
  });
});
