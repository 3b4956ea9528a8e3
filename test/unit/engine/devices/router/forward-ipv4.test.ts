import { readU16, readU32 } from "@wirelab/engine/base/bytes";
import { Router } from "@wirelab/engine/devices/router/index";
import { encodeArp } from "@wirelab/engine/wire/arp";
import { encodeEthernet, sourceMac, targetMac } from "@wirelab/engine/wire/ethernet";
import { encodeEcho, encodeIcmp } from "@wirelab/engine/wire/icmp";
import { encodeIpv4, writeIpv4Checksum } from "@wirelab/engine/wire/ipv4";
import { BROADCAST_MAC } from "@wirelab/engine/wire/mac";
import { describe, expect, it } from "vitest";
import { checksum } from "../../../../../packages/engine/base/checksum.ts";
import { DeviceBench } from "../../../../helpers/engine/device-bench.ts";
import { bytes, ip, MAC_A, MAC_B, makeBed, Probe, ROUTER_MAC, specOf, TWO_SUBNETS } from "./probe.ts";

const B = ip("10.0.2.10");
const ICMP = 1;

describe("forwarding IPv4", () => {
  it("forwards a packet with a lower TTL, a correct checksum and new MAC addresses", () => {
    const { bench, a, b } = makeBed();
    a.send4(ROUTER_MAC, { target: B, ttl: 9, id: 77 }, bytes(33));
    bench.run();
    const [packet, ...rest] = b.packets4;
    expect(rest).toEqual([]);
    expect(packet!.header).toMatchObject({ ttl: 8, id: 77, source: a.address4, target: B });
    expect(packet!.payload).toEqual(bytes(33));
    expect([targetMac(packet!.frame), sourceMac(packet!.frame)]).toEqual([MAC_B, ROUTER_MAC + 1]);
  });

  it("does not modify the received frame", () => {
    const { bench, a } = makeBed();
    a.send4(ROUTER_MAC, { target: B }, bytes(8));
    const sent = bench.frames[0]!.frame;
    const copy = sent.slice();
    bench.run();
    expect(sent).toEqual(copy);
  });

  it("removes the frame's padding", () => {
    const { bench, a, b } = makeBed();
    const [packet] = encodeIpv4({ source: a.address4, target: B, protocol: 253 }, bytes(4));
    const padded = new Uint8Array(46);
    padded.set(packet!);
    a.send(encodeEthernet(ROUTER_MAC, MAC_A, 0x0800, padded));
    bench.run();
    expect(b.packets4[0]!.frame).toHaveLength(14 + 24);
  });

  it("keeps the checksum correct for every TTL", () => {
    const { bench, a, b } = makeBed();
    for (let ttl = 2; ttl <= 255; ttl++)
      a.send4(ROUTER_MAC, { target: B, ttl, id: 0xffff - ttl * 3 }, bytes(0));
    // The first sixteen wait for the neighbour; the router sends the others after it is resolved.
    bench.run();
    for (let ttl = 2; ttl <= 255; ttl++) {
      a.send4(ROUTER_MAC, { target: B, ttl, id: ttl * 257 }, bytes(0));
      bench.run();
    }
    const ttls = b.packets4.slice(-254).map(({ header }) => header.ttl);
    expect(ttls).toEqual(Array.from({ length: 254 }, (_, index) => index + 1));
  });

  it("takes the longest prefix, and the default route if no other matches", () => {
    const { bench, a, b } = makeBed({
      ...TWO_SUBNETS,
      routes: [
        { to: "0.0.0.0/0", via: "10.0.2.10" },
        { to: "172.16.0.0/12", via: "10.0.1.200" },
        { to: "172.16.5.0/24", via: "10.0.2.10" },
      ],
    });
    for (const target of ["8.8.8.8", "172.16.5.9", "172.16.6.9"])
      a.send4(ROUTER_MAC, { target: ip(target) }, bytes(1));
    bench.run(100_000);
    expect(b.packets4.map(({ header }) => header.target)).toEqual([ip("8.8.8.8"), ip("172.16.5.9")]);
  });

  it("has no broadcast address on a subnet of two addresses", () => {
    const { bench, a, b } = makeBed({ ports: [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.2.11/31" }] });
    a.send4(ROUTER_MAC, { target: B }, bytes(8));
    bench.run();
    expect(b.packets4).toHaveLength(1);
  });

  it("reports that a network is unreachable without a route", () => {
    const { bench, a } = makeBed();
    a.send4(ROUTER_MAC, { target: ip("192.0.2.1"), ttl: 1 }, bytes(40));
    bench.run();
    const [error] = a.packets4;
    expect([...error!.payload.subarray(0, 2)]).toEqual([3, 0]);
    expect(error!.header).toMatchObject({
      source: ip("10.0.1.1"),
      target: a.address4,
      ttl: 255,
      protocol: ICMP,
      typeOfService: 0xc0,
    });
    expect(checksum(error!.payload)).toBe(0);
  });

  it("reports an expired TTL, and quotes the packet as received", () => {
    const { bench, a, b } = makeBed();
    a.send4(ROUTER_MAC, { target: B, ttl: 1, id: 5 }, bytes(40));
    const sent = bench.frames[0]!.frame;
    bench.run();
    const [error] = a.packets4;
    expect([...error!.payload.subarray(0, 2)]).toEqual([11, 0]);
    expect(error!.payload.subarray(8)).toEqual(sent.subarray(14));
    expect(b.packets4).toEqual([]);
  });

  it("quotes as much as fits an error of 576 bytes", () => {
    const { bench, a } = makeBed();
    a.send4(ROUTER_MAC, { target: B, ttl: 1 }, bytes(1_400));
    bench.run();
    expect(a.packets4[0]!.header.totalBytes).toBe(576);
  });

  it("sends errors from the port that received the packet, whatever the route of the error", () => {
    const { bench, b, a } = makeBed();
    b.send4(ROUTER_MAC + 1, { source: ip("10.0.1.10"), target: ip("192.0.2.1") }, bytes(8));
    bench.run();
    expect(a.packets4[0]!.header.source).toBe(ip("10.0.2.1"));
  });

  it("routes replies to subnets behind other routers", () => {
    const { bench, b } = makeBed({ ...TWO_SUBNETS, routes: [{ to: "10.9.0.0/16", via: "10.0.2.10" }] });
    b.send4(ROUTER_MAC + 1, { source: ip("10.9.1.1"), target: ip("192.0.2.1") }, bytes(8));
    bench.run();
    expect(b.packets4.map(({ header }) => header.target)).toEqual([ip("10.9.1.1")]);
  });
});

describe("packets that are not forwarded", () => {
  const silent = (send: (a: Probe) => void): void => {
    const { bench, a, b } = makeBed();
    send(a);
    bench.run();
    expect([...a.packets4, ...b.packets4]).toEqual([]);
  };

  it.each([
    ["a limited broadcast", "255.255.255.255"],
    ["the broadcast of its own subnet", "10.0.1.255"],
    ["a directed broadcast", "10.0.2.255"],
    ["the network address of another subnet", "10.0.2.0"],
    ["a multicast group", "224.0.0.5"],
    ["a link-local address", "169.254.1.1"],
    ["a loopback address", "127.0.0.1"],
    ["a reserved address", "240.0.0.1"],
  ])("drops %s without an error", (_, target) => {
    silent((a) => a.send4(ROUTER_MAC, { target: ip(target), ttl: 1 }, bytes(8)));
  });

  it.each(["0.0.0.0", "127.0.0.1", "169.254.1.1", "224.0.0.1", "255.255.255.255", "10.0.2.1", "10.0.1.255"])(
    "drops packets from %s",
    (source) => {
      silent((a) => a.send4(ROUTER_MAC, { source: ip(source), target: B }, bytes(8)));
    },
  );

  it("drops packets to one host in broadcast frames", () => {
    silent((a) => a.send4(BROADCAST_MAC, { target: B }, bytes(8)));
  });

  it("drops packets in frames to another station", () => {
    silent((a) => a.send4(MAC_B, { target: B }, bytes(8)));
  });

  it("drops headers with a wrong checksum", () => {
    silent((a) => {
      const [packet] = encodeIpv4({ source: a.address4, target: B, protocol: 253 }, bytes(8));
      packet![10]! ^= 1;
      a.send(encodeEthernet(ROUTER_MAC, MAC_A, 0x0800, packet!));
    });
  });

  it.each([
    ["an ICMP error", encodeIcmp(3, 1, 0, bytes(28)), ICMP, 0],
    ["a time exceeded", encodeIcmp(11, 0, 0, bytes(28)), ICMP, 0],
    ["an ICMP packet without a type", new Uint8Array(0), ICMP, 0],
    ["a later fragment", bytes(8), 253, 64],
  ])("sends no error about %s", (_, payload, protocol, fragmentOffset) => {
    silent((a) => a.send4(ROUTER_MAC, { target: ip("192.0.2.1"), protocol, fragmentOffset }, payload));
  });

  it("sends an error about an echo request, and about a first fragment", () => {
    const { bench, a } = makeBed();
    const target = ip("192.0.2.1");
    a.send4(ROUTER_MAC, { target, protocol: ICMP }, encodeEcho(1, 1, bytes(8)));
    a.send4(ROUTER_MAC, { target, moreFragments: true }, bytes(8));
    bench.run();
    expect(a.packets4).toHaveLength(2);
  });
});

describe("fragments", () => {
  const SMALL = { ports: [{ ipv4: "10.0.1.1/24" }, { ipv4: "10.0.2.1/24", mtu: 576 }] };

  it("fragments packets that are too large for the next link", () => {
    const { bench, a, b } = makeBed(SMALL);
    a.send4(ROUTER_MAC, { target: B, id: 9, ttl: 30 }, bytes(1_400));
    bench.run();
    const pieces = b.packets4;
    expect(pieces.map(({ header }) => header.fragmentOffset)).toEqual([0, 552, 1104]);
    expect(pieces.map(({ header }) => header.moreFragments)).toEqual([true, true, false]);
    expect(
      pieces.every(({ header }) => header.id === 9 && header.ttl === 29 && header.totalBytes <= 576),
    ).toBe(true);
    expect(pieces.flatMap(({ payload }) => [...payload])).toEqual([...bytes(1_400)]);
  });

  it("fragments fragments again, with the right offsets and flags", () => {
    const { bench, a, b } = makeBed(SMALL);
    a.send4(ROUTER_MAC, { target: B, moreFragments: true, fragmentOffset: 1_480 }, bytes(1_000));
    bench.run();
    const places = b.packets4.map(({ header }) => [header.fragmentOffset, header.moreFragments]);
    expect(places).toEqual([
      [1_480, true],
      [2_032, true],
    ]);
  });

  it("puts options without the copied flag into the first fragment only", () => {
    const { bench, a, b } = makeBed(SMALL);
    const packet = new Uint8Array(32 + 800);
    packet.set(encodeIpv4({ source: a.address4, target: B, protocol: 253 }, new Uint8Array(812))[0]!);
    packet[0] = 0x48;
    // Record route (not copied), end with a router alert (copied).
    packet.set([7, 7, 4, 0, 0, 0, 0, 148, 4, 0, 0, 0], 20);
    writeIpv4Checksum(packet, 0);
    a.send(encodeEthernet(ROUTER_MAC, MAC_A, 0x0800, packet));
    bench.run();
    const [first, second] = b.packets4;
    expect([first!.header.headerBytes, second!.header.headerBytes]).toEqual([32, 24]);
    expect([...second!.frame.subarray(34, 38)]).toEqual([148, 4, 0, 0]);
  });

  it("rejects packets with DF that are too large, and reports the MTU of the next link", () => {
    const { bench, a, b } = makeBed(SMALL);
    a.send4(ROUTER_MAC, { target: B, dontFragment: true }, bytes(557));
    bench.run();
    const [error] = a.packets4;
    expect([...error!.payload.subarray(0, 2)]).toEqual([3, 4]);
    expect(readU32(error!.payload, 4)).toBe(576);
    expect(b.packets4).toEqual([]);
  });

  it("forwards a packet of exactly the MTU", () => {
    const { bench, a, b } = makeBed(SMALL);
    a.send4(ROUTER_MAC, { target: B, dontFragment: true }, bytes(556));
    bench.run();
    expect(b.packets4.map(({ header }) => header.totalBytes)).toEqual([576]);
  });
});

describe("ARP", () => {
  const A = ip("10.0.1.10");
  const request = (senderIp: number, targetIp: number): Uint8Array =>
    encodeArp(BROADCAST_MAC, MAC_A, { opcode: 1, senderMac: MAC_A, senderIp, targetMac: 0, targetIp });
  const repliesTo = (frame: Uint8Array): number[] => {
    const { bench, a } = makeBed();
    a.send(frame);
    bench.run();
    return a.received.map((reply) => readU16(reply, 20) * 0x1_0000_0000 + readU32(reply, 28));
  };

  it("replies for the port's own address", () => {
    expect(repliesTo(request(A, ip("10.0.1.1")))).toEqual([2 * 0x1_0000_0000 + ip("10.0.1.1")]);
  });

  it("does not reply for another port's address, nor for hosts behind it", () => {
    expect(repliesTo(request(A, ip("10.0.2.1")))).toEqual([]);
    expect(repliesTo(request(A, B))).toEqual([]);
  });

  it("replies to duplicate checks, without learning", () => {
    const { bench, a } = makeBed();
    a.send(request(0, ip("10.0.1.1")));
    bench.run();
    expect(a.received).toHaveLength(1);
    expect(bench.type("R1", "show arp")).toContain("No neighbours");
  });

  it("does not learn from requests to other stations, but updates known neighbours", () => {
    const { bench, a } = makeBed();
    a.send(request(A, ip("10.0.1.99")));
    bench.run();
    expect(bench.type("R1", "show arp")).toContain("No neighbours");
  });

  it("sends one request for a neighbour that several packets wait for", () => {
    const { bench, a, b } = makeBed();
    for (let i = 0; i < 5; i++) a.send4(ROUTER_MAC, { target: B, id: i }, bytes(8));
    bench.run();
    expect(b.received.filter((frame) => targetMac(frame) === BROADCAST_MAC)).toHaveLength(1);
    expect(b.packets4.map(({ header }) => header.id)).toEqual([0, 1, 2, 3, 4]);
  });

  it("queues the last sixteen packets", () => {
    const { bench, a, b } = makeBed();
    b.answers = false;
    for (let i = 0; i < 20; i++) a.send4(ROUTER_MAC, { target: B, id: i }, bytes(8));
    bench.run(500_000);
    b.answers = true;
    bench.run();
    expect(b.packets4.map(({ header }) => header.id)).toEqual(Array.from({ length: 16 }, (_, i) => i + 4));
  });

  it("sends three requests, a second apart, and then reports that the host is unreachable", () => {
    const { bench, a, b } = makeBed();
    b.answers = false;
    a.send4(ROUTER_MAC, { target: B }, bytes(8));
    a.send4(ROUTER_MAC, { target: B }, bytes(8));
    bench.run();
    const asked = bench.frames.filter(({ from, port }) => from === "R1" && port === 1);
    expect(asked.map(({ atUs }) => Math.round(atUs / 1e6))).toEqual([0, 1, 2]);
    expect(a.packets4.map(({ payload }) => [...payload.subarray(0, 2)])).toEqual([
      [3, 1],
      [3, 1],
    ]);
    expect(Math.round(bench.nowUs / 1e6)).toBe(3);
  });

  it("resolves again after five minutes", () => {
    const { bench, a, b } = makeBed();
    const requests = (): number => b.received.filter((frame) => targetMac(frame) === BROADCAST_MAC).length;
    const sendAt = (seconds: number): number => {
      bench.run(seconds * 1e6);
      a.send4(ROUTER_MAC, { target: B }, bytes(8));
      bench.run();
      return requests();
    };
    expect([sendAt(0), sendAt(299), sendAt(301)]).toEqual([1, 1, 2]);
  });

  it("updates a neighbour's MAC address", () => {
    const { bench, a, b } = makeBed();
    a.send4(ROUTER_MAC, { target: B }, bytes(8));
    bench.run();
    const moved = { opcode: 1, senderMac: 0x0200_0000_00bb, senderIp: B, targetMac: 0, targetIp: B };
    b.send(encodeArp(BROADCAST_MAC, 0x0200_0000_00bb, moved));
    bench.run();
    a.send4(ROUTER_MAC, { target: B }, bytes(8));
    bench.run();
    expect(targetMac(b.packets4.at(-1)!.frame)).toBe(0x0200_0000_00bb);
  });

  it("does not learn its own address, addresses of other subnets, or groups", () => {
    const { bench, a } = makeBed();
    for (const [senderIp, senderMac] of [
      [ip("10.0.1.1"), MAC_A],
      [ip("10.0.7.7"), MAC_A],
      [ip("10.0.1.255"), MAC_A],
      [A, BROADCAST_MAC],
    ] as const)
      a.send(
        encodeArp(ROUTER_MAC, MAC_A, {
          opcode: 2,
          senderMac,
          senderIp,
          targetMac: 0,
          targetIp: ip("10.0.1.1"),
        }),
      );
    bench.run();
    expect(bench.type("R1", "show arp")).toContain("No neighbours");
  });

  it("keeps 1,024 neighbours, replaces the oldest one, and removes all on command", () => {
    const bench = new DeviceBench();
    const router = bench.add(
      "R1",
      (world) => new Router(specOf({ ports: [{ ipv4: "10.0.0.1/16" }] }), world),
    );
    const a = bench.add("A", (world) => new Probe(world, MAC_A, "10.0.0.10"));
    bench.wire(["A", 0], ["R1", 0]);
    for (let host = 0; host < 1_030; host++) {
      bench.run(host * 1_000);
      const senderIp = ip("10.0.1.0") + host;
      a.send(
        encodeArp(ROUTER_MAC, MAC_A, {
          opcode: 2,
          senderMac: MAC_A,
          senderIp,
          targetMac: 0,
          targetIp: ip("10.0.0.1"),
        }),
      );
    }
    bench.run();
    const known = router.saveState().arp.map(([, address]) => address);
    expect(known).toHaveLength(1_024);
    expect(known).toContain(ip("10.0.1.0") + 1_029);
    expect(known).not.toContain(ip("10.0.1.0") + 5);
    bench.type("R1", "clear arp");
    a.send(request(ip("10.0.0.10"), ip("10.0.0.1")));
    bench.run();
    expect(router.saveState().arp.map(([, address]) => address)).toEqual([ip("10.0.0.10")]);
  });
});
