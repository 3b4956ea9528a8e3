import { encodeEcho } from "@wirelab/engine/wire/icmp";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import { checksum, pseudoHeaderSum4 } from "../../../../../packages/engine/base/checksum.ts";
import { decodeTcp, encodeTcp4, TCP_ACK, TCP_RST, TCP_SYN } from "../../../../../packages/engine/wire/tcp.ts";
import { bytes, ip, makeBed, ROUTER_MAC } from "./probe.ts";

const ICMP = 1;
const TCP = 6;
const UDP = 17;
const OWN = ip("10.0.1.1");
const OTHER_PORT = ip("10.0.2.1");
const A = ip("10.0.1.10");

const NOTHING = new Uint8Array(0);
const syn = {
  sourcePort: 4_000,
  targetPort: 80,
  sequence: 100,
  acknowledgement: 0,
  flags: TCP_SYN,
  window: 1_000,
  options: NOTHING,
  data: NOTHING,
};
const datagram = (target: number) =>
  encodeUdp4(A, target, { sourcePort: 4_000, targetPort: 33_434, data: bytes(12) });

describe("packets for the router itself", () => {
  it.each([OWN, OTHER_PORT])(
    "answers an echo request to any of its addresses from that address",
    (target) => {
      const { bench, a } = makeBed();
      a.send4(ROUTER_MAC, { target, protocol: ICMP, ttl: 1 }, encodeEcho(7, 3, bytes(56)));
      bench.run();
      const [reply] = a.packets4;
      expect(reply!.header).toMatchObject({ source: target, target: A, ttl: 255 });
      const request = encodeEcho(7, 3, bytes(56));
      expect([reply!.payload[0], checksum(reply!.payload)]).toEqual([0, 0]);
      expect(reply!.payload.subarray(4)).toEqual(request.subarray(4));
    },
  );

  it("reassembles a fragmented echo request, and fragments its reply", () => {
    const { bench, a } = makeBed();
    a.send4(ROUTER_MAC, { target: OWN, protocol: ICMP, id: 4 }, encodeEcho(7, 3, bytes(4_000)));
    bench.run();
    const data = a.packets4.flatMap(({ payload }) => [...payload]);
    expect(a.packets4).toHaveLength(3);
    expect(data.slice(8)).toEqual([...bytes(4_000)]);
  });

  it("reassembles duplicate and reordered fragments", () => {
    const { bench, a } = makeBed();
    const request = encodeEcho(7, 3, bytes(100));
    const send = (start: number, end: number): void =>
      a.send4(
        ROUTER_MAC,
        { target: OWN, protocol: ICMP, id: 4, fragmentOffset: start, moreFragments: end < 108 },
        request.subarray(start, end),
      );
    send(48, 108);
    send(48, 108);
    send(0, 48);
    bench.run();
    expect(a.packets4.map(({ payload }) => payload.length)).toEqual([108]);
  });

  it("does not reassemble fragments that overlap", () => {
    const { bench, a } = makeBed();
    // A complete datagram of this protocol gets an error. These fragments overlap and leave a gap, with the same total of bytes.
    const fields = { target: OWN, protocol: 253, id: 4 };
    a.send4(ROUTER_MAC, { ...fields, fragmentOffset: 96 }, bytes(12));
    a.send4(ROUTER_MAC, { ...fields, fragmentOffset: 40, moreFragments: true }, bytes(48));
    a.send4(ROUTER_MAC, { ...fields, moreFragments: true }, bytes(48));
    bench.run();
    expect(a.packets4).toEqual([]);
  });

  it("discards a datagram whose fragments take more than 30 s", () => {
    const { bench, a } = makeBed();
    const request = encodeEcho(7, 3, bytes(100));
    const fields = { target: OWN, protocol: ICMP, id: 4 };
    a.send4(ROUTER_MAC, { ...fields, moreFragments: true }, request.subarray(0, 64));
    bench.run(31_000_000);
    a.send4(ROUTER_MAC, { ...fields, fragmentOffset: 64 }, request.subarray(64));
    bench.run();
    expect(a.packets4).toEqual([]);
  });

  it("reports that a UDP port is unreachable, which ends a traceroute", () => {
    const { bench, a } = makeBed();
    a.send4(ROUTER_MAC, { target: OTHER_PORT, protocol: UDP, ttl: 1 }, datagram(OTHER_PORT));
    bench.run();
    const [error] = a.packets4;
    expect([...error!.payload.subarray(0, 2)]).toEqual([3, 3]);
    expect(error!.header.source).toBe(OWN);
  });

  it("does not answer a UDP broadcast, nor a broadcast echo request", () => {
    const { bench, a } = makeBed();
    const target = ip("10.0.1.255");
    a.send4(BROADCAST_MAC, { target, protocol: UDP }, datagram(target));
    a.send4(BROADCAST_MAC, { target, protocol: ICMP }, encodeEcho(1, 1, bytes(8)));
    bench.run();
    expect(a.received).toEqual([]);
  });

  it("resets a connection that a host opens to it", () => {
    const { bench, a } = makeBed();
    a.send4(ROUTER_MAC, { target: OWN, protocol: TCP }, encodeTcp4(A, OWN, syn));
    bench.run();
    const { payload } = a.packets4[0]!;
    expect(decodeTcp(payload)).toMatchObject({
      sourcePort: 80,
      targetPort: 4_000,
      sequence: 0,
      acknowledgement: 101,
      flags: TCP_RST | TCP_ACK,
    });
    expect(checksum(payload, 0, payload.length, pseudoHeaderSum4(OWN, A, TCP, payload.length))).toBe(0);
  });

  it("resets an unknown connection with the sequence number that the peer expects", () => {
    const { bench, a } = makeBed();
    const segment = { ...syn, flags: TCP_ACK, acknowledgement: 555, data: bytes(10) };
    a.send4(ROUTER_MAC, { target: OWN, protocol: TCP }, encodeTcp4(A, OWN, segment));
    bench.run();
    expect(decodeTcp(a.packets4[0]!.payload)).toMatchObject({ sequence: 555, flags: TCP_RST });
  });

  it("does not answer a reset", () => {
    const { bench, a } = makeBed();
    const reset = encodeTcp4(A, OWN, { ...syn, flags: TCP_RST });
    a.send4(ROUTER_MAC, { target: OWN, protocol: TCP }, reset);
    bench.run();
    expect(a.packets4).toEqual([]);
  });

  it("reports that other protocols are unreachable", () => {
    const { bench, a } = makeBed();
    a.send4(ROUTER_MAC, { target: OWN, protocol: 132 }, bytes(20));
    bench.run();
    expect([...a.packets4[0]!.payload.subarray(0, 2)]).toEqual([3, 2]);
  });

  it.each([
    ["an echo request", ICMP, encodeEcho(1, 1, bytes(8)), 2],
    ["a datagram", UDP, datagram(OWN), 6],
    ["a segment", TCP, encodeTcp4(A, OWN, syn), 16],
  ])("drops %s with a wrong checksum", (_, protocol, payload, at) => {
    const { bench, a } = makeBed();
    payload[at]! ^= 0x40;
    a.send4(ROUTER_MAC, { target: OWN, protocol }, payload);
    bench.run();
    expect(a.packets4).toEqual([]);
  });

  it("answers nothing on ports without addresses", () => {
    const { bench, a } = makeBed({});
    a.send4(ROUTER_MAC, { target: OWN, protocol: ICMP }, encodeEcho(1, 1, bytes(8)));
    bench.run();
    expect(a.received).toEqual([]);
  });
});
