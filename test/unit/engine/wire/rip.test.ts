import { encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { decodePacket } from "@wirelab/engine/wire/summary";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import { decodeRip, encodeRip, type Rip, type RipEntry } from "../../../../packages/engine/wire/rip.ts";

const route = (changes: Partial<RipEntry> = {}): RipEntry => ({
  family: 2,
  tag: 0x1234,
  network: 0x0a01_0000,
  mask: 0xffff_0000,
  nextHop: 0x0a00_0009,
  metric: 3,
  ...changes,
});
const message = (entries: readonly RipEntry[], changes: Partial<Rip> = {}): Rip => ({
  command: 2,
  version: 2,
  entries,
  ...changes,
});
const WHOLE = { family: 0, tag: 0, network: 0, mask: 0, nextHop: 0, metric: 16 };

function textOf(data: Uint8Array): string {
  const datagram = encodeUdp4(1, 2, { sourcePort: 520, targetPort: 520, data });
  const frame = encodeEthernet(
    1,
    2,
    0x0800,
    encodeIpv4({ source: 1, target: 2, protocol: 17 }, datagram)[0]!,
  );
  const { protocol, info } = decodePacket(frame, frame.length, "DLT_EN10MB");
  return `${protocol}: ${info}`;
}

/** RFC 2453, section 4: one entry with all fields. */
const GOLDEN = Uint8Array.from([
  2, 2, 0, 0, 0, 2, 0x12, 0x34, 10, 1, 0, 0, 255, 255, 0, 0, 10, 0, 0, 9, 0, 0, 0, 3,
]);

describe("a RIP message", () => {
  it("is decoded and encoded", () => {
    expect(decodeRip(GOLDEN)).toEqual(message([route()]));
    expect(encodeRip(message([route()]))).toEqual(GOLDEN);
  });

  it.each([0, 3, 5, 23, 4 + 26 * 20])("is not %i bytes long", (length) => {
    expect(decodeRip(new Uint8Array(length))).toBeNull();
    expect(textOf(new Uint8Array(length))).toBe(`UDP: 520 -> 520 len=${length}`);
  });

  it.each<[Rip, string]>([
    [message([WHOLE], { command: 1 }), "Request for the whole table"],
    [message([]), "Response without routes"],
    [message([route({ nextHop: 0 })]), "Response 10.1.0.0/16 metric=3"],
    [
      message([route(), route({ mask: 0xff00_ff00 }), route({ family: 7 }), route(), route()]),
      "Response 10.1.0.0/16 via 10.0.0.9 metric=3, 10.1.0.0 mask 255.0.255.0 via 10.0.0.9 metric=3, family 7 and 2 more",
    ],
    [message([route({ family: 0xffff })], { version: 1, command: 5 }), "Command 5 version 1 authentication"],
  ])("is described", (rip, text) => {
    expect(textOf(encodeRip(rip))).toBe(`RIP: ${text}`);
  });
});
