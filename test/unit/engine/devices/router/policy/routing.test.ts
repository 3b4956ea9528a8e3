import { writeU16 } from "@wirelab/engine/base/bytes";
import { Router, type RouterState, routerStateWhenOff } from "@wirelab/engine/devices/router/index";
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6, encodeEthernet } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4, type Ipv4Fields } from "@wirelab/engine/wire/ipv4";
import { encodeIpv6Checked, type Ipv6Fields } from "@wirelab/engine/wire/ipv6";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { bytes, ip, ip6, MAC_A, Probe, ROUTER_MAC, specOf, unwrap4 } from "../probe.ts";

/** Port 0 has a policy. Beyond ports 1 and 2 are gateways; the table of routes leads to port 1. Port 3 is in a VRF. */
const EDGE = {
  ports: [
    { ipv4: "10.0.0.1/24", ipv6: "2001:db8::1/64", pbr_policy: "P" },
    { ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64" },
    { ipv4: "10.0.2.1/24", ipv6: "2001:db8:2::1/64" },
    { ipv4: "10.0.3.1/24", ipv6: "2001:db8:3::1/64", vrf: "Red" },
  ],
  routes: [
    { to: "0.0.0.0/0", via: "10.0.1.2" },
    { to: "::/0", via: "2001:db8:1::2" },
    { to: "203.0.113.0/24", via: "10.0.3.2", vrf: "Red" },
    { to: "192.0.2.0/24", via: "unreachable", vrf: "Red" },
    { to: "2001:db8:9::/48", via: "2001:db8:3::2", vrf: "Red" },
  ],
};

class Edge {
  readonly bench = new DeviceBench();
  readonly router: Router;
  readonly gateways: Probe[];

  constructor(rules: readonly string[], state?: RouterState, properties: object = {}) {
    const maps = rules.length === 0 ? {} : { pbr_maps: [{ name: "P", rules }] };
    const spec = specOf({ ...EDGE, ...maps, ...properties });
    this.router = this.bench.add("R1", (world) => new Router(spec, world, state));
    this.gateways = [0, 1, 2, 3].map((port) => {
      const own = [
        MAC_A + port,
        `10.0.${port}.2`,
        port === 0 ? "2001:db8::2" : `2001:db8:${port}::2`,
      ] as const;
      const probe = this.bench.add(`G${port}`, (world) => new Probe(world, ...own));
      this.bench.wire([`G${port}`, 0], ["R1", port]);
      return probe;
    });
    this.router.start();
  }

  /** @returns the ports where a frame leaves, without ARP, neighbour discovery and pings of the router. */
  ways(frame: Uint8Array, untilUs?: number): number[] {
    const before = this.#counts();
    this.gateways[0]!.send(frame);
    this.bench.run(untilUs);
    return this.#counts().flatMap((count, port) => new Array<number>(count - before[port]!).fill(port));
  }

  #counts(): number[] {
    return this.gateways.map(
      ({ packets4, packets6 }) =>
        packets4.filter(
          ({ header }) => header.source >>> 8 === ip("10.0.0.0") >>> 8 && header.source !== ip("10.0.0.1"),
        ).length + packets6.filter(({ header }) => header.source === ip6("2001:db8::2")).length,
    );
  }

  say(line: string): string[] {
    return this.bench.type("R1", line).split("\n").slice(1, -2);
  }

  get saved(): RouterState {
    return JSON.parse(JSON.stringify(this.router.saveState()));
  }
}

const packet4 = (fields: Partial<Ipv4Fields> = {}, payload = bytes(20)): Uint8Array =>
  encodeEthernet(
    ROUTER_MAC,
    MAC_A,
    ETHERTYPE_IPV4,
    encodeIpv4({ source: ip("10.0.0.2"), target: ip("203.0.113.9"), protocol: 253, ...fields }, payload)[0]!,
  );
const udp4 = (sourcePort: number, targetPort: number, fields: Partial<Ipv4Fields> = {}): Uint8Array =>
  packet4(
    { protocol: 17, ...fields },
    encodeUdp4(ip("10.0.0.2"), ip("203.0.113.9"), { sourcePort, targetPort, data: bytes(24) }),
  );
const packet6 = (fields: Partial<Ipv6Fields> = {}, payload = bytes(20)): Uint8Array =>
  encodeEthernet(
    ROUTER_MAC,
    MAC_A,
    ETHERTYPE_IPV6,
    encodeIpv6Checked(
      { source: ip6("2001:db8::2"), target: ip6("2001:db8:9::9"), nextHeader: 253, ...fields },
      payload,
    ),
  );

describe("policy routing", () => {
  it("sends what a rule matches to its next hop, and the rest by the table of routes", () => {
    const edge = new Edge(["match dst-ip 203.0.113.9 set nexthop 10.0.2.2"]);
    expect(edge.ways(packet4())).toEqual([2]);
    expect(edge.ways(packet4({ target: ip("203.0.113.8") }))).toEqual([1]);
    expect(edge.ways(packet6())).toEqual([1]);
    expect(unwrap4(edge.gateways[2]!.packets4[0]!.frame).header.ttl).toBe(63);
  });

  it("does the same for IPv6", () => {
    const edge = new Edge([
      "match dst-ip 2001:db8:9::/48 ip-protocol 253 set nexthop 2001:db8:2::2",
      "match ip-protocol 252 set drop",
    ]);
    expect(edge.ways(packet6())).toEqual([2]);
    expect(edge.ways(packet6({ nextHeader: 254 }))).toEqual([1]);
    expect(edge.ways(packet6({ nextHeader: 252 }))).toEqual([]);
    expect(edge.ways(packet4({ protocol: 252 }))).toEqual([]);
    expect(edge.saved.counters.drops.policyDropped).toBe(2);
  });

  it.each<[string, Uint8Array, Uint8Array]>([
    ["src-ip 10.0.0.2", packet4(), packet4({ source: ip("10.0.0.3") })],
    ["ip-protocol udp", udp4(1, 2), packet4({ protocol: 6 })],
    ["ip-protocol udp src-port 1000-2000", udp4(1_500, 1), udp4(2_001, 1)],
    ["ip-protocol udp dst-port 53", udp4(1, 53), udp4(53, 1)],
    ["dscp 46", packet4({ typeOfService: 46 * 4 + 3 }), packet4({ typeOfService: 45 * 4 })],
  ])("matches %s", (match, one, other) => {
    const edge = new Edge([`match ${match} set nexthop 10.0.2.2`]);
    expect([edge.ways(one), edge.ways(other)]).toEqual([[2], [1]]);
  });

  it("does not match ports of fragments, so that all of a datagram take one way", () => {
    const edge = new Edge(["match ip-protocol udp dst-port 53 set nexthop 10.0.2.2"]);
    expect(edge.ways(udp4(1, 53, { moreFragments: true }))).toEqual([1]);
    expect(edge.ways(udp4(1, 53, { fragmentOffset: 32 }))).toEqual([1]);
    expect(edge.ways(udp4(1, 53))).toEqual([2]);
    const six = new Edge(["match ip-protocol udp src-port 0-65535 set nexthop 2001:db8:2::2"]);
    const fragment = (place: number): Uint8Array => {
      const payload = Uint8Array.of(17, 0, 0, 0, 0, 0, 0, 7, ...bytes(16));
      writeU16(payload, 2, place);
      return packet6({ nextHeader: 44 }, payload);
    };
    expect([six.ways(fragment(1)), six.ways(fragment(8)), six.ways(fragment(0))]).toEqual([[1], [1], [1]]);
    expect(six.ways(packet6({ nextHeader: 17 }, bytes(24)))).toEqual([2]);
  });

  it("takes the next rule while no next hop of a rule can be used", () => {
    const edge = new Edge(["set nexthop 10.0.2.2", "match dst-ip 203.0.113.9 set drop"]);
    expect(edge.ways(packet4())).toEqual([2]);
    edge.router.linkChanged(2, false);
    expect(edge.ways(packet4())).toEqual([]);
    expect(edge.ways(packet4({ target: ip("203.0.113.8") }))).toEqual([1]);
    edge.router.linkChanged(2, true);
    expect(edge.ways(packet4())).toEqual([2]);
  });

  it("takes the next hop whose tracked address answers", () => {
    const edge = new Edge(["set nexthop 10.0.2.2 track 10.0.2.2 nexthop 10.0.1.9"]);
    edge.bench.run(5_000_000);
    // A probe answers no ping.
    expect(edge.saved.services?.track).toEqual(["10.0.2.2 via 10.0.2.2"]);
    expect(edge.say("show pbr map")).toEqual([
      "  pbr-map P",
      "    Seq: 10, 0 packets",
      "        nexthop 10.0.2.2 track 10.0.2.2",
      "            Installed: no Reason: tracked address down",
      "        nexthop 10.0.1.9",
      "            Installed: yes",
    ]);
    edge.gateways[0]!.send(packet4());
    edge.bench.run(5_500_000);
    const asked = edge.gateways[1]!.received.some((frame) => frame[41] === 9 && frame[21] === 1);
    expect(asked).toBe(true);
    const next = new Edge(["set nexthop 10.0.2.2 track 10.0.2.2 nexthop 10.0.1.9"], edge.saved);
    expect(next.say("show pbr map")[3]).toBe("            Installed: no Reason: tracked address down");
    next.say("pbr-map P seq 10 set nexthop 10.0.2.2");
    expect(next.saved.services?.track).toBeUndefined();
    expect(next.ways(packet4(), 20_000_000)).toEqual([2]);
  });

  it("tracks addresses in the VRF of the interface", () => {
    const [inside, ...others] = EDGE.ports;
    const ports = [{ ...inside, vrf: "Red" }, ...others];
    const edge = new Edge(["set nexthop 10.0.3.2 track 10.0.3.2"], undefined, { ports });
    edge.bench.run(5_000_000);
    expect(edge.gateways[3]!.packets4.some(({ header }) => header.target === ip("10.0.3.2"))).toBe(true);
    expect(edge.say("show pbr map P")[3]).toBe(
      "            Installed: no Reason: tracked address down VRF: Red",
    );
  });

  it("routes by the table of a VRF, and by the next rule where that has no route", () => {
    const edge = new Edge(["set vrf Red", "match dst-ip 198.51.100.1 set nexthop 10.0.2.2"]);
    expect(edge.ways(packet4())).toEqual([3]);
    expect(edge.ways(packet4({ target: ip("198.51.100.1") }))).toEqual([2]);
    expect(edge.ways(packet4({ target: ip("198.51.100.2") }))).toEqual([1]);
    expect(edge.ways(packet4({ target: ip("192.0.2.1") }))).toEqual([]);
    expect(edge.ways(packet6())).toEqual([3]);
    expect(edge.ways(packet6({ target: ip6("2001:db8:8::1") }))).toEqual([1]);
    expect(edge.saved.counters.drops.rejected).toBe(1);
    // The router's own addresses there.
    expect(edge.ways(packet4({ target: ip("10.0.3.1") }))).toEqual([]);
    expect(edge.ways(packet4({ target: ip("10.0.3.255") }))).toEqual([]);
    expect(edge.ways(packet6({ target: ip6("2001:db8:3::1") }))).toEqual([]);
    expect(edge.saved.counters.drops.notForwarded).toBe(3);
  });

  it("routes packets of a VRF by the default table", () => {
    const [inside, ...others] = EDGE.ports;
    const ports = [{ ...inside, vrf: "Blue" }, ...others];
    const edge = new Edge(["set vrf default"], undefined, { ports });
    expect(edge.ways(packet4())).toEqual([1]);
    edge.say("no pbr-policy Ethernet0");
    expect(edge.ways(packet4())).toEqual([]);
  });

  it("uses next hops of the interface's own VRF only", () => {
    const edge = new Edge(["set nexthop 10.0.3.2"]);
    expect(edge.ways(packet4())).toEqual([1]);
    expect(edge.say("show pbr map P")[3]).toBe("            Installed: no Reason: gateway not on a subnet");
    edge.say("vrf Ethernet0 Red");
    expect(edge.ways(packet4())).toEqual([3]);
    expect(edge.say("show pbr map P")[3]).toBe("            Installed: yes VRF: Red");
  });

  it("gives packets a code point, with a right checksum, and keeps the bits of congestion", () => {
    const edge = new Edge(["match ip-protocol 253 set dscp 46 nexthop 10.0.2.2", "set dscp 8"]);
    edge.ways(packet4({ typeOfService: 1 }));
    edge.ways(packet4({ protocol: 252, typeOfService: 0xff }));
    edge.ways(packet6());
    expect(unwrap4(edge.gateways[2]!.packets4[0]!.frame).header.typeOfService).toBe(46 * 4 + 1);
    expect(unwrap4(edge.gateways[1]!.packets4[0]!.frame).header.typeOfService).toBe(8 * 4 + 3);
    const { frame } = edge.gateways[1]!.packets6[0]!;
    expect([frame[14], frame[15]]).toEqual([0x62, 0x00]);
  });

  it("decides neither about packets to the router nor about its own", () => {
    const edge = new Edge(["set drop"]);
    expect(edge.say("ping 10.0.0.1 -c 1").join()).toContain("64 bytes from 10.0.0.1");
    expect(edge.ways(packet4({ target: ip("10.0.1.1") }))).toEqual([]);
    expect(edge.saved.counters.drops.policyDropped).toBeUndefined();
    edge.say("ping 203.0.113.9 -c 1");
    expect(edge.gateways[1]!.packets4.some(({ header }) => header.target === ip("203.0.113.9"))).toBe(true);
  });

  it("does not decide about packets of ports without a map", () => {
    const edge = new Edge(["set drop"]);
    edge.gateways[2]!.send4(ROUTER_MAC + 2, { target: ip("203.0.113.9") }, bytes(20));
    edge.bench.run();
    expect(edge.gateways[1]!.packets4).toHaveLength(1);
  });

  it("reports what the way of a rule does not take", () => {
    const edge = new Edge(["set nexthop 10.0.2.2"]);
    edge.say("mtu Ethernet2 1300");
    edge.ways(packet4({ dontFragment: true }, bytes(1_400)));
    const [error] = edge.gateways[0]!.packets4;
    expect([...error!.payload.subarray(0, 2), ...error!.payload.subarray(6, 8)]).toEqual([
      3,
      4,
      1_300 >> 8,
      1_300 & 255,
    ]);
  });

  it("sees the target that a translation has led a packet to", () => {
    const edge = new Edge(["match dst-ip 10.9.0.9 set nexthop 10.0.2.2"], undefined, {
      nat: { static: [{ out: "Ethernet0", inside: "10.9.0.9", outside: "203.0.113.9" }] },
    });
    expect(edge.ways(packet4())).toEqual([2]);
  });

  it("counts what each rule decided, from run to run", () => {
    const rules = ["match ip-protocol 253 set nexthop 10.0.2.2", "set drop"];
    const edge = new Edge(rules);
    expect(edge.saved.services).toBeUndefined();
    for (const protocol of [253, 252, 253]) edge.ways(packet4({ protocol }));
    expect(edge.saved.services?.pbr).toEqual({ P: [2, 1] });
    const next = new Edge(rules, edge.saved);
    next.ways(packet4());
    next.say("pbr-map P seq 5 match ip-protocol 251 set drop");
    expect(next.saved.services?.pbr).toEqual({ P: [0, 3, 1] });
    expect(next.say("show pbr map P").filter((line) => line.includes("Seq"))).toEqual([
      "    Seq: 5, 0 packets",
      "    Seq: 10, 3 packets",
      "    Seq: 20, 1 packet",
    ]);
    expect(next.say("clear pbr counters")).toEqual([]);
    expect(next.saved.services).toBeUndefined();
  });
});

describe("the console", () => {
  const LINES = [
    "pbr-map P seq 10 match src-ip 10.0.0.0/24 ip-protocol tcp src-port 1 dst-port 80-90 dscp 46 set dscp 0 nexthop 10.0.2.2 track 10.0.2.9 nexthop 10.0.1.2",
    "pbr-map P seq 20 match dst-ip 192.0.2.0/24 set vrf Red",
    "pbr-map P seq 30 match ip-protocol icmpv6 set drop",
    "pbr-map P seq 40 set dscp 8",
    "pbr-map Q seq 10 set nexthop 2001:db8:2::2",
    "pbr-policy Ethernet0 P",
    "pbr-policy Ethernet1 P",
    "pbr-policy lo Q",
  ];
  const withLines = (): Edge => {
    const edge = new Edge([], undefined, {
      ports: EDGE.ports.map(({ ipv4, ipv6 }, index) => ({ ipv4, ipv6, ...(index === 3 && { vrf: "Red" }) })),
      interfaces: [{ type: "loopback", name: "lo" }],
    });
    for (const line of LINES) expect([line, ...edge.say(line)]).toEqual([line]);
    return edge;
  };

  it("prints what makes the same configuration", () => {
    const edge = withLines();
    expect(edge.say("show running-config").slice(-14)).toEqual([
      ...LINES.slice(0, 5),
      ...["interface Ethernet0", " pbr-policy P", "exit", "interface Ethernet1", " pbr-policy P", "exit"],
      ...["interface lo", " pbr-policy Q", "exit"],
    ]);
    const bare = { ports: [{}, {}, {}, {}], routes: [] };
    const again = new Edge([], undefined, bare);
    for (const line of ["configure terminal", ...edge.say("show running-config"), "end"])
      expect([line, ...again.say(line)]).toEqual([line]);
    again.say("write");
    const off = routerStateWhenOff(specOf(bare), again.saved);
    expect(off?.running).toEqual(edge.saved.running);
  });

  it("shows maps in the words of FRR", () => {
    const edge = withLines();
    edge.bench.run(10_000_000);
    expect(edge.say("show pbr map p")).toEqual(["There is no PBR map p: show pbr map lists them"]);
    expect(edge.say("show pbr map P")).toEqual([
      "  pbr-map P",
      "    Seq: 10, 0 packets",
      "        SRC IP Match: 10.0.0.0/24",
      "        IP Protocol Match: tcp",
      "        SRC Port Match: 1",
      "        DST Port Match: 80-90",
      "        DSCP Match: 46",
      "        Set DSCP: 0",
      "        nexthop 10.0.2.2 track 10.0.2.9",
      "            Installed: no Reason: tracked address down",
      "        nexthop 10.0.1.2",
      "            Installed: yes",
      "    Seq: 20, 0 packets",
      "        DST IP Match: 192.0.2.0/24",
      "        VRF Lookup: Red",
      "    Seq: 30, 0 packets",
      "        IP Protocol Match: icmpv6",
      "        Drop",
      "    Seq: 40, 0 packets",
      "        Set DSCP: 8",
    ]);
    expect(edge.say("show pbr map")).toHaveLength(24);
    edge.say("pbr-map P seq 20 set vrf Red dscp 1");
    expect(edge.say("show pbr map P").slice(12, 15)).toEqual([
      "    Seq: 20, 0 packets",
      "        Set DSCP: 1",
      "        VRF Lookup: Red",
    ]);
    expect(edge.say("show pbr interface")).toEqual([
      "  Ethernet0(0) with pbr-policy P",
      "  Ethernet1(1) with pbr-policy P",
      "  lo(4) with pbr-policy Q",
    ]);
  });

  it("takes rules, maps and their uses away", () => {
    const edge = withLines();
    for (const line of ["no pbr-map P seq 20", "no pbr-policy lo", "no pbr-map Q", "no pbr-policy 1"])
      expect([line, ...edge.say(line)]).toEqual([line]);
    expect(edge.say("no pbr-map P")).toEqual(["there is no PBR map P"]);
    edge.say("no pbr-policy 0");
    expect(edge.say("no pbr-map P")).toEqual([]);
    expect(edge.say("show pbr map")).toEqual(["No PBR maps"]);
    expect(edge.say("show pbr interface")).toEqual(["No port has a PBR map"]);
    expect(edge.saved.running.pbrMaps).toBeUndefined();
  });

  it.each([
    ["pbr-map", /^Usage: pbr-map NAME \[seq N\]/],
    ["pbr-map P", /^Usage: pbr-map NAME/],
    ["pbr-map P set", /^the rule ends before what it sets$/],
    ["pbr-map P seq 65535 set drop", undefined],
    ["pbr-map P set nexthop 10.0.7.2", /^the gateway 10.0.7.2 is not on the subnet of any port$/],
    ["no pbr-map", /^Usage: no pbr-map NAME \[seq N\]$/],
    ["no pbr-map P 20", /^Usage: no pbr-map NAME \[seq N\]$/],
    ["no pbr-map P seq", /^Usage: no pbr-map NAME \[seq N\]$/],
    ["no pbr-map P seq 20 now", /^Usage: no pbr-map NAME \[seq N\]$/],
    ["no pbr-map P seq 21", /^The map P has no rule 21$/],
    ["no pbr-map R", /^There is no PBR map R$/],
    ["pbr-policy 0", /^Usage: pbr-policy PORT NAME$/],
    ["pbr-policy 9 P", /^There is no port 9/],
    ["pbr-policy 0 R", /^there is no PBR map R$/],
    ["no pbr-policy 2", /^Ethernet2 has no PBR map$/],
    ["no pbr-policy 0 P", /^Usage: no pbr-policy PORT$/],
  ])("answers `%s`", (line, message) => {
    const edge = withLines();
    const before = edge.saved.running;
    const [answer, ...more] = edge.say(line);
    expect(more).toEqual([]);
    if (message === undefined) {
      expect(answer).toBeUndefined();
      expect(edge.say("pbr-map P set drop")).toEqual(["The map has rule 65535: give the new one a number"]);
      return;
    }
    expect(answer).toMatch(message);
    expect(edge.saved.running).toEqual(before);
  });
});
