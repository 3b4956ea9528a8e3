import { parseRouterProperties, Router, type RouterState } from "@wirelab/engine/devices/router/index";
import { encodeEthernet, sourceMac } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { decodeUdp, encodeUdp4 } from "@wirelab/engine/wire/udp";
import { decodeVxlan, encodeVxlan, type Vxlan } from "@wirelab/engine/wire/vxlan";
import { describe, expect, it } from "vitest";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import {
  type Bed,
  bytes,
  ip,
  MAC_A,
  makeBed,
  Probe,
  paste,
  ROUTER_MAC,
  say,
  shownLines,
  specOf,
} from "../probe.ts";

const FAR = "10.0.2.10";
const OTHER = "10.0.2.11";
const BROADCAST = 0xffff_ffff_ffff;
const HOST = 0x0200_0000_0f01;
const SEGMENT = {
  type: "vxlan",
  name: "vxlan10",
  vni: 10,
  local: "10.0.2.1",
  remotes: [FAR, OTHER],
  members: ["Ethernet0"],
};
const UNDERLAY = { ports: [{}, { ipv4: "10.0.2.1/24" }, {}] };
const withSegment = (more: object = {}, others: object = {}): object => ({
  ...UNDERLAY,
  interfaces: [{ ...SEGMENT, ...more }],
  ...others,
});

/** Probe B answers for the second remote end, too. */
function makeSegmentBed(properties: object = withSegment(), state?: RouterState): Bed & { c: Probe } {
  const bed = makeBed(properties, state);
  const c = bed.bench.add("C", (world) => new Probe(world, 0x0200_0000_000c, "10.0.9.10"));
  bed.bench.wire(["C", 0], ["R1", 2]);
  return { ...bed, c };
}

const frameOf = (target: number, source: number, size = 46): Uint8Array =>
  encodeEthernet(target, source, 0x88b5, bytes(size));

/** What a remote end sends. */
function sendInside(bed: Bed, vxlan: Vxlan, source = FAR, port = 4_789): void {
  const udp = { sourcePort: 50_000, targetPort: port, data: encodeVxlan(vxlan) };
  const target = ip("10.0.2.1");
  bed.b.send4(
    ROUTER_MAC + 1,
    { source: ip(source), target, protocol: 17 },
    encodeUdp4(ip(source), target, udp),
  );
}

/** The datagrams that left to remote ends. Probe B answers no ARP for the second, so the test makes it known. */
function outside(bed: Bed) {
  return bed.b.packets4
    .filter(({ header }) => header.protocol === 17 && header.fragmentOffset === 0)
    .map(({ header, payload }) => ({ header, payload, udp: decodeUdp(payload) }));
}

const knowEnds = (bed: Bed): void => {
  for (const address of [FAR, OTHER]) {
    bed.b.send(arpReply(bed.b.mac, ip(address)));
    bed.bench.run();
  }
  bed.b.received.length = 0;
};

function arpReply(mac: number, address: number): Uint8Array {
  const request = new Uint8Array(28);
  request.set([0, 1, 8, 0, 6, 4, 0, 1]);
  const view = new DataView(request.buffer);
  view.setUint16(8, Math.floor(mac / 2 ** 32));
  view.setUint32(10, mac >>> 0);
  view.setUint32(14, address);
  view.setUint32(24, ip("10.0.2.1"));
  return encodeEthernet(BROADCAST, mac, 0x0806, request);
}

const counters = (bed: Bed): string => say(bed, "show counters").join("\n");

describe("a VXLAN segment with a bridged port", () => {
  it("sends a frame for an unknown address to every remote end, in packets of its own address", () => {
    const bed = makeSegmentBed(withSegment({ ttl: 9 }));
    knowEnds(bed);
    const frame = frameOf(HOST, MAC_A);
    bed.a.send(frame);
    bed.bench.run();
    const sent = outside(bed);
    expect(sent.map(({ header }) => header.target)).toEqual([ip(FAR), ip(OTHER)]);
    for (const { header, payload, udp } of sent) {
      expect(header).toMatchObject({ source: ip("10.0.2.1"), ttl: 9, dontFragment: false });
      expect(udp?.targetPort).toBe(4_789);
      expect(udp?.sourcePort).toBeGreaterThanOrEqual(49_152);
      // RFC 7348, section 5: the checksum should be zero.
      expect([payload[6], payload[7]]).toEqual([0, 0]);
      expect(decodeVxlan(udp!.data)).toEqual({ vni: 10, frame });
    }
    expect(counters(bed)).not.toContain("Dropped");
  });

  it("gives the frames of one conversation one source port, and those of others others", () => {
    const bed = makeSegmentBed(withSegment({ remotes: [FAR] }));
    knowEnds(bed);
    for (const source of [1, 2, 3, 4, 5, 6, 7, 8, 1]) bed.a.send(frameOf(HOST, 0x0200_0000_0a00 + source));
    bed.bench.run();
    const ports = outside(bed).map(({ udp }) => udp!.sourcePort);
    expect(ports[8]).toBe(ports[0]);
    expect(new Set(ports).size).toBeGreaterThan(4);
  });

  it("learns from the outer source where an address is, and sends to that end only", () => {
    const bed = makeSegmentBed();
    knowEnds(bed);
    sendInside(bed, { vni: 10, frame: frameOf(MAC_A, HOST) }, OTHER);
    bed.bench.run();
    expect(bed.a.received.map(sourceMac)).toEqual([HOST]);
    bed.a.send(frameOf(HOST, MAC_A));
    bed.bench.run();
    expect(outside(bed).map(({ header }) => header.target)).toEqual([ip(OTHER)]);
    // The station moves.
    sendInside(bed, { vni: 10, frame: frameOf(MAC_A, HOST) }, FAR);
    bed.bench.run();
    bed.b.received.length = 0;
    bed.a.send(frameOf(HOST, MAC_A));
    bed.bench.run();
    expect(outside(bed).map(({ header }) => header.target)).toEqual([ip(FAR)]);
  });

  it("learns from ends that it does not flood to", () => {
    const bed = makeSegmentBed(withSegment({ remotes: [] }));
    knowEnds(bed);
    bed.a.send(frameOf(HOST, MAC_A));
    bed.bench.run();
    expect(outside(bed)).toEqual([]);
    sendInside(bed, { vni: 10, frame: frameOf(MAC_A, HOST) });
    bed.bench.run();
    bed.a.send(frameOf(HOST, MAC_A));
    bed.bench.run();
    expect(outside(bed).map(({ header }) => header.target)).toEqual([ip(FAR)]);
  });

  it("forgets an address that has sent nothing for the ageing time", () => {
    const bed = makeSegmentBed(withSegment({ ageing_time: 10 }));
    knowEnds(bed);
    sendInside(bed, { vni: 10, frame: frameOf(MAC_A, HOST) });
    bed.bench.run();
    expect(say(bed, "show vxlan mac")).toEqual([
      "Interface  VNI  MAC                At         Age",
      "vxlan10    10   02:00:00:00:0f:01  10.0.2.10  0 s",
    ]);
    bed.bench.run(9_000_000);
    expect(say(bed, "show vxlan mac")).toHaveLength(2);
    bed.bench.run(12_000_000);
    expect(say(bed, "show vxlan mac")).toEqual(["No addresses"]);
    bed.a.send(frameOf(HOST, MAC_A));
    bed.bench.run();
    expect(outside(bed)).toHaveLength(2);
  });

  it("floods frames of a remote end to its members, and to no other end", () => {
    const bed = makeSegmentBed(withSegment({ members: ["Ethernet0", "Ethernet2"] }));
    knowEnds(bed);
    sendInside(bed, { vni: 10, frame: frameOf(BROADCAST, HOST) });
    bed.bench.run();
    expect([bed.a.received.length, bed.c.received.length, outside(bed).length]).toEqual([1, 1, 0]);
    // Nor if the address is known at the other end.
    sendInside(bed, { vni: 10, frame: frameOf(HOST, HOST + 1) }, OTHER);
    bed.bench.run();
    expect(outside(bed)).toEqual([]);
  });

  it("passes frames between its members, and not back where they came from", () => {
    const bed = makeSegmentBed(withSegment({ members: ["Ethernet0", "Ethernet2"], remotes: [] }));
    bed.c.send(frameOf(BROADCAST, bed.c.mac));
    bed.bench.run();
    expect(bed.a.received.map(sourceMac)).toEqual([bed.c.mac]);
    bed.a.send(frameOf(bed.c.mac, MAC_A));
    bed.bench.run();
    expect(bed.c.received).toHaveLength(1);
    bed.a.send(frameOf(MAC_A, HOST));
    bed.bench.run();
    expect([bed.a.received.length, bed.c.received.length]).toEqual([1, 1]);
  });

  it("carries tags of a bridged port, and takes them off a bridged subinterface", () => {
    const tagged = encodeEthernet(HOST, MAC_A, 0x8100, Uint8Array.of(0, 7, 0x88, 0xb5, ...bytes(46)));
    const bed = makeSegmentBed();
    knowEnds(bed);
    bed.a.send(tagged);
    bed.bench.run();
    expect(decodeVxlan(outside(bed)[0]!.udp!.data)?.frame).toEqual(tagged);

    const on = makeSegmentBed({
      ...UNDERLAY,
      interfaces: [
        { ...SEGMENT, members: ["Ethernet0.7"] },
        { name: "Ethernet0.7", vlan: 7 },
      ],
    });
    knowEnds(on);
    on.a.send(tagged);
    on.bench.run();
    expect(decodeVxlan(outside(on)[0]!.udp!.data)?.frame).toEqual(frameOf(HOST, MAC_A));
    sendInside(on, { vni: 10, frame: frameOf(MAC_A, HOST) });
    on.bench.run();
    expect(on.a.received[0]?.subarray(12, 18)).toEqual(Uint8Array.of(0x81, 0, 0, 7, 0x88, 0xb5));
  });

  it("drops frames larger than its MTU, as the bridge of Linux", () => {
    const bed = makeSegmentBed();
    knowEnds(bed);
    bed.a.send(frameOf(HOST, MAC_A, 1_450));
    bed.a.send(frameOf(HOST, MAC_A, 1_451));
    bed.bench.run();
    expect(outside(bed).map(({ header }) => header.totalBytes)).toEqual([1_500, 1_500]);
    expect(counters(bed)).toContain("Dropped, too big for the next link: 2");
  });

  it("with a larger MTU fragments the outer packets, and puts those of the other end together", () => {
    const bed = makeSegmentBed(withSegment({ mtu: 1_500, remotes: [FAR] }));
    knowEnds(bed);
    bed.a.send(frameOf(HOST, MAC_A, 1_500));
    bed.bench.run();
    expect(bed.b.packets4.map(({ header }) => [header.protocol, header.moreFragments])).toEqual([
      [17, true],
      [17, false],
    ]);
    sendInside(bed, { vni: 10, frame: frameOf(MAC_A, HOST, 1_500) });
    bed.bench.run();
    expect(bed.a.received.map(({ length }) => length)).toEqual([1_514]);
  });

  it.each([
    [
      "another VNI",
      encodeVxlan({ vni: 11, frame: frameOf(MAC_A, HOST) }),
      "tunnel packets without an interface",
    ],
    [
      "no VNI",
      Uint8Array.of(0, ...encodeVxlan({ vni: 10, frame: frameOf(MAC_A, HOST) }).subarray(1)),
      "malformed packets",
    ],
    ["half a frame", encodeVxlan({ vni: 10, frame: bytes(13) }), "malformed packets"],
    ["half a header", bytes(7), "malformed packets"],
    [
      "a frame from a group",
      encodeVxlan({ vni: 10, frame: frameOf(MAC_A, BROADCAST) }),
      "frames for another station or protocol",
    ],
    [
      "a frame of the router's own address",
      encodeVxlan({ vni: 10, frame: frameOf(MAC_A, ROUTER_MAC) }),
      "frames for another station or protocol",
    ],
    [
      "a frame that no bridge forwards",
      encodeVxlan({ vni: 10, frame: frameOf(0x0180_c200_0000, HOST) }),
      "frames for another station or protocol",
    ],
  ])("drops %s", (_what, data, reason) => {
    const bed = makeSegmentBed();
    const [source, target] = [ip(FAR), ip("10.0.2.1")];
    const udp = { sourcePort: 50_000, targetPort: 4_789, data };
    bed.b.send4(ROUTER_MAC + 1, { source, target, protocol: 17 }, encodeUdp4(source, target, udp));
    bed.bench.run();
    expect(bed.a.received).toEqual([]);
    expect(counters(bed)).toContain(`Dropped, ${reason}: 1`);
  });

  it("listens at its own port only, and a router without a segment at none", () => {
    const bed = makeSegmentBed(withSegment({ udp_port: 8_472 }));
    sendInside(bed, { vni: 10, frame: frameOf(MAC_A, HOST) });
    bed.bench.run();
    expect(bed.b.packets4.map(({ payload }) => [payload[0], payload[1]])).toEqual([[3, 3]]);
    sendInside(bed, { vni: 10, frame: frameOf(MAC_A, HOST) }, FAR, 8_472);
    bed.bench.run();
    expect(bed.a.received).toHaveLength(1);
  });

  it("forgets what is behind a member that loses its carrier, and what clear vxlan mac names", () => {
    const bed = makeSegmentBed();
    knowEnds(bed);
    bed.a.send(frameOf(HOST, MAC_A));
    sendInside(bed, { vni: 10, frame: frameOf(MAC_A, HOST) });
    bed.bench.run();
    bed.router.linkChanged(0, false);
    expect(
      say(bed, "show vxlan mac")
        .slice(1)
        .map((line) => line.split(/ +/)[3]),
    ).toEqual(["10.0.2.10"]);
    expect(say(bed, "clear vxlan mac")).toEqual([]);
    expect(say(bed, "show vxlan mac")).toEqual(["No addresses"]);
  });

  it("keeps what it has learned between runs, in the state of its services", () => {
    const bed = makeSegmentBed();
    sendInside(bed, { vni: 10, frame: frameOf(MAC_A, HOST) }, OTHER);
    bed.bench.run();
    const state = JSON.parse(JSON.stringify(bed.router.saveState())) as RouterState;
    expect(state.services?.vxlan).toEqual({
      vxlan10: [[10, HOST, 2 ** 32 + ip(OTHER), expect.any(Number)]],
    });
    const next = makeSegmentBed(withSegment(), state);
    expect(say(next, "show vxlan mac")[1]).toMatch(/^vxlan10 +10 +02:00:00:00:0f:01 +10.0.2.11 /);
  });

  it("keeps no state of segments that have learned nothing", () => {
    const other = { type: "vxlan", name: "vxlan11", vni: 11, local: "10.0.2.1" };
    const bed = makeSegmentBed({ ...UNDERLAY, interfaces: [SEGMENT, other] });
    expect(bed.router.saveState()).not.toHaveProperty("services");
    sendInside(bed, { vni: 11, frame: frameOf(MAC_A, HOST) });
    bed.bench.run();
    expect(Object.keys(bed.router.saveState().services?.vxlan ?? {})).toEqual(["vxlan11"]);
  });

  it("takes no packet to the address of another station for its own, also if the frame is flooded", () => {
    const bed = makeSegmentBed(withSegment({ ipv4: "10.10.0.1/24" }));
    const fields = { source: ip("10.10.0.10"), target: ip("10.10.0.1"), protocol: 253 };
    const packet = encodeIpv4(fields, bytes(20))[0]!;
    const delivered = (): number => bed.router.saveState().counters.delivered;
    bed.a.send(encodeEthernet(HOST, MAC_A, 0x0800, packet));
    bed.bench.run();
    expect(delivered()).toBe(0);
    bed.a.send(encodeEthernet(ROUTER_MAC, MAC_A, 0x0800, packet));
    bed.bench.run();
    expect(delivered()).toBe(1);
  });

  it("counts frames for remote ends that no route leads to as dropped", () => {
    const bed = makeSegmentBed(withSegment({ remotes: ["10.0.8.1"] }));
    bed.a.send(frameOf(HOST, MAC_A));
    bed.bench.run();
    expect(counters(bed)).toContain("Dropped, no route: 1");
  });

  it("sends nothing while its own address is down, or it is shut down", () => {
    const bed = makeSegmentBed();
    knowEnds(bed);
    bed.router.linkChanged(1, false);
    bed.a.send(frameOf(HOST, MAC_A));
    bed.bench.run();
    expect(outside(bed)).toEqual([]);
    expect(counters(bed)).toContain("Dropped, no route: 2");
    bed.router.linkChanged(1, true);
    expect(say(bed, "shutdown vxlan10")).toEqual([]);
    bed.a.send(frameOf(HOST, MAC_A));
    sendInside(bed, { vni: 10, frame: frameOf(MAC_A, HOST) });
    bed.bench.run();
    expect([bed.a.received.length, outside(bed).length]).toEqual([0, 0]);
  });

  it("does not send into a tunnel", () => {
    const bed = makeSegmentBed(
      withSegment(
        { remotes: ["10.0.8.1"], vrf: undefined, ipv4: "10.0.7.1/24" },
        { routes: [{ to: "10.0.8.0/24", via: "10.0.7.2" }] },
      ),
    );
    bed.a.send(frameOf(HOST, MAC_A));
    bed.bench.run();
    expect(counters(bed)).toContain("Dropped, tunnels in tunnels: 1");
  });
});

/** Two routers behind a third, with a host at a bridged port of each. */
function makeStretch(more: object = {}, far: object = {}): DeviceBench {
  const bench = new DeviceBench();
  const make = (name: string, mac: number, properties: object): void =>
    bench.add(name, (world) => new Router({ ...specOf(properties, name), mac }, world)).start();
  const end = (own: number, other: number, changes: object): object => ({
    ports: [{ ipv4: `192.0.${own}.1/24` }, {}],
    interfaces: [
      {
        ...SEGMENT,
        local: `192.0.${own}.1`,
        remotes: [`192.0.${other}.1`],
        members: ["Ethernet1"],
        ipv4: `10.10.0.${own}/24`,
        ipv6: `2001:db8:10::${own}/64`,
        ...changes,
      },
    ],
    routes: [{ to: "0.0.0.0/0", via: `192.0.${own}.254` }],
  });
  make("R1", 0x0200_0000_0100, end(1, 2, more));
  make("R2", 0x0200_0000_0200, end(2, 1, { ...more, ...far }));
  make("ISP", 0x0200_0000_0300, { ports: [{ ipv4: "192.0.1.254/24" }, { ipv4: "192.0.2.254/24" }] });
  for (const [name, mac, address] of [
    ["H1", 0x0200_0000_0401, "10.10.0.11/24"],
    ["H2", 0x0200_0000_0402, "10.10.0.12/24"],
  ] as const)
    make(name, mac, { ports: [{ ipv4: address }] });
  bench.wire(["R1", 0], ["ISP", 0]);
  bench.wire(["R2", 0], ["ISP", 1]);
  bench.wire(["H1", 0], ["R1", 1]);
  bench.wire(["H2", 0], ["R2", 1]);
  return bench;
}

describe("a segment between two routers", () => {
  it("makes hosts of two sites neighbours, and the routers of it members with addresses", () => {
    const bench = makeStretch();
    expect(bench.type("H1", "ping 10.10.0.12 -c 2")).toContain("2 sent, 2 received, 0% lost");
    expect(bench.type("H1", "traceroute 10.10.0.12 -q 1")).toMatch(/ 1 {2}10.10.0.12 {2}[\d.]+ ms\n\n/);
    expect(bench.type("H1", "ping 10.10.0.1 -c 1")).toContain("1 received");
    expect(bench.type("H1", "ping 10.10.0.2 -c 1")).toContain("1 received");
    expect(bench.type("R1", "ping 10.10.0.2 -c 1")).toContain("1 received");
    expect(bench.type("R1", "ping 10.10.0.12 -c 1")).toContain("1 received");
    expect(bench.type("R1", "ping 2001:db8:10::2 -c 1")).toContain("1 received");
    expect(bench.type("H1", "ping 10.10.0.12 -c 1 -s 1422 -D")).toContain("1 received");
    expect(bench.type("H1", "ping 10.10.0.12 -c 1 -s 1423 -D")).toContain("0 received");
  });

  it("with an MTU of 1500 carries whole frames in fragments", () => {
    const bench = makeStretch({ mtu: 1_500 });
    expect(bench.type("H1", "ping 10.10.0.12 -c 1 -s 1472 -D")).toContain("1 received");
  });

  it("is one with another VNI at the other end", () => {
    const bench = makeStretch({}, { vni: 11 });
    expect(bench.type("H1", "ping 10.10.0.12 -c 1")).toContain("0 received");
    expect(bench.type("R2", "show counters")).toContain("tunnel packets without an interface");
  });
});

describe("the properties of a VXLAN interface", () => {
  const problems = (...interfaces: object[]): string[] => {
    const parsed = parseRouterProperties({
      ports: [{}, { ipv4: "10.0.2.1/24" }, {}],
      interfaces,
    });
    return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
  };

  it.each([
    [{ vni: 0 }, "interfaces.0.vni: must be 1 to 16777215, not 0"],
    [{ vni: 2 ** 24 }, "interfaces.0.vni: must be 1 to 16777215, not 16777216"],
    [{ vni: undefined }, "interfaces.0.vni: must be an integer"],
    [{ local: "x" }, 'interfaces.0.local: "x" is not an IPv4 address'],
    [
      { local: "10.0.2.2" },
      "interfaces.0.local: 10.0.2.2 is not the address of a port, subinterface or loopback interface",
    ],
    [{ remotes: "10.0.2.10" }, "interfaces.0.remotes: must be an array"],
    [{ remotes: [FAR, "R2"] }, 'interfaces.0.remotes.1: "R2" is not an IPv4 address'],
    [{ remotes: [FAR, FAR] }, "interfaces.0.remotes.1: 10.0.2.10 is there already"],
    [{ remotes: ["10.0.2.1"] }, "interfaces.0.remotes.0: 10.0.2.1 is the router's own address"],
    [
      { ipv4: "10.0.3.1/24", remotes: ["10.0.3.2"] },
      "interfaces.0.remotes.0: 10.0.3.2 is in the segment's own subnet 10.0.3.1/24",
    ],
    [{ udp_port: 0 }, "interfaces.0.udp_port: must be 1 to 65535, not 0"],
    [{ ttl: 256 }, "interfaces.0.ttl: must be 1 to 255, not 256"],
    [{ ageing_time: 9 }, "interfaces.0.ageing_time: must be 10 to 1000000, not 9"],
    [{ members: [1] }, "interfaces.0.members.0: must be a string"],
    [{ members: ["e9"] }, "interfaces.0.members.0: e9 is not a port or subinterface of the router"],
    [{ members: ["vxlan10"] }, "interfaces.0.members.0: vxlan10 is not a port or subinterface of the router"],
    [
      { members: ["Ethernet1"] },
      "interfaces.0.members.0: Ethernet1 has an IPv4 address: a bridged interface has none",
    ],
    [
      { members: ["Ethernet0", "ethernet0"] },
      "interfaces.0.members.1: ethernet0 is bridged with vxlan10 already",
    ],
    [
      { key: 1 },
      "interfaces.0.key: is not a known property; known are name, ipv4, ipv6, mtu, dhcp, ra, vrrp, vrf, shutdown, acl_in, acl_out, acl6_in, acl6_out, pbr_policy, ospf, type, vni, local, remotes, udp_port, ttl, ageing_time, members",
    ],
  ])("are rejected with %j", (more, problem) => {
    expect(problems({ ...SEGMENT, ...more })).toContain(problem);
  });

  it.each([
    [{ local: "x" }, ["interfaces.0.local"]],
    [{ remotes: ["x", "y"] }, ["interfaces.0.remotes.0", "interfaces.0.remotes.1"]],
    [{ members: "Ethernet0" }, ["interfaces.0.members"]],
    [{ members: [1, 2] }, ["interfaces.0.members.0", "interfaces.0.members.1"]],
    [{ remotes: new Array(65).fill(FAR) }, ["interfaces.0.remotes"]],
    [{ members: new Array(65).fill("Ethernet0") }, ["interfaces.0.members"]],
  ])("have one problem for each invalid value: %j", (more, paths) => {
    expect(problems({ ...SEGMENT, ...more }).map((problem) => problem.split(":")[0])).toEqual(paths);
  });

  it("are not compared with ports whose list or address is invalid", () => {
    for (const [ports, path] of [
      ["x", "ports"],
      [[{}, { ipv4: "10.0.2.1" }, {}], "ports.1.ipv4"],
    ] as const) {
      const parsed = parseRouterProperties({ ports, interfaces: [SEGMENT] });
      expect(parsed.ok ? [] : parsed.problems.map((problem) => problem.path.join("."))).toEqual([path]);
    }
  });

  it.each([
    [{ ipv6: "2001:db8::1/64" }, "an IPv6 address"],
    [{ vrf: "red" }, "a VRF"],
    [{ pbr_policy: "P" }, "a PBR map"],
  ])("are rejected with a member that has %j", (port, what) => {
    const parsed = parseRouterProperties({
      ports: [port, { ipv4: "10.0.2.1/24" }, {}],
      interfaces: [SEGMENT],
      pbr_maps: [{ name: "P", rules: ["set drop"] }],
    });
    expect(parsed.ok ? [] : parsed.problems.map(({ message }) => message)).toEqual([
      `Ethernet0 has ${what}: a bridged interface has none`,
    ]);
  });

  it("are rejected with the VNI or a member of another", () => {
    expect(problems(SEGMENT, { ...SEGMENT, name: "vxlan11" })).toEqual([
      "interfaces.1.vni: 10 is the VNI of vxlan10",
      "interfaces.1.members.0: Ethernet0 is bridged with vxlan10 already",
    ]);
    expect(problems(SEGMENT, { ...SEGMENT, name: "vxlan11", vni: 11, members: ["Ethernet2"] })).toEqual([]);
  });

  it("may have a remote end in the subnet of a VRF, whose packets take another table", () => {
    expect(problems({ ...SEGMENT, vrf: "red", ipv4: "10.0.3.1/24", remotes: ["10.0.3.2"] })).toEqual([]);
  });

  it("are set at the console, and shown by it", () => {
    const bed = makeBed(UNDERLAY);
    const line =
      "interface vxlan10 vxlan 10 10.0.2.1 remote 10.0.2.10 remote 10.0.2.11 member Ethernet0 port 8472 ttl 9 ageing 60";
    expect(say(bed, "show vxlan")).toEqual(["No VXLAN interfaces"]);
    expect(say(bed, "show vxlan mac")).toEqual(["No VXLAN interfaces"]);
    expect(say(bed, line)).toEqual([]);
    expect(say(bed, "ip vxlan10 10.10.0.1/24")).toEqual([]);
    expect(shownLines(bed).slice(-2)).toEqual([line, "vxlan10: ip address 10.10.0.1/24"]);
    expect(say(bed, "show ip").at(-1)).toMatch(/^vxlan10 +10.10.0.1\/24 +- +- +02:00:00:00:01:00 +1450$/);
    expect(say(bed, "show vxlan")).toEqual([
      "Interface  State  VNI  Local     Remotes              Port  MTU   Members",
      "vxlan10    up     10   10.0.2.1  10.0.2.10 10.0.2.11  8472  1450  Ethernet0",
    ]);
    expect(say(bed, "interface vxlan10 vxlan 11 10.0.2.1")).toEqual([]);
    expect(shownLines(bed).slice(-2)).toEqual([
      "interface vxlan10 vxlan 11 10.0.2.1",
      "vxlan10: ip address 10.10.0.1/24",
    ]);
    expect(say(bed, "no interface vxlan10")).toEqual([]);
    expect(say(bed, "show vxlan")).toEqual(["No VXLAN interfaces"]);
  });

  it("keep a subinterface before the segment that it is a member of in the running configuration", () => {
    const bed = makeSegmentBed({
      ...UNDERLAY,
      interfaces: [
        { ...SEGMENT, members: ["Ethernet0.7"] },
        { name: "Ethernet0.7", vlan: 7 },
      ],
    });
    const lines = say(bed, "show run").filter((line) => / (vlan|vxlan) /.test(line));
    expect(lines.map((line) => line.split(" ")[1])).toEqual(["Ethernet0.7", "vxlan10"]);
    const typed = makeBed(UNDERLAY);
    paste(typed, say(bed, "show run"));
    expect(say(typed, "show run")).toEqual(say(bed, "show run"));
  });

  it.each([
    "v vxlan",
    "v vxlan 10",
    "v vxlan x 10.0.2.1",
    "v vxlan 10 10.0.2.1 remote",
    "v vxlan 10 10.0.2.1 port x",
    "v vxlan 10 10.0.2.1 constructor 1",
  ])("are not set by `interface %s`", (words) => {
    expect(say(makeBed(), `interface ${words}`)[0]).toMatch(/^Usage: interface/);
  });
});
