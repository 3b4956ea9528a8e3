import { Router } from "@wirelab/engine/devices/router/index";
import { PROTOCOL_UDP } from "@wirelab/engine/wire/ipv4";
import { encodeUdp, encodeUdp4 } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { bytes, ip, ip6, Probe, ROUTER_MAC, say, specOf } from "../probe.ts";

const TARGET = "10.9.0.10";
const TARGET6 = "2001:db8:9::10";
const SENDER = 0;
const GATEWAYS = [1, 2, 3];
const TO_ALL = GATEWAYS.flatMap((net) => [
  { to: "10.9.0.0/16", via: `10.0.${net}.10` },
  { to: "2001:db8:9::/48", via: `2001:db8:${net}::10` },
]);

/** A sender on port 0 and a gateway on each other port. */
function makeBed(properties: object = {}, mac = ROUTER_MAC) {
  const ports = [SENDER, ...GATEWAYS].map((net) => ({
    ipv4: `10.0.${net}.1/24`,
    ipv6: `2001:db8:${net}::1/64`,
  }));
  const bench = new DeviceBench();
  const spec = { ...specOf({ ports, routes: TO_ALL, ...properties }), mac };
  const router = bench.add("R1", (world) => new Router(spec, world));
  const hosts = ports.map((_, net) => {
    const host = bench.add(
      `H${net}`,
      (world) => new Probe(world, 0x0200_0000_000a + net, `10.0.${net}.10`, `2001:db8:${net}::10`),
    );
    bench.wire([`H${net}`, 0], ["R1", net]);
    return host;
  });
  router.start();
  const [sender] = hosts as [Probe];
  const datagram = (sourcePort: number, data = bytes(8)) => ({ sourcePort, targetPort: 7, data });
  return {
    bench,
    router,
    /** Sends a datagram from a port; several packets if it is large. */
    send(sourcePort: number, dataBytes = 8): void {
      const target = ip(TARGET);
      const udp = encodeUdp4(sender.address4, target, datagram(sourcePort, bytes(dataBytes)));
      sender.send4(mac, { target, protocol: PROTOCOL_UDP }, udp);
      bench.run();
    },
    send6(sourcePort: number): void {
      const udp = encodeUdp(datagram(sourcePort), 0);
      sender.send6(mac, { target: ip6(TARGET6), nextHeader: PROTOCOL_UDP }, udp);
      bench.run();
    },
    sendOther(protocol: number, payload: Uint8Array): void {
      sender.send4(mac, { target: ip(TARGET), protocol }, payload);
      bench.run();
    },
    /** How many packets each gateway has received. */
    get counts(): number[] {
      return GATEWAYS.map((net) => hosts[net]!.packets4.length + hosts[net]!.packets6.length);
    },
  };
}

const FLOWS = 600;
const MIN_SHARE = 160;

describe("equal static routes", () => {
  it.each(["send", "send6"] as const)("divide flows among all their gateways (%s)", (send) => {
    const bed = makeBed();
    for (let flow = 0; flow < FLOWS; flow++) bed[send](1024 + flow);
    expect(bed.counts.reduce((sum, count) => sum + count)).toBe(FLOWS);
    expect(Math.min(...bed.counts)).toBeGreaterThan(MIN_SHARE);
  });

  it.each(["send", "send6"] as const)("send all packets of a flow one way (%s)", (send) => {
    const bed = makeBed();
    for (let packet = 0; packet < 10; packet++) bed[send](5_000);
    expect(bed.counts.toSorted((a, b) => a - b)).toEqual([0, 0, 10]);
  });

  it("send all fragments one way, whatever the ports", () => {
    const bed = makeBed();
    for (let flow = 0; flow < 20; flow++) bed.send(1024 + flow, 4_000);
    expect(bed.counts.toSorted((a, b) => a - b)).toEqual([0, 0, 60]);
  });

  it("divide packets of other protocols by addresses and protocol alone", () => {
    const bed = makeBed();
    for (let packet = 0; packet < 10; packet++) bed.sendOther(253, Uint8Array.of(packet, 1, 2, 3));
    expect(bed.counts.toSorted((a, b) => a - b)).toEqual([0, 0, 10]);
  });

  it("are divided in another way by another router, so that flows of one way divide again", () => {
    const [first, second] = [makeBed(), makeBed({}, ROUTER_MAC + 0x100)];
    const wayOf = (bed: typeof first, port: number): number => {
      const before = bed.counts;
      bed.send(port);
      return bed.counts.findIndex((count, way) => count !== before[way]);
    };
    const ports = Array.from({ length: 90 }, (_, flow) => 1024 + flow);
    const same = ports.filter((port) => wayOf(first, port) === 0).map((port) => wayOf(second, port));
    expect(new Set(same)).toEqual(new Set([0, 1, 2]));
  });

  it("leave out a gateway whose port is down", () => {
    const bed = makeBed();
    bed.router.linkChanged(2, false);
    for (let flow = 0; flow < 100; flow++) bed.send(1024 + flow);
    const [one, two, three] = bed.counts as [number, number, number];
    expect([one + three, two]).toEqual([100, 0]);
    expect(Math.min(one, three)).toBeGreaterThan(30);
    expect(say(bed, "show ip route").slice(4)).toEqual([
      expect.stringMatching(/10.9.0.0\/16 +10.0.1.10 +Ethernet1 +1 +in use/),
      expect.stringMatching(/10.9.0.0\/16 +10.0.3.10 +Ethernet3 +1 +in use/),
      expect.stringMatching(/10.9.0.0\/16 +10.0.2.10 +- +1 +gateway not on a subnet/),
    ]);
  });

  it("give way to a lower distance, and replace it together", () => {
    const bed = makeBed({
      routes: [
        { to: "10.9.0.0/16", via: "10.0.1.10", distance: 5 },
        { to: "10.9.0.0/16", via: "10.0.2.10" },
        { to: "10.9.0.0/16", via: "10.0.3.10", distance: 5 },
      ],
    });
    for (let flow = 0; flow < 20; flow++) bed.send(1024 + flow);
    expect(bed.counts).toEqual([0, 20, 0]);
    bed.router.linkChanged(2, false);
    for (let flow = 0; flow < 100; flow++) bed.send(1024 + flow);
    expect(bed.counts[1]).toBe(20);
    expect(Math.min(bed.counts[0]!, bed.counts[2]!)).toBeGreaterThan(30);
  });

  it("are added, listed, saved and removed one by one at the console", () => {
    const bed = makeBed({ routes: [] });
    expect(say(bed, "route add 10.9.0.0/16 via 10.0.1.10")).toEqual([]);
    expect(say(bed, "route add 10.9.0.0/16 via 10.0.2.10")).toEqual([]);
    expect(say(bed, "route add 10.9.0.0/16 via 10.0.2.10")).toEqual([
      "there is this route to 10.9.0.0/16 already",
    ]);
    expect(say(bed, "show route").filter((line) => line.startsWith("10.9"))).toHaveLength(2);
    expect(say(bed, "show run").filter((line) => line.startsWith("ip route"))).toEqual([
      "ip route 10.9.0.0/16 10.0.1.10",
      "ip route 10.9.0.0/16 10.0.2.10",
    ]);
    expect(say(bed, "route del 10.9.0.0/16 via 10.0.3.10")).toEqual([
      "There is no static route to 10.9.0.0/16 via 10.0.3.10",
    ]);
    expect(say(bed, "route del 10.9.0.0/16 via x")).toEqual([
      "x is not an IPv4 or IPv6 address, blackhole or unreachable",
    ]);
    expect(say(bed, "route del 10.9.0.0/16 via 10.0.1.10")).toEqual([]);
    expect(say(bed, "show run").at(-1)).toBe("ip route 10.9.0.0/16 10.0.2.10");
  });

  it("are entered in the words of FRR", () => {
    const bed = makeBed({ routes: [] });
    for (const line of [
      "configure terminal",
      "ip route 10.9.0.0/16 10.0.1.10",
      "ip route 10.9.0.0/16 10.0.2.10",
      "no ip route 10.9.0.0/16 10.0.1.10",
      "ip route 10.9.0.0/16 10.0.3.10",
      "end",
    ])
      expect(say(bed, line)).toEqual([]);
    expect(say(bed, "show run").filter((line) => line.startsWith("ip route"))).toEqual([
      "ip route 10.9.0.0/16 10.0.2.10",
      "ip route 10.9.0.0/16 10.0.3.10",
    ]);
  });

  it("come from another table, if a rule of policy routing names it", () => {
    const port = (net: number, more: object = {}) => ({ ipv4: `10.0.${net}.1/24`, ...more });
    const bed = makeBed({
      ports: [port(0, { pbr_policy: "red" }), ...GATEWAYS.map((net) => port(net, { vrf: "red" }))],
      routes: GATEWAYS.map((net) => ({ to: "10.9.0.0/16", via: `10.0.${net}.10`, vrf: "red" })),
      pbr_maps: [{ name: "red", rules: ["set vrf red"] }],
    });
    for (let flow = 0; flow < FLOWS; flow++) bed.send(1024 + flow);
    expect(Math.min(...bed.counts)).toBeGreaterThan(MIN_SHARE);
  });

  it("keep the connections of a translation on one port, with the address of this port", () => {
    const bed = makeBed({
      nat: {
        source: GATEWAYS.map((net) => ({
          out: `Ethernet${net}`,
          from: "10.0.0.0/24",
          to: "interface",
          overload: true,
        })),
      },
    });
    for (let flow = 0; flow < 60; flow++) {
      bed.send(1024 + flow);
      bed.send(1024 + flow);
    }
    expect(bed.counts.every((count) => count > 0 && count % 2 === 0)).toBe(true);
  });

  it("carry the router's own packets, by flow", () => {
    const bed = makeBed();
    say(bed, `traceroute ${TARGET} -m 2 -q 10`);
    expect(bed.counts.every((count) => count > 0)).toBe(true);
  });
});
