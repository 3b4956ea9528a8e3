import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { encodeIpv6 } from "@wirelab/engine/wire/ipv6";
import { parseIpv6 } from "@wirelab/engine/wire/ipv6-address";
import { decodePacket } from "@wirelab/engine/wire/summary";
import { expect, test } from "vitest";
import {
  encodeVrrp4,
  encodeVrrp6,
  VRRP_GROUP_IPV4,
  VRRP_GROUP_IPV6,
} from "../../../../../packages/engine/wire/vrrp.ts";

const infoOf = (type: number, packet: Uint8Array): string => {
  const frame = encodeEthernet(1, 2, type, packet);
  const { protocol, info } = decodePacket(frame, frame.length, "DLT_EN10MB");
  return `${protocol}: ${info}`;
};

const over4 = (payload: Uint8Array): string => {
  const [packet] = encodeIpv4({ source: 9, target: VRRP_GROUP_IPV4, protocol: 112, ttl: 255 }, payload);
  return infoOf(0x0800, packet!);
};

test.each([
  [150, "VRRP: Advertisement of virtual router 7 priority=150 interval=1000 ms"],
  [0, "VRRP: Advertisement of virtual router 7 priority=0 stops interval=1000 ms"],
  [255, "VRRP: Advertisement of virtual router 7 priority=255 owner interval=1000 ms"],
])("an advertisement with priority %d is described", (priority, text) => {
  expect(over4(encodeVrrp4({ id: 7, priority, intervalCs: 100 }, [1], 9))).toBe(text);
});

test("an advertisement over IPv6 is described", () => {
  const source = parseIpv6("fe80::1")!;
  const payload = encodeVrrp6({ id: 8, priority: 1, intervalCs: 5 }, [source], source);
  const packet = encodeIpv6({ source, target: VRRP_GROUP_IPV6, nextHeader: 112, hopLimit: 255 }, payload);
  expect(infoOf(0x86dd, packet)).toBe("VRRP: Advertisement of virtual router 8 priority=1 interval=50 ms");
});

test("another version, or a part of an advertisement, has only its size", () => {
  expect(over4(Uint8Array.of(0x21, 7, 100, 1, 0, 1, 0, 0, 1, 2, 3, 4))).toBe("VRRP: 12 bytes ttl=255");
  expect(over4(Uint8Array.of(0x31, 7, 100))).toBe("VRRP: 3 bytes ttl=255");
});
