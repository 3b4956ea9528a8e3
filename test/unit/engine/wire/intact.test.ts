import { writeU16 } from "@wirelab/engine/base/bytes";
import { encodeEcho } from "@wirelab/engine/wire/icmp";
import { encodeIcmpv6, ICMPV6_ECHO } from "@wirelab/engine/wire/icmpv6";
import { decodeIpv4, encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { decodeIpv6, encodeIpv6, encodeIpv6Checked } from "@wirelab/engine/wire/ipv6";
import { decodeUdp, encodeUdp, encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import {
  isHeaderIntact4,
  isPayloadIntact4,
  isPayloadIntact6,
} from "../../../../packages/engine/wire/intact.ts";
import { encodeTcp, encodeTcp4, TCP_SYN } from "../../../../packages/engine/wire/tcp.ts";

const [SOURCE, TARGET] = [0x0a00_0001, 0x0a00_0002];
const [SOURCE6, TARGET6] = [0x2001_0db8n << 96n, (0x2001_0db8n << 96n) | 2n];
/** An odd number of bytes, so that the checksum pads the last byte to a word. */
const DATA = Uint8Array.from({ length: 9 }, (_, index) => 0x11 * index);
const UDP = { sourcePort: 1000, targetPort: 7, data: DATA };
const TCP = {
  sourcePort: 1000,
  targetPort: 7,
  sequence: 1,
  acknowledgement: 2,
  flags: TCP_SYN,
  window: 9,
  options: new Uint8Array(4),
  data: DATA,
};
/** Offset of the packet in the bytes, as in a frame; other bytes follow the packet. */
const AT = 14;

const framed = (packet: Uint8Array): Uint8Array =>
  Uint8Array.of(...new Uint8Array(AT), ...packet, 0xff, 0xff);
const ipv4 = (protocol: number, payload: Uint8Array): Uint8Array =>
  framed(encodeIpv4({ source: SOURCE, target: TARGET, protocol }, payload)[0]!);
const ipv6 = (nextHeader: number, payload: Uint8Array): Uint8Array =>
  framed(encodeIpv6Checked({ source: SOURCE6, target: TARGET6, nextHeader }, payload));

const isIntact4 = (bytes: Uint8Array): boolean => isPayloadIntact4(bytes, AT, decodeIpv4(bytes, AT)!);
const isIntact6 = (bytes: Uint8Array): boolean => isPayloadIntact6(bytes, AT, decodeIpv6(bytes, AT)!);

/** Yields the bytes with one bit flipped, for each bit in a range of bytes. */
function* flips(bytes: Uint8Array, from: number, to: number): Generator<Uint8Array> {
  for (let bit = from * 8; bit < to * 8; bit++)
    yield bytes.with(bit >> 3, bytes[bit >> 3]! ^ (1 << (bit & 7)));
}

describe("an IPv4 header", () => {
  it("is intact as encoded, and damaged with any bit flipped", () => {
    const bytes = ipv4(253, DATA);
    const header = decodeIpv4(bytes, AT)!;
    expect(isHeaderIntact4(bytes, AT, header)).toBe(true);
    for (const flipped of flips(bytes, AT, AT + 20)) expect(isHeaderIntact4(flipped, AT, header)).toBe(false);
  });
});

describe.each([
  ["ICMP", 1, encodeEcho(1, 2, DATA)],
  ["UDP", 17, encodeUdp4(SOURCE, TARGET, UDP)],
  ["TCP", 6, encodeTcp4(SOURCE, TARGET, TCP)],
])("%s over IPv4", (_name, protocol, payload) => {
  const bytes = ipv4(protocol, payload);

  it("is intact as encoded, whatever follows the packet", () => {
    expect(isIntact4(bytes)).toBe(true);
  });

  it("is damaged with any of its bits flipped, or has a length that its decoder rejects", () => {
    const end = AT + 20 + payload.length;
    for (const flipped of flips(bytes, AT + 20, end)) {
      const isRefused = protocol === 17 && decodeUdp(flipped.subarray(AT + 20, end)) === null;
      expect(isIntact4(flipped) && !isRefused).toBe(false);
    }
  });

  it("is damaged with another address in the header, unless it is ICMP", () => {
    for (const flipped of flips(bytes, AT + 12, AT + 20)) expect(isIntact4(flipped)).toBe(protocol === 1);
  });
});

it("UDP over IPv4 without a checksum is intact", () => {
  const datagram = encodeUdp4(SOURCE, TARGET, UDP);
  writeU16(datagram, 6, 0);
  expect(isIntact4(ipv4(17, datagram))).toBe(true);
});

it("UDP is summed over its own length", () => {
  expect(isIntact4(ipv4(17, Uint8Array.of(...encodeUdp4(SOURCE, TARGET, UDP), 1, 2, 3)))).toBe(true);
});

it("a payload that has no checksum is intact", () => {
  expect([
    isIntact4(ipv4(132, DATA)),
    isIntact6(framed(encodeIpv6({ source: 1n, target: 2n, nextHeader: 59 }, DATA))),
  ]).toEqual([true, true]);
});

describe.each([
  ["ICMPv6", 58, encodeIcmpv6(ICMPV6_ECHO, 0, 1, DATA)],
  ["UDP", 17, encodeUdp(UDP, 0)],
  ["TCP", 6, encodeTcp(TCP, 0)],
])("%s over IPv6", (_name, nextHeader, payload) => {
  const bytes = ipv6(nextHeader, payload);

  it("is intact as encoded, whatever follows the packet", () => {
    expect(isIntact6(bytes)).toBe(true);
  });

  it("is damaged with a flipped bit in it or in its addresses, or has a length that its decoder rejects", () => {
    const end = AT + 40 + payload.length;
    for (const flipped of flips(bytes, AT + 8, end)) {
      const isRefused = nextHeader === 17 && decodeUdp(flipped.subarray(AT + 40, end)) === null;
      expect(isIntact6(flipped) && !isRefused).toBe(false);
    }
  });
});

it("UDP over IPv6 without a checksum is damaged", () => {
  const datagram = encodeUdp(UDP, 0);
  writeU16(datagram, 6, 0);
  expect(isIntact6(framed(encodeIpv6({ source: SOURCE6, target: TARGET6, nextHeader: 17 }, datagram)))).toBe(
    false,
  );
});
