import { readU16, readU32 } from "@wirelab/engine/base/bytes";
import { encodeEthernet, sourceMac, targetMac } from "@wirelab/engine/wire/ethernet";
import {
  decodeNeighbour,
  encodeIcmpv6,
  encodeNeighbour,
  findOption,
  ICMPV6_ECHO,
  NEIGHBOUR_ADVERTISEMENT,
  NEIGHBOUR_SOLICITATION,
  ROUTER_SOLICITATION,
} from "@wirelab/engine/wire/icmpv6";
import { encodeIpv6Checked } from "@wirelab/engine/wire/ipv6";
import {
  ALL_NODES,
  ALL_ROUTERS,
  formatIpv6,
  linkLocalOf,
  readIpv6,
  solicitedNode,
} from "@wirelab/engine/wire/ipv6-address";
import { ipv6MulticastMac, readMac } from "@wirelab/engine/wire/mac";
import { describe, expect, it } from "vitest";
import { bytes, ip6, MAC_A, MAC_B, makeBed, type Probe, ROUTER_MAC, TWO_SUBNETS } from "./probe.ts";

const A = ip6("2001:db8:1::10");
const B = ip6("2001:db8:2::10");
const OWN = ip6("2001:db8:1::1");
const LINK_LOCAL = linkLocalOf(ROUTER_MAC);
const A_LINK_LOCAL = linkLocalOf(MAC_A);
const echo = (length = 8): Uint8Array => encodeIcmpv6(ICMPV6_ECHO, 0, 0x0007_0003, bytes(length));
const kindOf = (payload: Uint8Array): number[] => [...payload.subarray(0, 2)];

describe("forwarding IPv6", () => {
  it("forwards a packet with a lower hop limit and new MAC addresses", () => {
    const { bench, a, b } = makeBed();
    a.send6(ROUTER_MAC, { target: B, hopLimit: 9 }, echo());
    bench.run();
    const [packet, ...rest] = b.packets6;
    expect(rest).toEqual([]);
    expect(packet!.header).toMatchObject({ hopLimit: 8, source: A, target: B });
    expect([targetMac(packet!.frame), sourceMac(packet!.frame)]).toEqual([MAC_B, ROUTER_MAC + 1]);
  });

  it("takes the longest prefix, and the default route if no other matches", () => {
    const { bench, a, b } = makeBed({
      ...TWO_SUBNETS,
      routes: [
        { to: "::/0", via: "2001:db8:2::10" },
        { to: "2001:db8:f::/48", via: "2001:db8:1::99" },
        { to: "2001:db8:f:5::/64", via: "2001:db8:2::10" },
      ],
    });
    for (const target of ["2a00::1", "2001:db8:f:5::1", "2001:db8:f:6::1"])
      a.send6(ROUTER_MAC, { target: ip6(target) }, echo());
    bench.run(100_000);
    expect(b.packets6.map(({ header }) => formatIpv6(header.target))).toEqual(["2a00::1", "2001:db8:f:5::1"]);
  });

  it("reports a missing route", () => {
    const { bench, a } = makeBed();
    a.send6(ROUTER_MAC, { target: ip6("2a00::1"), hopLimit: 1 }, echo());
    bench.run();
    expect(kindOf(a.packets6[0]!.payload)).toEqual([1, 0]);
    expect(a.packets6[0]!.header).toMatchObject({ source: OWN, target: A, hopLimit: 255 });
  });

  it("reports an expired hop limit, and quotes the packet as received", () => {
    const { bench, a } = makeBed();
    a.send6(ROUTER_MAC, { target: B, hopLimit: 1 }, echo());
    const sent = bench.frames[0]!.frame;
    bench.run();
    expect(kindOf(a.packets6[0]!.payload)).toEqual([3, 0]);
    expect(a.packets6[0]!.payload.subarray(8)).toEqual(sent.subarray(14));
  });

  it("reports the MTU for a packet that is too big, in at most 1,280 bytes", () => {
    const { bench, a, b } = makeBed({
      ports: [TWO_SUBNETS.ports[0], { ...TWO_SUBNETS.ports[1], mtu: 1_300 }],
    });
    a.send6(ROUTER_MAC, { target: B }, echo(1_252));
    a.send6(ROUTER_MAC, { target: B }, echo(1_253));
    bench.run();
    const [error] = a.packets6;
    expect(kindOf(error!.payload)).toEqual([2, 0]);
    expect(readU32(error!.payload, 4)).toBe(1_300);
    expect(error!.header.payloadBytes).toBe(1_240);
    expect(b.packets6.map(({ header }) => header.payloadBytes)).toEqual([1_260]);
  });

  it("sends three solicitations for a neighbour, and then reports that the address is unreachable", () => {
    const { bench, a, b } = makeBed();
    b.answers = false;
    a.send6(ROUTER_MAC, { target: B }, echo());
    bench.run();
    expect(b.discovery.map(({ header }) => header.target)).toEqual(new Array(3).fill(solicitedNode(B)));
    expect(b.discovery.map(({ frame }) => targetMac(frame))).toEqual(
      new Array(3).fill(ipv6MulticastMac(solicitedNode(B))),
    );
    expect(a.packets6.map(({ payload }) => kindOf(payload))).toEqual([[1, 3]]);
    expect(Math.round(bench.nowUs / 1e6)).toBe(3);
  });

  const silent = (send: (a: Probe) => void): void => {
    const { bench, a, b } = makeBed();
    send(a);
    bench.run();
    expect([...a.packets6, ...b.packets6]).toEqual([]);
  };

  it.each(["fe80::1234", "ff0e::1", "ff02::5", "::1", "::"])("does not forward packets to %s", (target) => {
    silent((a) => a.send6(ROUTER_MAC, { target: ip6(target) }, echo()));
  });

  it.each(["ff0e::1", "::1", "::", "2001:db8:2::1"])("does not forward packets from %s", (source) => {
    silent((a) => a.send6(ROUTER_MAC, { source: ip6(source), target: B }, echo()));
  });

  it("reports that a packet from a link-local address would leave the scope of its source", () => {
    const { bench, a, b } = makeBed();
    a.send6(ROUTER_MAC, { source: A_LINK_LOCAL, target: B, hopLimit: 1 }, echo());
    bench.run();
    expect(a.packets6.map(({ payload }) => kindOf(payload))).toEqual([[1, 2]]);
    expect(a.packets6[0]!.header).toMatchObject({ source: LINK_LOCAL, target: A_LINK_LOCAL });
    expect(b.received).toEqual([]);
  });

  it("forwards a packet from a link-local address on the link it came from", () => {
    const { bench, a } = makeBed();
    a.send6(ROUTER_MAC, { source: A_LINK_LOCAL, target: A }, echo());
    bench.run();
    expect(a.packets6.map(({ header }) => [header.source, header.target])).toEqual([[A_LINK_LOCAL, A]]);
  });

  it("sends no errors about errors", () => {
    silent((a) => a.send6(ROUTER_MAC, { target: ip6("2a00::1") }, encodeIcmpv6(1, 0, 0, bytes(40))));
    silent((a) => a.send6(ROUTER_MAC, { target: ip6("2a00::1") }, encodeIcmpv6(137, 0, 0, bytes(40))));
  });
});

describe("IPv6 packets for the router itself", () => {
  it.each([OWN, LINK_LOCAL, ip6("2001:db8:2::1")])("answers echo requests to its addresses", (target) => {
    const { bench, a } = makeBed();
    a.send6(ROUTER_MAC, { target, hopLimit: 1 }, echo());
    bench.run();
    const [reply] = a.packets6;
    expect(reply!.header).toMatchObject({ source: target, target: A, hopLimit: 255 });
    expect(kindOf(reply!.payload)).toEqual([129, 0]);
    expect(reply!.payload.subarray(4)).toEqual(echo().subarray(4));
  });

  it("answers an echo request to all nodes from the address of the sender's scope", () => {
    const { bench, a } = makeBed();
    a.send6(ipv6MulticastMac(ALL_NODES), { target: ALL_NODES }, echo());
    bench.run();
    expect(a.packets6.map(({ header }) => header.source)).toEqual([OWN]);
  });

  it("reports that a UDP port is unreachable", () => {
    const { bench, a } = makeBed();
    const datagram = new Uint8Array(20);
    datagram.set([0x0f, 0xa0, 0x82, 0x9a, 0, 20]);
    a.send6(ROUTER_MAC, { target: OWN, nextHeader: 17 }, datagram);
    bench.run();
    expect(kindOf(a.packets6[0]!.payload)).toEqual([1, 4]);
  });

  it.each([
    ["another port's", A, ip6("2001:db8:2::1")],
    ["the port's global one, from a link-local one", A_LINK_LOCAL, OWN],
    ["the port's link-local one, from a global one", A, LINK_LOCAL],
  ])("sends errors from the packet's destination address: %s", (_title, source, target) => {
    const { bench, a } = makeBed();
    const datagram = new Uint8Array(20);
    datagram.set([0x0f, 0xa0, 0x82, 0x9a, 0, 20]);
    a.send6(ROUTER_MAC, { source, target, nextHeader: 17 }, datagram);
    bench.run();
    expect(a.packets6.map(({ header }) => [header.source, header.target])).toEqual([[target, source]]);
  });

  it("resets a TCP connection", () => {
    const { bench, a } = makeBed();
    const segment = new Uint8Array(20);
    segment.set([0x0f, 0xa0, 0, 80, 0, 0, 0, 100, 0, 0, 0, 0, 0x50, 2]);
    a.send6(ROUTER_MAC, { target: OWN, nextHeader: 6 }, segment);
    bench.run();
    const { payload, header } = a.packets6[0]!;
    expect([header.nextHeader, readU32(payload, 8), payload[13]]).toEqual([6, 101, 0x14]);
  });

  it("reports an unknown next header with its offset", () => {
    const { bench, a } = makeBed();
    const packet = encodeIpv6Checked({ source: A, target: OWN, nextHeader: 58 }, echo());
    packet[6] = 253;
    a.send(encodeEthernet(ROUTER_MAC, MAC_A, 0x86dd, packet));
    bench.run();
    const { payload } = a.packets6[0]!;
    expect([...kindOf(payload), readU32(payload, 4)]).toEqual([4, 1, 6]);
  });

  it("drops packets with a wrong checksum", () => {
    const { bench, a } = makeBed();
    const packet = encodeIpv6Checked({ source: A, target: OWN, nextHeader: 58 }, echo());
    packet[45]! ^= 1;
    a.send(encodeEthernet(ROUTER_MAC, MAC_A, 0x86dd, packet));
    bench.run();
    expect(a.received).toEqual([]);
  });
});

describe("neighbour discovery", () => {
  const solicitation = (target: bigint, mac: number | undefined = MAC_A): Uint8Array =>
    encodeNeighbour({ type: NEIGHBOUR_SOLICITATION, flags: 0, target, mac });

  it.each([OWN, LINK_LOCAL])("answers solicitations of the port's addresses as a router", (target) => {
    const { bench, a } = makeBed();
    const group = solicitedNode(target);
    a.send6(ipv6MulticastMac(group), { target: group, hopLimit: 255 }, solicitation(target));
    bench.run();
    const [answer] = a.discovery;
    expect(answer!.header).toMatchObject({ source: target, target: A, hopLimit: 255 });
    expect(decodeNeighbour(answer!.payload)).toEqual({
      type: 136,
      flags: 0xe000_0000,
      target,
      mac: ROUTER_MAC,
    });
  });

  it("answers a duplicate check of its address to all nodes", () => {
    const { bench, a } = makeBed();
    const group = solicitedNode(OWN);
    const message = encodeNeighbour({ type: NEIGHBOUR_SOLICITATION, flags: 0, target: OWN, mac: undefined });
    a.send6(ipv6MulticastMac(group), { source: 0n, target: group, hopLimit: 255 }, message);
    bench.run();
    expect(a.discovery.map(({ header }) => header.target)).toEqual([ALL_NODES]);
    expect(decodeNeighbour(a.discovery[0]!.payload)!.flags).toBe(0xa000_0000);
  });

  it("ignores solicitations from beyond the link, and those of other addresses", () => {
    const { bench, a } = makeBed();
    a.send6(ROUTER_MAC, { target: OWN, hopLimit: 254 }, solicitation(OWN));
    a.send6(ROUTER_MAC, { target: OWN, hopLimit: 255 }, solicitation(ip6("2001:db8:2::1")));
    bench.run();
    expect(a.received).toEqual([]);
  });

  it("drops messages with an option of length 0, and learns nothing from them", () => {
    const { bench, a } = makeBed();
    const withZero = (message: Uint8Array) => Uint8Array.of(...message, 1, 0, 0, 0, 0, 0, 0, 0);
    a.send6(ROUTER_MAC, { target: OWN, hopLimit: 255 }, withZero(solicitation(OWN)));
    const routers = encodeIcmpv6(ROUTER_SOLICITATION, 0, 0, new Uint8Array());
    a.send6(ipv6MulticastMac(ALL_ROUTERS), { target: ALL_ROUTERS, hopLimit: 255 }, withZero(routers));
    bench.run();
    expect(a.received).toEqual([]);
    expect(bench.type("R1", "show neighbours")).toContain("No neighbours");
  });

  it("does not learn from unsolicited advertisements", () => {
    const { bench, a } = makeBed();
    const message = { type: NEIGHBOUR_ADVERTISEMENT, flags: 0x2000_0000, target: A, mac: MAC_A } as const;
    a.send6(ROUTER_MAC, { target: OWN, hopLimit: 255 }, encodeNeighbour(message));
    bench.run();
    expect(bench.type("R1", "show neighbours")).toContain("No neighbours");
  });

  it("learns from solicitations, so that it need not send its own", () => {
    const { bench, a } = makeBed();
    a.send6(ROUTER_MAC, { target: OWN, hopLimit: 255 }, solicitation(OWN));
    a.send6(ROUTER_MAC, { target: OWN }, echo());
    bench.run();
    expect(a.discovery.map(({ payload }) => payload[0])).toEqual([136]);
    expect(a.packets6).toHaveLength(1);
  });
});

describe("router advertisements", () => {
  const solicit = (properties?: unknown, source = A_LINK_LOCAL) => {
    const { bench, a } = makeBed(properties);
    const options = source === 0n ? [] : [1, 1, 2, 0, 0, 0, 0, 10];
    const message = encodeIcmpv6(ROUTER_SOLICITATION, 0, 0, new Uint8Array(options));
    a.send6(ipv6MulticastMac(ALL_ROUTERS), { source, target: ALL_ROUTERS, hopLimit: 255 }, message);
    bench.run();
    return a.discovery;
  };

  it("answers a solicitation with its prefix, its MAC and the hop limit for hosts", () => {
    const [advertisement, ...rest] = solicit();
    expect(rest).toEqual([]);
    const { header, payload } = advertisement!;
    expect(header).toMatchObject({ source: LINK_LOCAL, target: ALL_NODES, hopLimit: 255 });
    expect([payload[0], payload[4], payload[5], readU16(payload, 6)]).toEqual([134, 64, 0, 1_800]);
    const prefix = findOption(payload, 16, 3)!;
    expect([prefix[2], prefix[3], formatIpv6(readIpv6(prefix, 16))]).toEqual([64, 0xc0, "2001:db8:1::"]);
    expect(readMac(findOption(payload, 16, 1)!, 2)).toBe(ROUTER_MAC);
    expect(findOption(payload, 16, 5)).toBeUndefined();
  });

  it("includes an MTU that is not the default", () => {
    const [advertisement] = solicit({ ports: [{ ipv6: "2001:db8:1::1/64", mtu: 1_400 }] });
    expect(readU32(findOption(advertisement!.payload, 16, 5)!, 4)).toBe(1_400);
  });

  it("does not let hosts form addresses if the prefix leaves too few bits", () => {
    const [advertisement] = solicit({ ports: [{ ipv6: "2001:db8:1::1/112" }] });
    expect(findOption(advertisement!.payload, 16, 3)![3]).toBe(0x80);
  });

  it("answers hosts that have no address yet", () => {
    expect(solicit(TWO_SUBNETS, 0n)).toHaveLength(1);
  });

  it("sends nothing where it is disabled, and without an IPv6 address", () => {
    expect(solicit({ ports: [{ ipv6: "2001:db8:1::1/64", ra: false }] })).toEqual([]);
    expect(solicit({ ports: [{ ipv4: "10.0.1.1/24" }] })).toEqual([]);
  });
});
