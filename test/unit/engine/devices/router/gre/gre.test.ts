import { parseRouterProperties, Router } from "@wirelab/engine/devices/router/index";
import { decodeGre, encodeGre } from "@wirelab/engine/wire/gre";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { describe, expect, it } from "vitest";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import {
  type Bed,
  bytes,
  ip,
  ip6,
  makeBed,
  ROUTER_MAC,
  say,
  shownLines,
  specOf,
  TWO_SUBNETS,
  unwrap4,
} from "../probe.ts";

const GRE = { type: "gre", name: "tun0", local: "10.0.2.1", remote: "10.0.2.10", ipv4: "172.16.0.1/30" };
const tunnel = (more: object = {}, routes: object[] = []): object => ({
  ...TWO_SUBNETS,
  interfaces: [{ ...GRE, ...more }],
  routes: [{ to: "10.9.0.0/16", via: "172.16.0.2" }, ...routes],
});

/** What probe B got in GRE packets. */
const inside = (bed: Bed) =>
  bed.b.packets4
    .filter(({ header }) => header.protocol === 47)
    .map(({ header, payload }) => ({ header, gre: decodeGre(payload)! }));

/** An IPv4 packet from the far side of the tunnel. */
const sendInside = (bed: Bed, key: number | undefined, target: string, etherType = 0x0800): void => {
  const [packet] = encodeIpv4({ source: ip("10.9.0.1"), target: ip(target), protocol: 253 }, bytes(8));
  bed.b.send4(
    ROUTER_MAC + 1,
    { target: ip("10.0.2.1"), protocol: 47 },
    encodeGre({ etherType, key, payload: packet! }),
  );
};

describe("a GRE tunnel", () => {
  it("carries forwarded IPv4 packets whole, with one hop less, in packets of its own ends", () => {
    const bed = makeBed(tunnel({ key: 0xdead_beef, ttl: 9 }));
    bed.a.send4(ROUTER_MAC, { target: ip("10.9.0.1"), ttl: 20, protocol: 253 }, bytes(30));
    bed.bench.run();
    const [{ header, gre }] = inside(bed) as [ReturnType<typeof inside>[0]];
    expect(header).toMatchObject({
      source: ip("10.0.2.1"),
      target: ip("10.0.2.10"),
      ttl: 9,
      dontFragment: false,
    });
    expect(gre).toMatchObject({ etherType: 0x0800, key: 0xdead_beef });
    const { header: inner } = unwrap4(Uint8Array.of(...new Uint8Array(14), ...gre.payload));
    expect(inner).toMatchObject({ source: ip("10.0.1.10"), target: ip("10.9.0.1"), ttl: 19, totalBytes: 50 });
  });

  it("carries IPv6", () => {
    const bed = makeBed({
      ...tunnel({ ipv6: "2001:db8:f::1/64" }),
      routes: [{ to: "2001:db8:9::/48", via: "2001:db8:f::2" }],
    });
    bed.a.send6(ROUTER_MAC, { target: ip6("2001:db8:9::1") }, Uint8Array.of(128, 0, 0, 0, 0, 1, 0, 1));
    bed.bench.run();
    expect(inside(bed).map(({ gre }) => [gre.etherType, gre.payload[7]])).toEqual([[0x86dd, 63]]);
  });

  it("takes packets of its ends with its key, and forwards what is in them", () => {
    const bed = makeBed(tunnel({ key: 7 }));
    sendInside(bed, 7, "10.0.1.10");
    bed.bench.run();
    expect(bed.a.packets4.map(({ header }) => [header.source, header.ttl])).toEqual([[ip("10.9.0.1"), 63]]);
    expect(bed.router.saveState().counters.ports[2]).toMatchObject({ framesIn: 1, framesOut: 0 });
  });

  it.each([
    ["another key", 8, 0x0800, "tunnel packets without an interface"],
    ["no key", undefined, 0x0800, "tunnel packets without an interface"],
    ["another protocol inside", 7, 0x6558, "frames for another station or protocol"],
  ])("drops packets with %s", (_what, key, etherType, reason) => {
    const bed = makeBed(tunnel({ key: 7 }));
    sendInside(bed, key, "10.0.1.10", etherType);
    bed.bench.run();
    expect(bed.a.received).toEqual([]);
    expect(say(bed, "show counters").join("\n")).toContain(`Dropped, ${reason}: 1`);
  });

  it("drops malformed packets", () => {
    const bed = makeBed(tunnel());
    bed.b.send4(ROUTER_MAC + 1, { target: ip("10.0.2.1"), protocol: 47 }, Uint8Array.of(0, 1, 8, 0));
    bed.bench.run();
    expect(say(bed, "show counters").join("\n")).toContain("Dropped, malformed packets: 1");
  });

  it("is unknown to a router without one: it answers protocol unreachable, as before", () => {
    const bed = makeBed();
    sendInside(bed, 7, "10.0.1.10");
    bed.bench.run();
    expect(bed.b.packets4.map(({ payload }) => [...payload.subarray(0, 2)])).toEqual([[3, 2]]);
  });

  it.each([
    [undefined, 1_476],
    [5, 1_472],
  ])("with key %s has an MTU of %d, and reports packets that are too big for it", (key, mtu) => {
    const bed = makeBed(
      tunnel({ ...(key && { key }), ipv6: "2001:db8:f::1/64" }, [
        { to: "2001:db8:9::/48", via: "2001:db8:f::2" },
      ]),
    );
    bed.a.send4(ROUTER_MAC, { target: ip("10.9.0.1"), dontFragment: true }, bytes(mtu - 19));
    bed.a.send4(ROUTER_MAC, { target: ip("10.9.0.1"), dontFragment: true }, bytes(mtu - 20));
    bed.a.send6(ROUTER_MAC, { target: ip6("2001:db8:9::1"), nextHeader: 59 }, bytes(mtu - 39));
    bed.bench.run();
    expect(
      bed.a.packets4.map(({ payload }) => [payload[0], payload[1], payload[6]! * 256 + payload[7]!]),
    ).toEqual([[3, 4, mtu]]);
    expect(bed.a.packets6.map(({ payload }) => [payload[0], payload[6]! * 256 + payload[7]!])).toEqual([
      [2, mtu],
    ]);
    expect(inside(bed).map(({ header }) => header.totalBytes)).toEqual([1_500]);
  });

  it("fragments what may be fragmented before it goes in, and its own packets for a small underlay", () => {
    const bed = makeBed(tunnel());
    bed.a.send4(ROUTER_MAC, { target: ip("10.9.0.1") }, bytes(1_470));
    bed.bench.run();
    expect(inside(bed)).toHaveLength(2);
    expect(say(bed, "mtu 1 1300")).toEqual([]);
    bed.b.received.length = 0;
    bed.a.send4(ROUTER_MAC, { target: ip("10.9.0.1") }, bytes(1_400));
    bed.bench.run();
    expect(bed.b.packets4.map(({ header }) => [header.protocol, header.moreFragments])).toEqual([
      [47, true],
      [47, false],
    ]);
  });

  it("does not send into a tunnel: a route to the remote end that leads there drops the packet", () => {
    const bed = makeBed(tunnel({}, [{ to: "10.0.2.10/32", via: "172.16.0.2" }]));
    bed.a.send4(ROUTER_MAC, { target: ip("10.9.0.1") }, bytes(8));
    bed.bench.run();
    expect(inside(bed)).toEqual([]);
    expect(say(bed, "show counters").join("\n")).toContain("Dropped, tunnels in tunnels: 1");
  });

  it("is down while the interface with its local address is, and its routes are withdrawn", () => {
    const bed = makeBed(tunnel());
    bed.router.linkChanged(1, false);
    expect(say(bed, "show interfaces").at(-1)).toMatch(/^tun0 +no carrier/);
    expect(say(bed, "show ip route").at(-1)).toMatch(
      /10.9.0.0\/16 +172.16.0.2 +- +1 +gateway not on a subnet/,
    );
    sendInside(bed, undefined, "10.0.1.10");
    bed.bench.run();
    expect(bed.a.received).toEqual([]);
  });

  it("without a route to its remote end drops packets", () => {
    const bed = makeBed(tunnel({ remote: "192.0.2.1" }));
    bed.a.send4(ROUTER_MAC, { target: ip("10.9.0.1") }, bytes(8));
    bed.bench.run();
    expect(say(bed, "show counters").join("\n")).toContain("Dropped, no route: 1");
  });

  it("joins two routers over a third one, for pings and traceroutes through it", () => {
    const bench = new DeviceBench();
    const make = (name: string, mac: number, properties: object): void =>
      bench.add(name, (world) => new Router({ ...specOf(properties, name), mac }, world)).start();
    const end = (own: number, other: number): object => ({
      ports: [{ ipv4: `192.0.${own}.1/24` }],
      interfaces: [
        {
          type: "gre",
          name: "tun0",
          local: `192.0.${own}.1`,
          remote: `192.0.${other}.1`,
          ipv4: `172.16.0.${own}/30`,
        },
        { type: "loopback", name: "lo", ipv4: `10.${own}.0.1/24` },
      ],
      routes: [
        { to: "0.0.0.0/0", via: `192.0.${own}.254` },
        { to: `10.${other}.0.0/24`, via: `172.16.0.${other}` },
      ],
    });
    make("R1", 0x0200_0000_0100, end(1, 2));
    make("R2", 0x0200_0000_0200, end(2, 1));
    make("ISP", 0x0200_0000_0300, { ports: [{ ipv4: "192.0.1.254/24" }, { ipv4: "192.0.2.254/24" }] });
    bench.wire(["R1", 0], ["ISP", 0]);
    bench.wire(["R2", 0], ["ISP", 1]);
    expect(bench.type("R1", "ping 10.2.0.1 -c 2 -S 10.1.0.1")).toContain("2 sent, 2 received, 0% lost");
    expect(bench.type("R1", "ping 10.2.0.1 -c 1 -s 4000 -S 10.1.0.1")).toContain("1 received");
    expect(bench.type("R1", "traceroute 10.2.0.1 -q 1")).toMatch(/ 1 {2}172.16.0.2 {2}[\d.]+ ms\n\n/);
  });
});

describe("the properties of a tunnel", () => {
  const problems = (...interfaces: object[]): string[] => {
    const parsed = parseRouterProperties({ ...TWO_SUBNETS, interfaces });
    return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
  };

  it.each([
    [{ local: undefined }, "interfaces.0.local: must be a string"],
    [{ remote: "R2" }, 'interfaces.0.remote: "R2" is not an IPv4 address'],
    [{ key: -1 }, "interfaces.0.key: must be 0 to 4294967295, not -1"],
    [{ key: 2 ** 32 }, "interfaces.0.key: must be 0 to 4294967295, not 4294967296"],
    [{ ttl: 0 }, "interfaces.0.ttl: must be 1 to 255, not 0"],
    [
      { vlan: 1 },
      "interfaces.0.vlan: is not a known property; known are name, ipv4, ipv6, mtu, dhcp, ra, vrrp, vrf, shutdown, acl_in, acl_out, acl6_in, acl6_out, pbr_policy, ospf, type, local, remote, key, ttl",
    ],
    [
      { local: "10.0.2.2" },
      "interfaces.0.local: 10.0.2.2 is not the address of a port, subinterface or loopback interface",
    ],
    [
      { local: "172.16.0.1" },
      "interfaces.0.local: 172.16.0.1 is not the address of a port, subinterface or loopback interface",
    ],
    [{ remote: "10.0.1.1" }, "interfaces.0.remote: 10.0.1.1 is the router's own address"],
    [{ remote: "172.16.0.2" }, "interfaces.0.remote: 172.16.0.2 is in the tunnel's own subnet 172.16.0.1/30"],
    [
      { dhcp: { first: "172.16.0.2", last: "172.16.0.2" } },
      "interfaces.0.dhcp: a tunnel has no hosts to lease addresses to",
    ],
    [
      { vrrp: [{ id: 1, ipv4: ["172.16.0.2"] }] },
      "interfaces.0.vrrp: VRRP needs Ethernet: a port, a subinterface or an SVI",
    ],
  ])("are rejected with %j", (more, problem) => {
    expect(problems({ ...GRE, ...more })).toContain(problem);
  });

  it("are rejected if another tunnel has the same ends and key", () => {
    const other = { ...GRE, name: "tun1", ipv4: "172.16.1.1/30" };
    expect(problems(GRE, other)).toEqual([
      "interfaces.1.remote: tun0 is a tunnel with the same ends and key",
    ]);
    expect(problems(GRE, { ...other, key: 1 })).toEqual([]);
  });

  it("are set at the console", () => {
    const bed = makeBed();
    expect(say(bed, "interface tun0 gre 10.0.2.1 10.0.2.10 key 4294967295 ttl 64")).toEqual([]);
    expect(say(bed, "ip tun0 172.16.0.1/30")).toEqual([]);
    expect(shownLines(bed).slice(-2)).toEqual([
      "interface tun0 gre 10.0.2.1 10.0.2.10 key 4294967295 ttl 64",
      "tun0: ip address 172.16.0.1/30",
    ]);
    expect(say(bed, "show ip").at(-1)).toMatch(/^tun0 +172.16.0.1\/30 +- +- +- +1472$/);
    expect(say(bed, "interface tun0 loopback")).toEqual([]);
    expect(shownLines(bed).slice(-3)).toEqual([
      "interface tun0 loopback",
      "tun0: mtu 1472",
      "tun0: ip address 172.16.0.1/30",
    ]);
    expect(say(bed, "no interface tun0")).toEqual([]);
  });

  it.each([
    "tun0 gre",
    "tun0 gre 10.0.2.1",
    "tun0 gre 10.0.2.1 10.0.2.10 key",
    "tun0 gre 10.0.2.1 10.0.2.10 tos 1",
    "tun0 gre 10.0.2.1 10.0.2.10 key x",
  ])("are not set by `interface %s`", (words) => {
    expect(say(makeBed(), `interface ${words}`)[0]).toMatch(/^Usage: interface/);
  });
});
