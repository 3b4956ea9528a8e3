import {
  ETHERTYPE_ARP,
  ETHERTYPE_IPV6,
  encodeEthernet,
  etherType,
  sourceMac,
  targetMac,
  writeEthernetHeader,
} from "@wirelab/engine/wire/ethernet";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHex } from "./hex.ts";

const mac = fc.integer({ min: 0, max: 0xffff_ffff_ffff });

describe("Ethernet frames", () => {
  it("begin with target, source and type, and end with the payload", () => {
    const frame = encodeEthernet(0xffff_ffff_ffff, 0x0050_7966_6801, ETHERTYPE_ARP, Uint8Array.of(1, 2));
    expect(toHex(frame)).toBe("ffffffffffff" + "005079666801" + "0806" + "0102");
  });

  it("hold a copy of the payload", () => {
    const payload = Uint8Array.of(1);
    const frame = encodeEthernet(1, 2, 3, payload);
    payload[0] = 9;
    expect(frame[14]).toBe(1);
  });

  it("decode to the written values, over any previous bytes", () => {
    fc.assert(
      fc.property(mac, mac, fc.nat(0xffff), fc.nat(255), (target, source, type, junk) => {
        const frame = new Uint8Array(20).fill(junk);
        writeEthernetHeader(frame, target, source, type);
        expect([targetMac(frame), sourceMac(frame), etherType(frame)]).toEqual([target, source, type]);
        expect([...frame.subarray(14)]).toEqual(new Array(6).fill(junk));
      }),
    );
  });

  it("identify IPv6 by its type", () => {
    expect(etherType(encodeEthernet(0, 0, ETHERTYPE_IPV6, new Uint8Array(0)))).toBe(0x86dd);
  });
});
