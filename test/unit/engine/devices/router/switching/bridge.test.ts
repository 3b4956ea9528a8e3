import { Pc } from "@wirelab/engine/devices/pc/index";
import { Router, type RouterState } from "@wirelab/engine/devices/router/index";
import { encodeArp } from "@wirelab/engine/wire/arp";
import { ETHERTYPE_IPV4, encodeEthernet, sourceMac, targetMac } from "@wirelab/engine/wire/ethernet";
import { encodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { BROADCAST_IPV4 } from "@wirelab/engine/wire/ipv4-address";
import { BROADCAST_MAC, formatMac, ipv4MulticastMac } from "@wirelab/engine/wire/mac";
import { encodeUdp4 } from "@wirelab/engine/wire/udp";
import { popTag, pushTag, readTag } from "@wirelab/engine/wire/vlan-tag";
import { describe, expect, it } from "vitest";
import { FrameSlab } from "../../../../../../packages/engine/base/frame-slab.ts";
import { encodeDhcp } from "../../../../../../packages/engine/wire/dhcp.ts";
import { encodeRip, RIP_GROUP } from "../../../../../../packages/engine/wire/rip.ts";
import { BENCH_START_US, DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { bytes, ip, ROUTER_MAC, specOf, unwrap4 } from "../probe.ts";

const SLAB = new FrameSlab();
const tag = (frame: Uint8Array, vlan: number): Uint8Array =>
  pushTag(frame, { etherType: 0x8100, priority: 0, vlan }, SLAB);

/** The switched ports: 1 and 2 in VLAN 10, 3 in VLAN 20, 4 a trunk of both with 99 untagged. Port 0 is routed. */
const CORE = {
  ports: [
    { ipv4: "10.0.0.1/24" },
    { switchport: { vlan: 10 } },
    { switchport: { vlan: 10 } },
    { switchport: { vlan: 20 } },
    { switchport: { mode: "trunk", vlan: 99, allowed: "10,20,99" } },
  ],
  interfaces: [
    { type: "svi", name: "vlan10", ipv4: "10.0.10.1/24" },
    { type: "svi", name: "vlan20", ipv4: "10.0.20.1/24", ipv6: "2001:db8:20::1/64" },
    { type: "svi", name: "vlan30", ipv4: "10.0.30.1/24" },
  ],
};
/** The lowest MAC of a switched port. */
const SVI_MAC = ROUTER_MAC + 1;
const MAC_A = 0x0200_0000_000a;
const MAC_B = 0x0200_0000_000b;

interface Sent {
  readonly port: number;
  readonly frame: Uint8Array;
}

class Core {
  readonly bench = new DeviceBench();
  readonly router: Router;

  constructor(properties: object = CORE, state?: RouterState) {
    this.router = this.bench.add("R1", (world) => new Router(specOf(properties), world, state));
    this.router.start();
  }

  /** @returns what the router sends because of a frame. */
  exchange(port: number, frame: Uint8Array, untilUs?: number): Sent[] {
    const before = this.bench.frames.length;
    this.bench.inject("R1", port, frame);
    this.bench.run(untilUs);
    return this.bench.frames.slice(before).map((each) => ({ port: each.port, frame: each.frame }));
  }

  say(line: string): string[] {
    const lines = this.bench.type("R1", line).split("\n");
    return lines.slice(1, -2);
  }

  get saved(): RouterState {
    return JSON.parse(JSON.stringify(this.router.saveState()));
  }
}

const frameTo = (target: number, source = MAC_A, size = 46): Uint8Array =>
  encodeEthernet(target, source, 0x88b5, bytes(size));
const packetTo = (
  target: string,
  targetMac = SVI_MAC,
  source = "10.0.10.10",
  more: object = {},
): Uint8Array =>
  encodeEthernet(
    targetMac,
    MAC_A,
    ETHERTYPE_IPV4,
    encodeIpv4({ source: ip(source), target: ip(target), protocol: 253, ...more }, bytes(50))[0]!,
  );
const arpFrom = (senderMac: number, senderIp: string, targetIp: string): Uint8Array =>
  encodeArp(BROADCAST_MAC, senderMac, {
    opcode: 1,
    senderMac,
    senderIp: ip(senderIp),
    targetMac: 0,
    targetIp: ip(targetIp),
  });
const where = (sent: readonly Sent[]): string[] =>
  sent.map(({ port, frame }) => `${port}${readTag(frame) ? `.${readTag(frame)!.vlan}` : ""}`);

describe("the switched ports of a router", () => {
  it("flood frames to unknown addresses in their VLAN only, tagged on trunks", () => {
    const core = new Core();
    expect(where(core.exchange(1, frameTo(MAC_B)))).toEqual(["2", "4.10"]);
    expect(where(core.exchange(3, frameTo(BROADCAST_MAC)))).toEqual(["4.20"]);
    expect(where(core.exchange(4, frameTo(MAC_B)))).toEqual([]);
    expect(where(core.exchange(4, tag(frameTo(MAC_B), 20)))).toEqual(["3"]);
  });

  it("send frames to the port where their target was heard, unchanged", () => {
    const core = new Core();
    core.exchange(2, frameTo(BROADCAST_MAC, MAC_B));
    const frame = frameTo(MAC_B);
    expect(core.exchange(1, frame)).toEqual([{ port: 2, frame }]);
    expect(core.exchange(4, tag(frame, 10))).toEqual([{ port: 2, frame }]);
    // Each VLAN learns for itself.
    expect(where(core.exchange(3, frame))).toEqual(["4.20"]);
    // It is behind the port that the frame comes from.
    expect(core.exchange(2, frameTo(MAC_B))).toEqual([]);
  });

  it("forget an address 300 s after its last frame", () => {
    const core = new Core();
    core.exchange(2, frameTo(BROADCAST_MAC, MAC_B));
    expect(core.say("show mac address-table")).toEqual([
      "VLAN  MAC                Port       Expires in",
      "10    02:00:00:00:00:0b  Ethernet2  300 s",
    ]);
    core.bench.run(299_000_000);
    expect(where(core.exchange(1, frameTo(MAC_B), 299_000_001))).toEqual(["2"]);
    core.bench.run(300_000_000);
    expect(where(core.exchange(1, frameTo(MAC_B), 300_000_001))).toEqual(["2", "4.10"]);
    expect(core.say("show mac address-table")).toHaveLength(2);
  });

  it("drop frames of VLANs that they do not carry", () => {
    const core = new Core();
    expect(core.exchange(1, tag(frameTo(MAC_B), 20))).toEqual([]);
    expect(core.exchange(4, tag(frameTo(MAC_B), 30))).toEqual([]);
    expect(core.saved.counters.drops.vlanNotCarried).toBe(2);
    expect(where(core.exchange(1, tag(frameTo(MAC_B), 10)))).toEqual(["2", "4.10"]);
    expect(where(core.exchange(1, tag(frameTo(MAC_B), 0)))).toEqual(["2", "4.10"]);
  });

  it("pass on the frames of a spanning tree, which they do not have", () => {
    const core = new Core();
    expect(where(core.exchange(1, frameTo(0x0180_c200_0000)))).toEqual(["2", "4.10"]);
  });

  it.each([
    ["to an address reserved for bridges", frameTo(0x0180_c200_000e)],
    ["from a group", frameTo(MAC_B, BROADCAST_MAC)],
    ["shorter than a header", new Uint8Array(13)],
  ])("forward no frame %s", (_what, frame) => {
    const core = new Core();
    expect(core.exchange(1, frame)).toEqual([]);
    expect(core.say("show mac address-table")).toEqual(["No addresses"]);
  });

  it("drop frames that are larger than the port's MTU", () => {
    const [routed, first, , ...others] = CORE.ports;
    const core = new Core({
      ...CORE,
      ports: [routed, first, { switchport: { vlan: 10 }, mtu: 100 }, ...others],
    });
    expect(where(core.exchange(1, frameTo(MAC_B, MAC_A, 101)))).toEqual(["4.10"]);
    expect(core.saved.counters.drops.tooBig).toBe(1);
    expect(where(core.exchange(1, frameTo(MAC_B, MAC_A, 100)))).toEqual(["2", "4.10"]);
  });

  it("exchange nothing with routed ports", () => {
    const core = new Core();
    expect(core.exchange(0, frameTo(BROADCAST_MAC))).toEqual([]);
    expect(where(core.exchange(1, frameTo(BROADCAST_MAC)))).toEqual(["2", "4.10"]);
  });

  it("keep what they have learned from run to run, except behind ports that are down or have left the VLAN", () => {
    const core = new Core();
    core.exchange(1, frameTo(BROADCAST_MAC, MAC_A));
    core.exchange(2, frameTo(BROADCAST_MAC, MAC_B));
    expect(core.saved.services?.bridge).toEqual([
      [10, MAC_A, 1, BENCH_START_US],
      [10, MAC_B, 2, BENCH_START_US],
    ]);
    const next = new Core(CORE, core.saved);
    expect(where(next.exchange(3, frameTo(BROADCAST_MAC)))).toEqual(["4.20"]);
    expect(where(next.exchange(1, frameTo(MAC_B)))).toEqual(["2"]);
    next.router.linkChanged(2, false);
    expect(where(next.exchange(1, frameTo(MAC_B)))).toEqual(["4.10"]);
    next.router.linkChanged(2, true);
    expect(where(next.exchange(1, frameTo(MAC_B)))).toEqual(["2", "4.10"]);
    next.say("switchport Ethernet1 access 20");
    expect(next.say("show mac address-table").slice(1)).toEqual([
      "20    02:00:00:00:00:0a  Ethernet3  300 s",
    ]);
    next.say("clear mac address-table");
    expect(next.saved.services).toBeUndefined();
  });
});

describe("an SVI", () => {
  it("routes between its VLAN and others", () => {
    const core = new Core();
    core.exchange(3, arpFrom(MAC_B, "10.0.20.10", "10.0.20.1"));
    const sent = core.exchange(1, packetTo("10.0.20.10"));
    expect(where(sent)).toEqual(["3"]);
    expect([sourceMac(sent[0]!.frame), targetMac(sent[0]!.frame)].map(formatMac)).toEqual(
      [SVI_MAC, MAC_B].map(formatMac),
    );
    expect(unwrap4(sent[0]!.frame).header.ttl).toBe(63);
  });

  it("routes between its VLAN and routed ports", () => {
    const core = new Core();
    core.exchange(0, arpFrom(MAC_B, "10.0.0.10", "10.0.0.1"));
    expect(where(core.exchange(4, tag(packetTo("10.0.0.10"), 10)))).toEqual(["0"]);
  });

  it("answers ARP on every port of its VLAN", () => {
    const core = new Core();
    const sent = core.exchange(4, tag(arpFrom(MAC_A, "10.0.10.10", "10.0.10.1"), 10));
    expect(where(sent)).toEqual(["1", "2", "4.10"]);
    expect(readTag(sent[2]!.frame)).toMatchObject({ vlan: 10, priority: 0 });
    expect(sourceMac(popTag(sent[2]!.frame, SLAB))).toBe(SVI_MAC);
  });

  it("takes no frames of other VLANs to its MAC address", () => {
    const core = new Core();
    core.say("no interface vlan10");
    expect(core.exchange(1, packetTo("10.0.20.1"))).toHaveLength(2);
    expect(core.saved.counters.delivered).toBe(0);
  });

  it("is up while a port of its VLAN is", () => {
    const core = new Core();
    const states = (): string[] =>
      core.say("show vlan").map((line) => line.split(/ {2,}/).slice(0, 3).join(" "));
    expect(states()).toEqual([
      "VLAN Interface State",
      "10 vlan10 up",
      "20 vlan20 up",
      "30 vlan30 down",
      "99 - -",
    ]);
    core.router.linkChanged(1, false);
    core.router.linkChanged(2, false);
    expect(states()[1]).toBe("10 vlan10 up");
    core.router.linkChanged(4, false);
    expect(states()[1]).toBe("10 vlan10 down");
    expect(core.say("show ip route").join()).not.toContain("10.0.10.0/24");
    core.say("shutdown Ethernet3");
    expect(states()[2]).toBe("20 vlan20 down");
    core.router.linkChanged(2, true);
    expect(states()[1]).toBe("10 vlan10 up");
  });

  it("forgets its neighbours when it goes down", () => {
    const core = new Core();
    core.exchange(3, arpFrom(MAC_B, "10.0.20.10", "10.0.20.1"));
    core.router.linkChanged(4, false);
    expect(core.say("show arp")).toHaveLength(2);
    core.router.linkChanged(3, false);
    expect(core.say("show arp")).toEqual(["No neighbours"]);
  });

  it("does not forward when it is shut down, and its VLAN is still switched", () => {
    const core = new Core();
    core.say("shutdown vlan10");
    expect(where(core.exchange(1, arpFrom(MAC_A, "10.0.10.10", "10.0.10.1")))).toEqual(["2", "4.10"]);
    expect(core.saved.counters.ports[5]).toMatchObject({ framesIn: 0, framesOut: 0 });
  });

  it("counts its frames", () => {
    const core = new Core();
    core.exchange(1, arpFrom(MAC_A, "10.0.10.10", "10.0.10.1"));
    const { ports } = core.saved.counters;
    expect(ports.map(({ framesIn, framesOut }) => [framesIn, framesOut])).toEqual([
      [0, 0],
      [1, 1],
      [0, 1],
      [0, 0],
      [0, 1],
      [1, 1],
      [0, 0],
      [0, 0],
    ]);
  });

  it("sends what a link of its VLAN does not take in fragments", () => {
    const core = new Core();
    core.exchange(3, arpFrom(MAC_B, "10.0.20.10", "10.0.20.1"));
    const [sent] = core.exchange(1, packetTo("10.0.20.10"));
    const before = core.bench.frames.length;
    core.router.refused(3, sent!.frame, 44);
    expect(where(core.bench.frames.slice(before))).toEqual(["3", "3", "3"]);
    expect(core.saved.counters.ports[3]).toMatchObject({ framesOut: 4 });
  });

  it("does not answer for a bridged frame that a link does not take", () => {
    const core = new Core();
    core.exchange(2, frameTo(BROADCAST_MAC, MAC_B));
    const [sent] = core.exchange(1, packetTo("10.0.10.11", MAC_B, "10.0.10.10", { dontFragment: true }));
    const before = core.bench.frames.length;
    core.router.refused(2, sent!.frame, 60);
    expect(core.bench.frames).toHaveLength(before);
    expect(core.saved.counters.drops.tooBig).toBe(1);
    expect(core.saved.counters.ports[2]).toMatchObject({ framesOut: 0 });
  });

  it("does not answer for a bridged frame of a VLAN without an SVI that a link does not take", () => {
    const core = new Core();
    core.say("no interface vlan10");
    const [sent] = core.exchange(1, packetTo("10.0.10.11", MAC_B, "10.0.10.10", { dontFragment: true }));
    const before = core.bench.frames.length;
    core.router.refused(2, sent!.frame, 60);
    expect(core.bench.frames).toHaveLength(before);
    expect(core.saved.counters.drops.tooBig).toBe(1);
  });

  it("may be in a VRF, and then reaches interfaces of that VRF only", () => {
    const core = new Core();
    core.say("vrf vlan20 red");
    core.exchange(3, arpFrom(MAC_B, "10.0.20.10", "10.0.20.1"));
    core.exchange(1, arpFrom(MAC_A, "10.0.10.10", "10.0.10.1"));
    const sent = core.exchange(1, packetTo("10.0.20.10"));
    expect(where(sent)).toEqual(["1"]);
    expect(core.saved.counters.drops.noRoute).toBe(1);
    core.say("vrf vlan10 red");
    core.exchange(3, arpFrom(MAC_B, "10.0.20.10", "10.0.20.1"));
    expect(where(core.exchange(1, packetTo("10.0.20.10")))).toEqual(["3"]);
  });

  it("has the virtual address of VRRP on every port of its VLAN", () => {
    const core = new Core();
    core.say("vrrp vlan10 7 ip 10.0.10.254");
    core.bench.run(10_000_000);
    const sent = core.exchange(2, arpFrom(MAC_A, "10.0.10.10", "10.0.10.254"), 10_000_100);
    const reply = sent.find(({ port }) => port === 2)!;
    expect(formatMac(sourceMac(reply.frame))).toBe("00:00:5e:00:01:07");
    core.exchange(3, arpFrom(MAC_B, "10.0.20.10", "10.0.20.1"), 10_000_200);
    const routed = core.exchange(1, packetTo("10.0.20.10", 0x0000_5e00_0107), 10_000_300);
    expect(where(routed)).toEqual(["3"]);
  });

  it("speaks RIP on every port of its VLAN, and learns routes there", () => {
    const core = new Core();
    core.say("router rip network vlan10");
    core.bench.run(1_000_000);
    const asked = core.bench.frames.filter(({ frame }) => frame[readTag(frame) ? 27 : 23] === 17);
    expect(new Set(asked.map(({ port }) => port))).toEqual(new Set([1, 2, 4]));
    const route = {
      family: 2,
      tag: 0,
      network: ip("10.9.0.0"),
      mask: ip("255.255.0.0"),
      nextHop: 0,
      metric: 1,
    };
    const data = encodeRip({ command: 2, version: 2, entries: [route] });
    const udp = encodeUdp4(ip("10.0.10.10"), RIP_GROUP, { sourcePort: 520, targetPort: 520, data });
    const [packet] = encodeIpv4({ source: ip("10.0.10.10"), target: RIP_GROUP, protocol: 17, ttl: 1 }, udp);
    const frame = encodeEthernet(ipv4MulticastMac(RIP_GROUP), MAC_A, ETHERTYPE_IPV4, packet!);
    core.exchange(4, tag(frame, 10), 1_500_000);
    expect(core.say("show ip route").join("\n")).toContain("10.9.0.0/16   10.0.10.10  vlan10");
  });

  it("leases addresses, and passes requests of its VLAN on to a server", () => {
    const discover = encodeDhcp({
      op: 1,
      xid: 1,
      secs: 0,
      flags: 0,
      clientIp: 0,
      yourIp: 0,
      serverIp: 0,
      relayIp: 0,
      clientMac: MAC_A,
      options: [[53, Uint8Array.of(1)]],
    });
    const udp = encodeUdp4(0, BROADCAST_IPV4, { sourcePort: 68, targetPort: 67, data: discover });
    const [packet] = encodeIpv4({ source: 0, target: BROADCAST_IPV4, protocol: 17 }, udp);
    const frame = encodeEthernet(BROADCAST_MAC, MAC_A, ETHERTYPE_IPV4, packet!);
    const leasing = new Core();
    leasing.say("dhcp vlan10 10.0.10.100 10.0.10.110");
    leasing.exchange(1, frame, 3_000_000);
    expect(leasing.say("show dhcp").join()).toContain("10.0.10.100");
    const relaying = new Core();
    relaying.say("dhcp-relay vlan10 10.0.20.10");
    relaying.exchange(3, arpFrom(MAC_B, "10.0.20.10", "10.0.20.1"));
    expect(where(relaying.exchange(1, frame, 3_000_000))).toEqual(["2", "4.10", "3"]);
  });

  it("answers router solicitations of its VLAN, from its own link-local address", () => {
    const bench = new DeviceBench();
    bench.add("R1", (world) => new Router(specOf(CORE), world)).start();
    const pc = { type: "vpcs", name: "PC1", index: 1, startupScript: "" } as const;
    bench.add("PC1", (world) => new Pc(pc, world));
    bench.wire(["PC1", 0], ["R1", 3]);
    expect(bench.type("PC1", "ip auto", "show ipv6")).toContain("2001:db8:20:0:250:79ff:fe66:6801/64");
  });

  it("translates addresses at its edge", () => {
    const core = new Core();
    core.say("ip nat source vlan20 10.0.10.0/24 interface");
    core.exchange(3, arpFrom(MAC_B, "10.0.20.10", "10.0.20.1"));
    const [sent] = core.exchange(1, packetTo("10.0.20.10"));
    expect(unwrap4(sent!.frame).header.source).toBe(ip("10.0.20.1"));
  });
});

describe("the console of a router with switched ports", () => {
  it("lists VLANs with their ports", () => {
    expect(new Core().say("show vlan")).toEqual([
      "VLAN  Interface  State  Ports",
      "10    vlan10     up     Ethernet1, Ethernet2, Ethernet4 (tagged)",
      "20    vlan20     up     Ethernet3, Ethernet4 (tagged)",
      "30    vlan30     down   -",
      "99    -          -      Ethernet4",
    ]);
    const one = new Core({ ports: [{}], interfaces: [{ type: "svi", name: "vlan7" }] });
    expect(one.say("show vlan").slice(1)).toEqual(["7     vlan7      down   -"]);
    one.say("switchport 0 trunk allowed 5,8");
    expect(
      one
        .say("show vlan")
        .slice(1)
        .map((line) => line.split(/ +/, 2).join(" ")),
    ).toEqual(["1 -", "5 -", "7 vlan7", "8 -"]);
    expect(new Core({}).say("show vlan")).toEqual(["No switched ports"]);
  });

  it("lists addresses by VLAN, and then by number", () => {
    const core = new Core();
    for (const [port, mac] of [
      [3, MAC_A],
      [2, MAC_B + 1],
      [1, MAC_B],
    ] as const)
      core.exchange(port, frameTo(BROADCAST_MAC, mac));
    expect(core.say("show mac address-table").slice(1)).toEqual([
      "10    02:00:00:00:00:0b  Ethernet1  300 s",
      "10    02:00:00:00:00:0c  Ethernet2  300 s",
      "20    02:00:00:00:00:0a  Ethernet3  300 s",
    ]);
  });

  it("switches ports and routes them again", () => {
    const core = new Core({ ports: [{}, {}] });
    expect(core.say("switchport 0 access 10")).toEqual([]);
    expect(core.say("switchport 1 trunk native 5 allowed 5,10-12")).toEqual([]);
    expect(core.say("interface vlan10 svi")).toEqual([]);
    expect(core.say("ip vlan10 10.0.10.1/24")).toEqual([]);
    expect(core.say("show running-config")).toEqual([
      ...["interface Ethernet0", " switchport access 10", "exit"],
      ...["interface Ethernet1", " switchport trunk native 5 allowed 5,10-12", "exit"],
      "interface vlan10 svi",
      ...["interface vlan10", " ip address 10.0.10.1/24", "exit"],
    ]);
    expect(where(core.exchange(0, frameTo(MAC_B)))).toEqual(["1.10"]);
    expect(core.say("switchport 1 trunk")).toEqual([]);
    expect(core.say("show running-config")).toContain(" switchport trunk");
    expect(core.say("no switchport Ethernet0")).toEqual([]);
    expect(core.say("no switchport 1")).toEqual([]);
    expect(core.exchange(0, frameTo(MAC_B))).toEqual([]);
    expect(core.saved.services).toBeUndefined();
  });

  it.each([
    ["switchport", "Usage: switchport PORT access VLAN | switchport PORT trunk [native VLAN] [allowed LIST]"],
    [
      "switchport 1",
      "Usage: switchport PORT access VLAN | switchport PORT trunk [native VLAN] [allowed LIST]",
    ],
    [
      "switchport 1 access",
      "Usage: switchport PORT access VLAN | switchport PORT trunk [native VLAN] [allowed LIST]",
    ],
    [
      "switchport 1 access ten",
      "Usage: switchport PORT access VLAN | switchport PORT trunk [native VLAN] [allowed LIST]",
    ],
    [
      "switchport 1 access 10 20",
      "Usage: switchport PORT access VLAN | switchport PORT trunk [native VLAN] [allowed LIST]",
    ],
    [
      "switchport 1 trunk native",
      "Usage: switchport PORT access VLAN | switchport PORT trunk [native VLAN] [allowed LIST]",
    ],
    [
      "switchport 1 trunk native five",
      "Usage: switchport PORT access VLAN | switchport PORT trunk [native VLAN] [allowed LIST]",
    ],
    [
      "switchport 1 trunk vlan 5",
      "Usage: switchport PORT access VLAN | switchport PORT trunk [native VLAN] [allowed LIST]",
    ],
    ["switchport 9 access 1", "There is no port 9: show ip lists the ports"],
    ["switchport 1 access 4095", "vlan must be 1 to 4094, not 4095"],
    ["switchport 1 trunk allowed all", '"all" is not a list of VLANs (10,20,30-39)'],
    [
      "switchport 0 access 10",
      "Ethernet0 is a switched port: the interface vlan10 can have this for its VLAN",
    ],
    ["no switchport 0", "Ethernet0 is not a switched port"],
    ["no switchport 1 access", "Usage: no switchport PORT"],
    [
      "interface vlan10 svi 10",
      "Usage: interface PORT.N vlan ID [outer ID] | interface NAME loopback | interface NAME gre LOCAL REMOTE [key N] [ttl N] | interface vlanN svi | interface NAME vxlan VNI LOCAL [remote ADDR]... [member PORT]... [port N] [ttl N] [ageing SECONDS]",
    ],
    ["interface lan svi", "lan names no VLAN: a switched virtual interface is vlan1 to vlan4094"],
  ])("rejects `%s`", (line, message) => {
    const core = new Core();
    const before = core.saved.running;
    expect(core.say(line)).toEqual([message]);
    expect(core.saved.running).toEqual(before);
  });
});
