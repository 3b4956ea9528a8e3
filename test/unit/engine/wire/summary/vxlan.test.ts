import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { decodePacket } from "@wirelab/engine/wire/summary";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { encodeVxlan } from "@wirelab/engine/wire/vxlan";
import { describe, expect, it } from "vitest";

const SOURCE = 0x0a00_0001;
const TARGET = 0x0a00_0002;

/** The summary of a datagram to the port of VXLAN. */
function textOf(data: Uint8Array): string {
  const udp = encodeUdp4(SOURCE, TARGET, { sourcePort: 50_000, targetPort: 4_789, data });
  const packet = encodeIpv4({ source: SOURCE, target: TARGET, protocol: 17 }, udp)[0]!;
  const frame = encodeEthernet(2, 1, 0x0800, packet);
  const { protocol, info } = decodePacket(frame, frame.length, "DLT_EN10MB");
  return `${protocol}: ${info}`;
}

const carrying = (etherType: number): Uint8Array =>
  encodeVxlan({ vni: 70_000, frame: encodeEthernet(0xffff_ffff_ffff, 0x0a, etherType, new Uint8Array(0)) });

describe("the summary of VXLAN", () => {
  it.each([
    [0x0800, "IPv4"],
    [0x0806, "ARP"],
    [0x86dd, "IPv6"],
    [0x8100, "VLAN"],
    [0x0101, "type 0x0101"],
    [0x88b5, "type 0x88b5"],
  ])("names the segment, the type %i of the frame inside, and its addresses", (etherType, name) => {
    expect(textOf(carrying(etherType))).toBe(
      `VXLAN: VNI 70000 ${name} 00:00:00:00:00:0a -> ff:ff:ff:ff:ff:ff`,
    );
  });

  it("is that of UDP without a VNI, and with less than the header of a frame", () => {
    const data = carrying(0x0800);
    expect(textOf(data.with(0, 0))).toBe("UDP: 50000 -> 4789 len=22");
    expect(textOf(data.subarray(0, 21))).toBe("UDP: 50000 -> 4789 len=21");
    expect(textOf(data.subarray(0, 7))).toBe("UDP: 50000 -> 4789 len=7");
  });
});
