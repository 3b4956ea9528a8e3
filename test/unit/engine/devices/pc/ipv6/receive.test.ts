import { encodeIcmpv6 } from "@wirelab/engine/wire/icmpv6";
import { encodeUdp } from "@wirelab/engine/wire/udp";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeTcp, encodeTcp, type Tcp } from "../../../../../../packages/engine/wire/tcp.ts";
import {
  advertisement,
  frame6,
  type Parts,
  PC_MAC,
  PEER_MAC,
  type Seen,
  see6,
  solicitation,
} from "../../../../../helpers/engine/ipv6-frames.ts";
import { hexOf, PcBench } from "../../../../../helpers/engine/script-pc.ts";

const PC = "2001:db8::1";
const PC_LOCAL = "fe80::250:79ff:fe66:6800";
const PEER = "2001:db8::2";
const FROM_PEER: Parts = { source: PEER, target: PC, hopLimit: 64 };
const GROUP = { target: "ff02::1:ff00:1", targetMac: 0x3333_ff00_0001 };
const NONE = new Uint8Array();

/** A PC with a global address that knows its peer. */
function configured(): PcBench {
  const bench = new PcBench();
  bench.pc.state.ipv6.global = { address: PC, prefixLength: 64, eui64: false };
  bench.pc.state.ipv6.neighbours = [{ address: PEER, mac: PEER_MAC }];
  return bench;
}

/** What the PC sends when it receives these frames. */
function answersOf(bench: PcBench, ...frames: Uint8Array[]): Seen[] {
  const before = bench.sent.length;
  for (const frame of frames) bench.toPc(frame);
  bench.run();
  return bench.sent.slice(before).map(({ frame }) => see6(frame)!);
}

const answersTo = (...frames: Uint8Array[]): Seen[] => answersOf(configured(), ...frames);

describe("A neighbour solicitation", () => {
  const asked = (parts: Partial<Parts> = {}, message = solicitation(PC)) =>
    answersTo(frame6({ source: PEER, ...GROUP, ...parts }, message));

  test("is answered to the asker alone with a golden frame of 86 bytes", () => {
    const bench = configured();
    answersOf(bench, frame6({ source: PEER, ...GROUP }, solicitation(PC)));
    expect(hexOf(bench.sent[0]!.frame)).toBe(
      [
        "020000000002" + "005079666800" + "86dd",
        "6000000000203aff",
        "20010db8000000000000000000000001",
        "20010db8000000000000000000000002",
        // An independent script computed this checksum.
        "8800aabd" + "60000000",
        "20010db8000000000000000000000001",
        "0201005079666800",
      ].join(""),
    );
  });

  test("for the link-local address is answered from it", () => {
    const parts = { source: "fe80::2", target: "ff02::1:ff66:6800", targetMac: 0x3333_ff66_6800 };
    const [answer] = asked(parts, solicitation(PC_LOCAL));
    expect(answer).toMatchObject({ from: PC_LOCAL, to: "fe80::2", bytes: 86, isIntact: true });
  });

  test("without the asker's MAC is answered without the PC's MAC", () => {
    const [answer] = asked({}, solicitation(PC).subarray(0, 24));
    expect(answer).toMatchObject({ to: PEER, targetMac: PEER_MAC, bytes: 78, isIntact: true });
  });

  test("of a host that checks for a duplicate is answered to all nodes, unsolicited", () => {
    const [answer] = asked({ source: "::" }, solicitation(PC).subarray(0, 24));
    expect(answer).toMatchObject({ from: PC, to: "ff02::1", targetMac: 0x3333_0000_0001 });
    expect(hexOf(answer!.payload.subarray(4, 8))).toBe("20000000");
  });

  test.each<[string, Partial<Parts>, Uint8Array]>([
    ["to the address itself", { target: PC, targetMac: PC_MAC }, solicitation(PC)],
    ["for an address that ends the same", {}, solicitation("2001:db8:1::1")],
    ["that came through a router", { hopLimit: 254 }, solicitation(PC)],
    ["with a code", {}, Uint8Array.from(solicitation(PC), (byte, i) => (i === 1 ? 1 : byte))],
    ["that is cut off", {}, solicitation(PC).subarray(0, 23)],
    ["for a group", {}, solicitation("ff02::1:ff00:1")],
    ["with an option of length 0", {}, Uint8Array.of(...solicitation(PC), 1, 0, 0, 0, 0, 0, 0, 0)],
    ["from the unspecified address, with a MAC", { source: "::" }, solicitation(PC)],
    ["from a group", { source: "ff02::1" }, solicitation(PC)],
    ["from a group's MAC", { sourceMac: 0x3333_0000_0001 }, solicitation(PC)],
  ])("%s is not answered", (_what, parts, message) => {
    expect(asked(parts, message)).toEqual([]);
  });

  test("adds no neighbour", () => {
    const bench = configured();
    bench.pc.state.ipv6.neighbours = [];
    answersOf(bench, frame6({ source: PEER, ...GROUP }, solicitation(PC)));
    expect(bench.pc.state.ipv6.neighbours).toEqual([]);
  });
});

describe("A neighbour advertisement", () => {
  const THIRD = "2001:db8::3";
  const learned = (parts: Partial<Parts>, message: Uint8Array) => {
    const bench = configured();
    expect(answersOf(bench, frame6({ source: THIRD, target: PC, ...parts }, message))).toEqual([]);
    return bench.pc.state.ipv6.neighbours.filter(({ address }) => address !== PEER);
  };

  test("for the PC is learned, solicited or not", () => {
    expect(learned({}, advertisement(THIRD, 0x0200_0000_0003))).toEqual([
      { address: THIRD, mac: 0x0200_0000_0003 },
    ]);
  });

  test("of a neighbour with a new MAC replaces the known MAC", () => {
    const bench = configured();
    answersOf(bench, frame6({ source: PEER, target: PC }, advertisement(PEER, 0x0200_0000_0099)));
    expect(bench.pc.state.ipv6.neighbours).toEqual([{ address: PEER, mac: 0x0200_0000_0099 }]);
  });

  test.each<[string, Partial<Parts>, Uint8Array]>([
    ["for another host", { target: "2001:db8::9" }, advertisement(THIRD)],
    ["without a MAC", {}, advertisement(THIRD).subarray(0, 24)],
    ["that came through a router", { hopLimit: 64 }, advertisement(THIRD)],
    ["with a group's MAC", {}, advertisement(THIRD, 0x3333_0000_0001)],
    ["of a group", {}, advertisement("ff02::5")],
    ["with an option of length 0", {}, Uint8Array.of(...advertisement(THIRD), 1, 0, 0, 0, 0, 0, 0, 0)],
  ])("%s is not learned", (_what, parts, message) => {
    expect(learned(parts, message)).toEqual([]);
  });

  test("evicts the neighbour heard from longest ago from a full table", () => {
    const bench = configured();
    const heardFrom = (address: string) => frame6({ source: PEER, target: PC }, advertisement(address));
    const addresses = Array.from({ length: 31 }, (_, i) => `2001:db8::100:${i}`);
    answersOf(bench, ...addresses.map(heardFrom), heardFrom(PEER), heardFrom(THIRD));
    const known = bench.pc.state.ipv6.neighbours.map(({ address }) => address);
    expect(known).toEqual([...addresses.slice(1), PEER, THIRD]);
  });
});

describe("An echo request", () => {
  const echo = encodeIcmpv6(128, 0, 0x1234_0007, Uint8Array.of(1, 2, 3));

  test("is answered from the address it was sent to, with hop limit 64 whatever its own", () => {
    const [answer] = answersTo(frame6({ ...FROM_PEER, hopLimit: 3 }, echo));
    expect(answer).toMatchObject({ from: PC, to: PEER, targetMac: PEER_MAC, isIntact: true });
    expect(answer?.header).toMatchObject({ hopLimit: 64, nextHeader: 58 });
    expect(hexOf(answer!.payload).replace(/^(.{4}).{4}/, "$1")).toBe("8100" + "12340007" + "010203");
  });

  test("to the link-local address is answered, to the MAC in the asker's address", () => {
    const [answer] = answersTo(frame6({ ...FROM_PEER, source: "fe80::ff:fe00:77", target: PC_LOCAL }, echo));
    expect(answer).toMatchObject({ from: PC_LOCAL, targetMac: 0x0200_0000_0077 });
  });

  test("from a link-local address that was not made from a MAC has its sender asked for it", () => {
    const [question] = answersTo(frame6({ ...FROM_PEER, source: "fe80::77", target: PC_LOCAL }, echo));
    expect(question).toMatchObject({ from: PC_LOCAL, to: "ff02::1:ff00:77" });
    expect(question!.payload[0]).toBe(135);
  });

  test.each<[string, Partial<Parts>]>([
    ["for another address", { target: "2001:db8::9" }],
    ["for all nodes", { target: "ff02::1", targetMac: 0x3333_0000_0001 }],
    ["in a frame for a group", { targetMac: 0x3333_ff00_0001 }],
    ["from the unspecified address", { source: "::" }],
    ["from the PC's own address", { source: PC }],
    ["from a group", { source: "ff02::1" }],
    ["from afar, without a router", { source: "2001:db8:9::9" }],
  ])("%s is not answered", (_what, parts) => {
    expect(answersTo(frame6({ ...FROM_PEER, ...parts }, echo))).toEqual([]);
  });

  test("from another subnet is answered through the router", () => {
    const bench = configured();
    bench.pc.state.ipv6.routerMac = 0x0200_0000_00aa;
    const [answer] = answersOf(bench, frame6({ ...FROM_PEER, source: "2001:db8:9::9" }, echo));
    expect(answer).toMatchObject({ to: "2001:db8:9::9", targetMac: 0x0200_0000_00aa });
  });

  test("of an unknown host on the link is answered when the host has sent its MAC", () => {
    const bench = configured();
    const stranger = "2001:db8::3";
    bench.toPc(frame6({ ...FROM_PEER, source: stranger }, echo));
    bench.toPc(frame6({ ...FROM_PEER, source: stranger }, echo));
    bench.run(1000);
    expect(bench.sent.map(({ frame }) => see6(frame)!.payload[0])).toEqual([135]);
    bench.toPc(frame6({ source: stranger, target: PC }, advertisement(stranger, 0x0200_0000_0003)));
    bench.run();
    const answers = bench.sent.slice(1).map(({ frame }) => see6(frame)!);
    expect(answers.map(({ targetMac, payload }) => [targetMac, payload[0]])).toEqual([
      [0x0200_0000_0003, 129],
      [0x0200_0000_0003, 129],
    ]);
  });

  test("of an unknown host that sends no MAC is dropped after a second, and some of too many at once", () => {
    const bench = configured();
    const frames = Array.from({ length: 100 }, (_, i) =>
      frame6({ ...FROM_PEER, source: `2001:db8::300:${i}` }, echo),
    );
    expect(answersOf(bench, ...frames).map(({ payload }) => payload[0])).toEqual(new Array(64).fill(135));
    expect(Math.round(bench.nowUs / 1e5)).toBe(10);
    expect(answersOf(bench, frames[99]!)).toHaveLength(1);
  });
});

describe("UDP", () => {
  const udp = (sourcePort = 5000, data = Uint8Array.of(9, 8, 7), targetPort = 7) =>
    encodeUdp({ sourcePort, targetPort, data }, 0);
  const UDP = { ...FROM_PEER, nextHeader: 17 };

  test("is echoed with its ports swapped and a correct checksum", () => {
    const [answer] = answersTo(frame6(UDP, udp()));
    expect(answer).toMatchObject({ from: PC, to: PEER, isIntact: true });
    expect(answer?.header.hopLimit).toBe(64);
    expect(hexOf(answer!.payload).replace(/^(.{12}).{4}/, "$1")).toBe("0007" + "1388" + "000b" + "090807");
  });

  test("with its last hop is refused: port unreachable, with the packet", () => {
    const frame = frame6({ ...UDP, hopLimit: 1 }, udp());
    const [answer] = answersTo(frame);
    expect(answer).toMatchObject({ from: PC, to: PEER, isIntact: true });
    expect(hexOf(answer!.payload.subarray(0, 2))).toBe("0104");
    expect(hexOf(answer!.payload.subarray(8))).toBe(hexOf(frame.subarray(14)));
  });

  test("that is too large to be quoted is quoted as far as 1280 bytes go", () => {
    const [answer] = answersTo(frame6({ ...UDP, hopLimit: 1 }, udp(5000, new Uint8Array(1400))));
    expect(answer?.bytes).toBe(14 + 1280);
  });

  test.each<[string, Partial<Parts>, Uint8Array]>([
    ["from the echo port", {}, udp(7)],
    ["from a name server", {}, udp(53)],
    ["that begins with the PC's own MAC", {}, udp(5000, Uint8Array.of(0, 0x50, 0x79, 0x66, 0x68, 0, 1))],
    ["that is cut off", {}, udp().subarray(0, 10)],
    ["for a group", { target: "ff02::1", targetMac: 0x3333_0000_0001 }, udp()],
    ["for another host", { target: "2001:db8::9" }, udp()],
  ])("%s is not answered", (_what, parts, payload) => {
    expect(answersTo(frame6({ ...UDP, ...parts }, payload))).toEqual([]);
  });
});

describe("TCP", () => {
  const SYN = 2;
  const ACK = 16;
  const TCP = { ...FROM_PEER, nextHeader: 6 };
  const segment = (fields: Partial<Tcp>): Uint8Array =>
    encodeTcp(
      {
        sourcePort: 4000,
        targetPort: 80,
        sequence: 100,
        acknowledgement: 0,
        flags: SYN,
        window: 2920,
        options: NONE,
        data: NONE,
        ...fields,
      },
      0,
    );
  const decoded = (answers: Seen[]): Tcp[] => answers.map(({ payload }) => decodeTcp(payload)!);

  test("is accepted on any port, acknowledged and closed", () => {
    const bench = configured();
    const step = (fields: Partial<Tcp>) => answersOf(bench, frame6(TCP, segment(fields)));
    const opened = step({});
    expect(opened[0]).toMatchObject({ from: PC, to: PEER, bytes: 74, isIntact: true });
    const [synAck] = decoded(opened);
    expect(synAck).toMatchObject({
      sourcePort: 80,
      targetPort: 4000,
      acknowledgement: 101,
      flags: SYN | ACK,
      window: 2920,
    });
    const data = Uint8Array.of(1, 2, 3);
    expect(decoded(step({ sequence: 101, flags: 8 | ACK, data }))).toMatchObject([
      { acknowledgement: 104, sequence: (synAck!.sequence + 1) >>> 0, flags: ACK },
    ]);
    expect(decoded(step({ sequence: 104, flags: 1 | 8 | ACK }))).toMatchObject([
      { acknowledgement: 105, flags: ACK },
      { acknowledgement: 105, flags: 1 | ACK },
    ]);
    expect(bench.pc.state.tcp).toMatchObject([{ peer: PEER, peerPort: 4000, port: 80 }]);
  });

  test("of an unknown host is not answered", () => {
    expect(answersTo(frame6(TCP, segment({ flags: 8 | ACK })))).toEqual([]);
  });
});

test("no frame makes the PC throw", () => {
  const payload = fc.oneof(
    fc.uint8Array({ maxLength: 90 }),
    fc
      .tuple(
        fc.constantFrom(1, 2, 3, 128, 129, 133, 134, 135, 136),
        fc.uint8Array({ minLength: 7, maxLength: 90 }),
      )
      .map(([type, rest]) => Uint8Array.of(type, 0, ...rest)),
  );
  const parts = fc.record({
    source: fc.constantFrom(PEER, "::", "fe80::1", "ff02::1", PC, "2001:db8::77"),
    target: fc.constantFrom(PC, PC_LOCAL, "ff02::1", "ff02::1:ff00:1", "::"),
    nextHeader: fc.constantFrom(6, 17, 58),
    hopLimit: fc.constantFrom(0, 1, 64, 255),
    targetMac: fc.constantFrom(PC_MAC, 0x3333_0000_0001),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(parts, payload, fc.nat(200)), { maxLength: 8 }), (packets) => {
      const bench = configured();
      for (const [each, bytes, length] of packets) bench.toPc(frame6(each, bytes).subarray(0, length + 14));
      bench.run();
    }),
    { numRuns: 300 },
  );
});
