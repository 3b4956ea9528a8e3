import { Pc } from "@wirelab/engine/devices/pc/index";
import { Router, type RouterState } from "@wirelab/engine/devices/router/index";
import { EthernetSwitch } from "@wirelab/engine/devices/switch/index";
import { decodeArp, encodeArp } from "@wirelab/engine/wire/arp";
import { encodeEthernet, etherType, sourceMac, targetMac } from "@wirelab/engine/wire/ethernet";
import { decodeNeighbour, encodeNeighbour } from "@wirelab/engine/wire/icmpv6";
import { decodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { decodeIpv6 } from "@wirelab/engine/wire/ipv6";
import { solicitedNode } from "@wirelab/engine/wire/ipv6-address";
import { BROADCAST_MAC, formatMac, ipv6MulticastMac } from "@wirelab/engine/wire/mac";
import { describe, expect, it } from "vitest";
import { encodeVrrp4 } from "../../../../../../packages/engine/wire/vrrp.ts";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { type Bed, bytes, ip, ip6, MAC_A, makeBed, ROUTER_MAC, say, specOf, unwrap4 } from "../probe.ts";

const VMAC4 = 0x5e00_0107;
const VMAC6 = 0x5e00_0207;
const SECOND = 1_000_000;

const gateway = (vrrp: object, more: object = {}) => ({
  ports: [
    { ipv4: "10.0.1.1/24", ipv6: "2001:db8:1::1/64", vrrp: [{ id: 7, ...vrrp }] },
    { ipv4: "10.0.2.1/24", ipv6: "2001:db8:2::1/64" },
  ],
  ...more,
});
const V4 = { ipv4: ["10.0.1.254"] };
const V6 = { ipv6: ["fe80::7", "2001:db8:1::254"] };

/** A router that is the master of virtual router 7. */
function master(vrrp: object): Bed {
  const bed = makeBed(gateway(vrrp));
  bed.bench.run(4 * SECOND);
  expect(say(bed, "show vrrp")[1]).toContain("master");
  return bed;
}

const arpFor = (bed: Bed, target: string): void =>
  bed.a.send(
    encodeArp(BROADCAST_MAC, MAC_A, {
      opcode: 1,
      senderMac: MAC_A,
      senderIp: ip("10.0.1.10"),
      targetMac: 0,
      targetIp: ip(target),
    }),
  );

describe("the master of a virtual router", () => {
  it("advertises itself from the virtual MAC address to the group, and announces its addresses", () => {
    const { a } = master(V4);
    const [advertisement, gratuitous] = a.received as [Uint8Array, Uint8Array];
    expect([formatMac(targetMac(advertisement)), sourceMac(advertisement)]).toEqual([
      "01:00:5e:00:00:12",
      VMAC4,
    ]);
    const { header, payload } = unwrap4(advertisement);
    expect(header).toMatchObject({
      source: ip("10.0.1.1"),
      target: ip("224.0.0.18"),
      ttl: 255,
      protocol: 112,
    });
    expect(payload[0]).toBe(0x31);
    expect([targetMac(gratuitous), sourceMac(gratuitous)]).toEqual([BROADCAST_MAC, VMAC4]);
    expect(decodeArp(gratuitous)).toMatchObject({
      opcode: 1,
      senderMac: VMAC4,
      senderIp: ip("10.0.1.254"),
      targetIp: ip("10.0.1.254"),
    });
  });

  it("advertises itself over IPv6 from its link-local address, and sends unsolicited neighbour advertisements", () => {
    const { a } = master(V6);
    const [advertisement, ...announced] = a.received as [Uint8Array, ...Uint8Array[]];
    expect([formatMac(targetMac(advertisement)), sourceMac(advertisement)]).toEqual([
      "33:33:00:00:00:12",
      VMAC6,
    ]);
    expect(decodeIpv6(advertisement, 14)).toMatchObject({
      source: ip6("fe80::ff:fe00:100"),
      target: ip6("ff02::12"),
      hopLimit: 255,
      nextHeader: 112,
    });
    expect(announced.slice(0, 2).map((frame) => decodeNeighbour(frame.subarray(54)))).toEqual(
      ["fe80::7", "2001:db8:1::254"].map((address) => ({
        type: 136,
        flags: 0xa000_0000,
        target: ip6(address),
        mac: VMAC6,
      })),
    );
  });

  it("answers ARP for its addresses with the virtual MAC address", () => {
    const bed = master(V4);
    bed.a.received.length = 0;
    arpFor(bed, "10.0.1.254");
    arpFor(bed, "10.0.1.1");
    bed.bench.run();
    expect(bed.a.received.map((frame) => [decodeArp(frame)!.senderIp, decodeArp(frame)!.senderMac])).toEqual([
      [ip("10.0.1.254"), VMAC4],
      [ip("10.0.1.1"), ROUTER_MAC],
    ]);
  });

  it("answers neighbour solicitations for its addresses with the virtual MAC address", () => {
    const bed = master(V6);
    bed.a.received.length = 0;
    for (const target of ["fe80::7", "2001:db8:1::254"]) {
      const group = solicitedNode(ip6(target));
      const message = encodeNeighbour({ type: 135, flags: 0, target: ip6(target), mac: MAC_A });
      bed.a.send6(ipv6MulticastMac(group), { target: group, hopLimit: 255 }, message);
    }
    bed.bench.run();
    expect(bed.a.discovery.map(({ payload }) => decodeNeighbour(payload)?.mac)).toEqual([VMAC6, VMAC6]);
  });

  it("forwards frames to the virtual MAC address", () => {
    const bed = master(V4);
    bed.a.send4(VMAC4, { target: ip("10.0.2.10") }, bytes(8));
    bed.bench.run();
    expect(bed.b.packets4).toHaveLength(1);
  });

  it.each([
    [true, 1],
    [false, 0],
  ])("answers pings of a virtual address: %j", (accept, answers) => {
    const echo = Uint8Array.of(8, 0, 0xf7, 0xfd, 0, 1, 0, 1);
    const four = master({ ...V4, accept });
    four.a.send4(VMAC4, { target: ip("10.0.1.254"), protocol: 1 }, echo);
    four.bench.run();
    expect(four.a.packets4.filter(({ header }) => header.protocol === 1)).toHaveLength(answers);
    const six = master({ ...V6, accept });
    six.a.received.length = 0;
    six.a.send6(VMAC6, { target: ip6("fe80::7") }, Uint8Array.of(128, 0, 0, 0, 0, 1, 0, 1));
    six.a.send6(VMAC6, { target: ip6("2001:db8:1::254") }, Uint8Array.of(128, 0, 0, 0, 0, 1, 0, 2));
    six.bench.run();
    expect(six.a.packets6.filter(({ payload }) => payload[0] === 129)).toHaveLength(2 * answers);
  });

  it("that owns the addresses sends its ARP requests from the virtual MAC address", () => {
    const bed = makeBed(gateway({ ipv4: ["10.0.1.1"] }));
    say(bed, "ping 10.0.1.10 -c 1");
    expect(say(bed, "show vrrp")[1]).toMatch(/Ethernet0 +7 +IPv4 +master +255 /);
    const requests = bed.a.received.flatMap((frame) => decodeArp(frame) ?? []);
    expect(requests.map(({ senderMac }) => senderMac)).toEqual([VMAC4, VMAC4]);
  });

  it("answers router solicitations for the virtual router, and a backup does not", () => {
    const solicit = (bed: Bed): number[][] => {
      bed.a.received.length = 0;
      bed.a.send6(
        ipv6MulticastMac(ip6("ff02::2")),
        { target: ip6("ff02::2"), hopLimit: 255, source: ip6("fe80::a") },
        Uint8Array.of(133, 0, 0, 0, 0, 0, 0, 0),
      );
      bed.bench.run(bed.bench.nowUs + 1_000);
      return bed.a.received
        .filter((frame) => frame[54] === 134)
        .map((frame) => [sourceMac(frame), Number(decodeIpv6(frame, 14)!.source & 0xffffn)]);
    };
    expect(solicit(master(V6))).toEqual([[VMAC6, 7]]);
    expect(solicit(makeBed(gateway(V6)))).toEqual([]);
  });
});

describe("a backup of a virtual router", () => {
  it("neither answers for the addresses nor takes frames to the virtual MAC address", () => {
    const bed = makeBed(gateway(V4));
    arpFor(bed, "10.0.1.254");
    bed.a.send4(VMAC4, { target: ip("10.0.2.10") }, bytes(8));
    bed.bench.run(SECOND);
    expect(bed.a.received).toEqual([]);
    expect(bed.b.received).toEqual([]);
  });

  /** An advertisement of 10.0.1.10, as it is or changed. */
  const advertise = (
    bed: Bed,
    priority: number,
    change: (packet: Uint8Array) => Uint8Array = (packet) => packet,
    ttl = 255,
  ): void => {
    const packet = encodeVrrp4({ id: 7, priority, intervalCs: 100 }, [ip("10.0.1.254")], ip("10.0.1.10"));
    bed.a.send4(0x0100_5e00_0012, { target: ip("224.0.0.18"), protocol: 112, ttl }, change(packet));
  };

  it("stays one while it hears a master with more priority", () => {
    const bed = makeBed(gateway(V4));
    for (let second = 0; second < 10; second += 1) {
      bed.bench.run(second * SECOND);
      advertise(bed, 200);
    }
    bed.bench.run(10 * SECOND);
    expect(say(bed, "show vrrp")[1]).toMatch(
      /backup +100 +1000 ms +10.0.1.10 +00:00:5e:00:01:07 +10.0.1.254$/,
    );
    expect(bed.a.received).toEqual([]);
  });

  it.each([
    ["a hop limit below 255", undefined, 254, "malformed packets"],
    ["a wrong checksum", (packet: Uint8Array) => packet.fill(9, 6, 7), 255, "malformed packets"],
    ["version 2", (packet: Uint8Array) => packet.fill(0x21, 0, 1), 255, "malformed packets"],
  ])("ignores advertisements with %s", (_what, change, ttl, reason) => {
    const bed = makeBed(gateway(V4));
    for (let second = 0; second < 4; second += 1) {
      bed.bench.run(second * SECOND);
      advertise(bed, 200, change, ttl);
    }
    bed.bench.run(4 * SECOND);
    expect(say(bed, "show vrrp")[1]).toContain("master");
    expect(say(bed, "show counters").join()).toContain(`Dropped, ${reason}: 4`);
  });

  it("ignores advertisements of a virtual router that it is not in", () => {
    const bed = makeBed(gateway({ ...V4, id: 8 }));
    advertise(bed, 200);
    bed.bench.run(SECOND);
    expect(say(bed, "show counters").join()).toContain("frames for another station or protocol: 1");
  });
});

/** Two gateways of PC1, with their uplinks to a third router, R3, which has the network behind. */
function pair(one: object = {}, other: object = {}): DeviceBench {
  const bench = new DeviceBench();
  const routes = (via: string) => [{ to: "10.9.0.0/16", via }];
  const make = (name: string, mac: number, properties: object): void =>
    bench.add(name, (world) => new Router({ ...specOf(properties, name), mac }, world)).start();
  const side = (host: number, net: number, vrrp: object): object => ({
    ports: [{ ipv4: `10.0.1.${host}/24`, vrrp: [{ id: 7, ...V4, ...vrrp }] }, { ipv4: `10.0.${net}.1/24` }],
    routes: routes(`10.0.${net}.3`),
  });
  make("R1", 0x0200_0000_0100, side(1, 11, { priority: 150, ...one }));
  make("R2", 0x0200_0000_0200, side(2, 12, other));
  make("R3", 0x0200_0000_0300, {
    ports: [{ ipv4: "10.0.11.3/24" }, { ipv4: "10.0.12.3/24" }],
    interfaces: [{ type: "loopback", name: "lo", ipv4: "10.9.0.1/32" }],
    routes: [
      { to: "10.0.1.0/24", via: "10.0.11.1" },
      { to: "10.0.1.0/24", via: "10.0.12.1", distance: 5 },
    ],
  });
  const ports = Array.from({ length: 3 }, () => ({ type: "access", vlan: 1, etherType: 0x8100 }) as const);
  bench.add("SW", (world) => new EthernetSwitch({ type: "ethernet_switch", name: "SW", ports }, world));
  bench.add("PC1", (world) => new Pc({ type: "vpcs", name: "PC1", index: 1, startupScript: "" }, world));
  for (const [index, name] of ["R1", "R2", "PC1"].entries()) bench.wire([name, 0], ["SW", index]);
  bench.wire(["R1", 1], ["R3", 0]);
  bench.wire(["R2", 1], ["R3", 1]);
  bench.run(5 * SECOND);
  bench.type("PC1", "ip 10.0.1.10/24 10.0.1.254");
  return bench;
}

const states = (bench: DeviceBench): (string | undefined)[] =>
  ["R1", "R2"].map((name) =>
    /(master|backup|initialize) +(\d+)/.exec(bench.type(name, "show vrrp"))?.[0].replace(/ +/, " "),
  );
const pings = (bench: DeviceBench): boolean =>
  bench.type("PC1", "ping 10.9.0.1 -c 1").includes("84 bytes from");
const later = (bench: DeviceBench, seconds: number): void => bench.run(bench.nowUs + seconds * SECOND);

describe("two routers of a virtual router", () => {
  it("have one master, the one with more priority", () => {
    const bench = pair();
    expect(states(bench)).toEqual(["master 150", "backup 100"]);
    expect(pings(bench)).toBe(true);
  });

  it("with the same priority have the one with the higher address as the master", () => {
    expect(states(pair({ priority: 100 }))).toEqual(["backup 100", "master 100"]);
  });

  it("change the master when its interface goes down, and back when that is up, if preemption is on", () => {
    const bench = pair();
    bench.type("R1", "shutdown 0");
    later(bench, 4);
    expect(states(bench)).toEqual(["initialize 150", "master 100"]);
    bench.type("R1", "no shutdown 0");
    later(bench, 5);
    expect(states(bench)).toEqual(["master 150", "backup 100"]);
    expect(pings(bench)).toBe(true);
  });

  it("keep the master that took over if preemption is off", () => {
    const bench = pair({ preempt: false });
    bench.type("R1", "shutdown 0");
    later(bench, 4);
    bench.type("R1", "no shutdown 0");
    later(bench, 5);
    expect(states(bench)).toEqual(["backup 150", "master 100"]);
  });

  it("change the master when its uplink goes down, by the decrement", () => {
    const bench = pair({ track: { interface: "Ethernet1", decrement: 60 } });
    expect(states(bench)).toEqual(["master 150", "backup 100"]);
    bench.type("R1", "shutdown 1");
    bench.type("R3", "shutdown 0");
    later(bench, 5);
    expect(states(bench)).toEqual(["backup 90", "master 100"]);
    expect(pings(bench)).toBe(true);
    bench.type("R1", "no shutdown 1");
    bench.type("R3", "no shutdown 0");
    later(bench, 5);
    expect(states(bench)).toEqual(["master 150", "backup 100"]);
    expect(pings(bench)).toBe(true);
  });

  it("change the master within the skew when it is removed at the console, and not by more", () => {
    const bench = pair();
    const at = bench.nowUs;
    bench.type("R1", "no vrrp 0 7");
    bench.run(at + 700_000);
    expect(bench.type("R2", "show vrrp")).toContain("this router");
  });

  it("never have less than priority 1 by what they track", () => {
    const bench = pair({ track: { interface: "Ethernet1", decrement: 254 } });
    bench.type("R1", "shutdown 1");
    later(bench, 5);
    expect(states(bench)[0]).toBe("backup 1");
  });
});

describe("the state of virtual routers", () => {
  it("continues from run to run", () => {
    const bed = master({ ...V4, ...V6 });
    const state = JSON.parse(JSON.stringify(bed.router.saveState())) as RouterState;
    expect(Object.keys(state.services!.vrrp!)).toEqual(["Ethernet0 7 ipv4", "Ethernet0 7 ipv6"]);
    const bench = new DeviceBench();
    const router = bench.add("R1", (world) => new Router(specOf(gateway({ ...V4, ...V6 })), world, state));
    router.resume();
    expect(bench.type("R1", "show vrrp").match(/this router/g)).toHaveLength(2);
    expect(router.saveState().services).toEqual(state.services);
    bench.run(SECOND);
    expect(
      bench.frames.filter(
        ({ frame }) => etherType(frame) === 0x0800 && decodeIpv4(frame, 14)?.protocol === 112,
      ),
    ).toHaveLength(1);
  });

  it("is absent without one, also after the last is removed", () => {
    const bed = master(V4);
    expect(say(bed, "no vrrp Ethernet0 7")).toEqual([]);
    expect(bed.router.saveState()).not.toHaveProperty("services");
    expect(bed.router.saveState().running.ports[0]).not.toHaveProperty("vrrp");
    expect(say(bed, "show vrrp")).toEqual(["No virtual routers"]);
    bed.a.received.length = 0;
    arpFor(bed, "10.0.1.254");
    bed.bench.run(bed.bench.nowUs + 5 * SECOND);
    expect(bed.a.received).toEqual([]);
  });

  it("works on a subinterface, apart from others with the same number", () => {
    const interfaces = [10, 20].map((vlan) => ({
      name: `Ethernet0.${vlan}`,
      vlan,
      ipv4: `10.0.${vlan}.1/24`,
      vrrp: [{ id: 7, ipv4: [`10.0.${vlan}.254`], priority: 100 + vlan }],
    }));
    const bed = makeBed({ ports: [{}, {}], interfaces });
    bed.bench.run(4 * SECOND);
    expect(
      say(bed, "show vrrp")
        .slice(1)
        .map((line) => line.split(/ {2,}/).filter((_, index) => [0, 3, 4].includes(index))),
    ).toEqual([
      ["Ethernet0.10", "master", "110"],
      ["Ethernet0.20", "master", "120"],
    ]);
    // A ping of another subnet, to the virtual MAC address, with a tag.
    const [packet] = [encodeEthernet(VMAC4, MAC_A, 0x8100, Uint8Array.of(0, 10, 8, 6, ...bytes(28)))];
    bed.a.send(packet!);
    expect(say(bed, "no interface Ethernet0.10")).toEqual([]);
    expect(say(bed, "show vrrp")[1]).toContain("Ethernet0.20");
  });
});
