import { parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { parseIpv6 } from "@wirelab/engine/wire/ipv6-address";
import { formatMac } from "@wirelab/engine/wire/mac";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checksum } from "../../../../packages/engine/base/checksum.ts";
import {
  decodeVrrp,
  encodeVrrp4,
  encodeVrrp6,
  isVrrpIntact4,
  isVrrpIntact6,
  VRRP_GROUP_IPV4,
  VRRP_GROUP_IPV6,
  virtualMac,
} from "../../../../packages/engine/wire/vrrp.ts";

const SOURCE = parseIpv4("10.1.0.3")!;
const LINK_LOCAL = parseIpv6("fe80::3")!;
const MESSAGE = { id: 51, priority: 200, intervalCs: 0x123 };

describe("a VRRP advertisement", () => {
  it("has the layout of RFC 9568, section 5.2", () => {
    const packet = encodeVrrp4(MESSAGE, [parseIpv4("10.1.0.1")!, parseIpv4("10.1.0.2")!], SOURCE);
    expect(
      Buffer.from(packet)
        .toString("hex")
        .replace(/^(.{12}).{4}/, "$1...."),
    ).toBe("3133c8020123....0a0100010a010002");
    expect(decodeVrrp(packet, 4)).toEqual({ ...MESSAGE, addresses: 2 });
  });

  // From a capture of keepalived 2.2.7 with `vrrp_version 3`.
  it("is over IPv4 what keepalived sends, with a checksum that includes a pseudo header", () => {
    const source = parseIpv4("10.99.1.2")!;
    const message = { id: 51, priority: 100, intervalCs: 100 };
    const packet = encodeVrrp4(message, [parseIpv4("10.99.1.254")!], source);
    expect(Buffer.from(packet).toString("hex")).toBe("31336401006472120a6301fe");
    expect(isVrrpIntact4(packet, source, VRRP_GROUP_IPV4)).toBe(true);
    expect(isVrrpIntact4(packet, source + 1, VRRP_GROUP_IPV4)).toBe(false);
  });

  it("is over IPv6 what keepalived sends", () => {
    const source = parseIpv6("fe80::70fd:dcff:fe1d:3fdd")!;
    const message = { id: 52, priority: 120, intervalCs: 100 };
    const packet = encodeVrrp6(message, [parseIpv6("fe80::52")!, parseIpv6("2001:db8:1::254")!], source);
    expect(Buffer.from(packet).toString("hex")).toBe(
      "3134780200649d5dfe80000000000000000000000000005220010db8000100000000000000000254",
    );
  });

  it("is taken over IPv4 with a checksum without a pseudo header, as RFC 9568 has it", () => {
    const packet = encodeVrrp4(MESSAGE, [SOURCE], SOURCE);
    packet.set([0, 0], 6);
    const sum = checksum(packet);
    packet.set([sum >> 8, sum & 255], 6);
    expect(isVrrpIntact4(packet, 1, 2)).toBe(true);
    packet[2] = 201;
    expect(isVrrpIntact4(packet, 1, 2)).toBe(false);
  });

  it("has over IPv6 a checksum that covers the addresses of the packet", () => {
    const packet = encodeVrrp6(MESSAGE, [parseIpv6("fe80::1")!, parseIpv6("2001:db8::1")!], LINK_LOCAL);
    expect(packet).toHaveLength(40);
    expect(decodeVrrp(packet, 16)).toEqual({ ...MESSAGE, addresses: 2 });
    expect(isVrrpIntact6(packet, LINK_LOCAL, VRRP_GROUP_IPV6)).toBe(true);
    expect(isVrrpIntact6(packet, LINK_LOCAL + 1n, VRRP_GROUP_IPV6)).toBe(false);
  });

  it("comes from the MAC address of its virtual router", () => {
    expect(formatMac(virtualMac(51, false))).toBe("00:00:5e:00:01:33");
    expect(formatMac(virtualMac(255, true))).toBe("00:00:5e:00:02:ff");
  });

  it.each([
    ["version 2", (packet: Uint8Array) => packet.fill(0x21, 0, 1)],
    ["another type", (packet: Uint8Array) => packet.fill(0x32, 0, 1)],
    ["VRID 0", (packet: Uint8Array) => packet.fill(0, 1, 2)],
    ["no address", (packet: Uint8Array) => packet.fill(0, 3, 4)],
    ["more addresses than bytes", (packet: Uint8Array) => packet.fill(2, 3, 4)],
    ["a part of its header", (packet: Uint8Array) => packet.subarray(0, 7)],
  ])("of %s is not one", (_what, change) => {
    expect(decodeVrrp(change(encodeVrrp4(MESSAGE, [SOURCE], SOURCE)), 4)).toBeNull();
  });

  it("decodes from any bytes without an exception", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        decodeVrrp(bytes, 4);
        decodeVrrp(bytes, 16);
      }),
    );
  });
});
