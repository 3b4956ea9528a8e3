import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseShortIpv4 } from "../../../../../../packages/engine/devices/pc/commands/short-ipv4.ts";

test.each([
  ["10.0.0.1", "10.0.0.1"],
  ["10.5", "10.0.0.5"],
  ["10.1.2", "10.1.0.2"],
  ["10.1.513", "10.1.2.1"],
  ["5", "0.0.0.5"],
  ["4294967294", "255.255.255.254"],
  ["0x0a000001", "10.0.0.1"],
  ["0XA.012.1", "10.10.0.1"],
  ["010.010.010.010", "8.8.8.8"],
  ["00.0.0.0x00ff", "0.0.0.255"],
])("%s is read as %s", (text, whole) => {
  expect(formatIpv4(parseShortIpv4(text)!)).toBe(whole);
});

test.each([
  "",
  "abc",
  "256.1.1.1",
  "10.0.0.300",
  "1.2.3.4.5",
  "10..1",
  "4294967296",
  "0x",
  "0xg",
  "08.0.0.1",
  "-1",
  "1e3",
  "10.0.0.1 ",
  "255.255.255.255",
])("%j is not an address", (text) => {
  expect(parseShortIpv4(text)).toBeNull();
});

test("every address is parsed back from its text", () => {
  fc.assert(
    fc.property(fc.nat(0xffff_fffe), (address) => {
      expect(parseShortIpv4(formatIpv4(address))).toBe(address);
    }),
  );
});
