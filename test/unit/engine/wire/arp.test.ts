import { ARP_REPLY, ARP_REQUEST, decodeArp, encodeArp } from "@wirelab/engine/wire/arp";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "./hex.ts";

/** A request of 10.0.1.2 for the MAC of 10.0.1.1. */
const GOLDEN = [
  "ffffffffffff 005079666801 0806",
  "0001 0800 06 04 0001",
  "005079666801 0a000102",
  "000000000000 0a000101",
]
  .join("")
  .replaceAll(" ", "");

const ASK = {
  opcode: ARP_REQUEST,
  senderMac: 0x0050_7966_6801,
  senderIp: 0x0a00_0102,
  targetMac: 0,
  targetIp: 0x0a00_0101,
};

const mac = fc.integer({ min: 0, max: BROADCAST_MAC });
const ipv4 = fc.integer({ min: 0, max: 0xffff_ffff });
const arp = fc.record({
  opcode: fc.nat(0xffff),
  senderMac: mac,
  senderIp: ipv4,
  targetMac: mac,
  targetIp: ipv4,
});

describe("ARP packets", () => {
  it("are encoded and decoded as on the wire", () => {
    expect(toHex(encodeArp(BROADCAST_MAC, ASK.senderMac, ASK))).toBe(GOLDEN);
    expect(decodeArp(fromHex(GOLDEN))).toEqual(ASK);
  });

  it("survive being encoded and decoded, with any padding", () => {
    fc.assert(
      fc.property(arp, fc.nat(100), (packet, frameBytes) => {
        const frame = encodeArp(1, 2, packet, frameBytes);
        expect(frame).toHaveLength(Math.max(42, frameBytes));
        expect(decodeArp(frame)).toEqual(packet);
      }),
    );
  });

  it("are padded with zeros to the requested size", () => {
    const frame = encodeArp(1, 2, { ...ASK, opcode: ARP_REPLY }, 60);
    expect([...frame.subarray(42)]).toEqual(new Array(18).fill(0));
  });

  it.each([
    ["another ethertype", 13, 0x00],
    ["another kind of hardware", 15, 6],
    ["another protocol", 16, 0x86],
    ["another length of hardware address", 18, 8],
    ["another length of protocol address", 19, 16],
  ])("are not decoded with %s", (_, at, value) => {
    const frame = fromHex(GOLDEN);
    frame[at] = value;
    expect(decodeArp(frame)).toBeNull();
  });

  it("are not decoded if truncated at any byte", () => {
    const frame = fromHex(GOLDEN);
    for (let length = 0; length < 42; length++) expect(decodeArp(frame.subarray(0, length))).toBeNull();
  });

  it("are decoded from any bytes without throwing", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => void decodeArp(bytes)));
  });
});
