import { parseRouterProperties, Router } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { DeviceBench } from "../../../../helpers/engine/device-bench.ts";
import { bytes, ip, ip6, makeBed, Probe, ROUTER_MAC, say, specOf } from "./probe.ts";

const side = (net: number, vrf?: string): object => ({
  ipv4: `10.0.${net}.1/24`,
  ipv6: `2001:db8:${net}::1/64`,
  ...(vrf && { vrf }),
});
/** Two VRFs with the same addresses, and the default table with one subnet of them. */
const PROPERTIES = {
  ports: [side(1, "red"), side(2, "red"), side(1, "blue"), side(2, "blue"), side(1)],
  routes: [
    { to: "10.9.0.0/16", via: "10.0.2.10", vrf: "red" },
    { to: "10.9.0.0/16", via: "blackhole", vrf: "blue" },
  ],
};

function makeVrfBed() {
  const bench = new DeviceBench();
  const router = bench.add("R1", (world) => new Router(specOf(PROPERTIES), world));
  const probes = [1, 2, 1, 2, 1].map((net, index) => {
    const make = (world: ConstructorParameters<typeof Probe>[0]): Probe =>
      new Probe(world, 0x0200_0000_000a + index, `10.0.${net}.10`, `2001:db8:${net}::10`);
    const probe = bench.add(`P${index}`, make);
    bench.wire([`P${index}`, 0], ["R1", index]);
    return probe;
  });
  router.start();
  return { bench, router, probes };
}

const packets = (probes: readonly Probe[]): number[] =>
  probes.map(({ packets4, packets6 }) => packets4.length + packets6.length);

describe("VRFs of a router", () => {
  it("forward between their own interfaces, whatever addresses others have", () => {
    const { bench, probes } = makeVrfBed();
    probes[0]!.send4(ROUTER_MAC, { target: ip("10.0.2.10") }, bytes(8));
    probes[2]!.send6(
      ROUTER_MAC + 2,
      { target: ip6("2001:db8:2::10") },
      Uint8Array.of(128, 0, 0, 0, 0, 1, 0, 1),
    );
    bench.run();
    expect(packets(probes)).toEqual([0, 1, 0, 1, 0]);
  });

  it("have no way to each other or to the default table: errors return by the VRF of the packet", () => {
    const { bench, probes } = makeVrfBed();
    probes[4]!.send4(ROUTER_MAC + 4, { target: ip("10.0.2.10") }, bytes(8));
    bench.run();
    expect(packets(probes)).toEqual([0, 0, 0, 0, 1]);
    expect(probes[4]!.packets4[0]!.payload[0]).toBe(3);
    probes[2]!.send4(ROUTER_MAC + 2, { target: ip("192.0.2.1") }, bytes(8));
    probes[3]!.send6(
      ROUTER_MAC + 3,
      { target: ip6("2001:db8:77::1") },
      Uint8Array.of(128, 0, 0, 0, 0, 1, 0, 1),
    );
    bench.run();
    expect(packets(probes)).toEqual([0, 0, 1, 1, 1]);
  });

  it("have routes of their own", () => {
    const { bench, probes } = makeVrfBed();
    for (const index of [0, 2, 4])
      probes[index]!.send4(ROUTER_MAC + index, { target: ip("10.9.0.1") }, bytes(8));
    bench.run();
    expect(packets(probes)).toEqual([0, 1, 0, 0, 1]);
  });

  it("have addresses of their own: pings are answered in the VRF, TCP is reset there", () => {
    const { bench, probes } = makeVrfBed();
    const echo = Uint8Array.of(8, 0, 0xf7, 0xfd, 0, 1, 0, 1);
    probes[0]!.send4(ROUTER_MAC, { target: ip("10.0.2.1"), protocol: 1 }, echo);
    probes[2]!.send4(ROUTER_MAC + 2, { target: ip("10.0.1.1"), protocol: 1 }, echo);
    bench.run();
    expect(packets(probes)).toEqual([1, 0, 1, 0, 0]);
    // The default table has no 10.0.2.1.
    probes[4]!.send4(ROUTER_MAC + 4, { target: ip("10.0.2.1"), protocol: 1 }, echo);
    bench.run();
    expect(probes[4]!.packets4[0]!.payload[0]).toBe(3);
  });

  it("have neighbours of their own", () => {
    const { bench } = makeVrfBed();
    bench.type("R1", "ping 10.0.1.10 -c 1", "ping 10.0.1.10 -c 1 -V red", "ping 10.0.1.10 -c 1 -V blue");
    expect(bench.type("R1", "show arp").match(/10.0.1.10 .*/g)).toEqual([
      expect.stringContaining("02:00:00:00:00:0a  Ethernet0"),
      expect.stringContaining("02:00:00:00:00:0c  Ethernet2"),
      expect.stringContaining("02:00:00:00:00:0e  Ethernet4"),
    ]);
  });

  it("are where `ping -V` and `traceroute -V` send to", () => {
    const { bench, probes } = makeVrfBed();
    bench.type("R1", "ping 10.0.2.10 -c 1 -V blue", "ping 2001:db8:2::10 -c 1 -V red");
    expect(packets(probes)).toEqual([0, 1, 0, 1, 0]);
    expect(bench.type("R1", "ping 10.0.2.10 -c 1")).toContain("no route");
    expect(bench.type("R1", "ping 10.0.2.1 -c 1 -V red")).toContain("1 received");
    expect(bench.type("R1", "ping 10.0.1.10 -c 1 -V green")).toContain(
      "there is no VRF green: show vrf lists them",
    );
    expect(bench.type("R1", "ping 10.0.1.10 -c 1 -V red -S 10.0.3.1")).toContain(
      "not an address of this router",
    );
    bench.type("R1", "traceroute 10.0.2.10 -q 1 -m 1 -V red");
    expect(packets(probes)).toEqual([0, 2, 0, 1, 0]);
  });

  it("are listed with their interfaces and routes", () => {
    const { bench } = makeVrfBed();
    expect(bench.type("R1", "show vrf")).toMatch(
      /VRF +Interfaces\nred +Ethernet0 Ethernet1\nblue +Ethernet2 Ethernet3\n/,
    );
    expect(bench.type("R1", "show ip route vrf blue").match(/^10.*/gm)).toEqual([
      expect.stringMatching(/^10.0.1.0\/24 +connected +Ethernet2 /),
      expect.stringMatching(/^10.0.2.0\/24 +connected +Ethernet3 /),
      expect.stringMatching(/^10.9.0.0\/16 +blackhole /),
    ]);
    expect(bench.type("R1", "show ipv6 route vrf red")).toMatch(/2001:db8:1::\/64 +connected +Ethernet0/);
    expect(bench.type("R1", "show route").match(/^10.*/gm)).toEqual([
      expect.stringMatching(/^10.0.1.0\/24 +connected +Ethernet4/),
    ]);
    expect(bench.type("R1", "show ip route vrf green")).toContain("There is no VRF green");
  });

  it("are set at the console, and take the neighbours of an interface with them", () => {
    const bed = makeBed();
    say(bed, "ping 10.0.1.10 -c 1");
    expect(say(bed, "show vrf")).toEqual(["No VRFs"]);
    expect(say(bed, "vrf 0 red")).toEqual([]);
    expect(say(bed, "show arp")).toEqual(["No neighbours"]);
    expect(say(bed, "route add 10.9.0.0/16 via 10.0.1.10 vrf red")).toEqual([]);
    expect(say(bed, "route del 10.9.0.0/16")).toEqual(["There is no static route to 10.9.0.0/16"]);
    expect(say(bed, "vrf 0 none")).toEqual([
      "the gateway 10.0.1.10 is not on the subnet of any port",
      "no interface is in the VRF red",
    ]);
    expect(say(bed, "route del 10.9.0.0/16 vrf red")).toEqual([]);
    expect(say(bed, "vrf 0 none")).toEqual([]);
    expect(say(bed, "vrf 0")).toEqual(["Usage: vrf PORT NAME|none"]);
  });

  it.each([
    [{ ports: [{ vrf: "a b" }] }, 'ports.0.vrf: "a b" is not a name of up to 15 letters, digits, . _ -'],
    [
      { ports: [{ vrf: "averylongname016" }] },
      'ports.0.vrf: "averylongname016" is not a name of up to 15 letters, digits, . _ -',
    ],
    [
      {
        ports: [
          { ipv4: "10.0.1.1/24", vrf: "red" },
          { ipv4: "10.0.1.2/24", vrf: "red" },
        ],
      },
      "ports.1.ipv4: the subnet of 10.0.1.2/24 overlaps that of port 0, 10.0.1.1/24",
    ],
    [
      { ports: [{ ipv4: "10.0.1.1/24", vrf: "red" }], routes: [{ to: "10.9.0.0/16", via: "10.0.1.2" }] },
      "routes.0.via: the gateway 10.0.1.2 is not on the subnet of any port",
    ],
    [
      { ports: [{}], routes: [{ to: "10.9.0.0/16", via: "blackhole", vrf: "red" }] },
      "routes.0.vrf: no interface is in the VRF red",
    ],
    [
      {
        ports: [{ ipv4: "10.0.1.1/24", vrf: "red" }],
        interfaces: [{ type: "gre", name: "t", local: "10.0.1.1", remote: "10.0.1.2" }],
      },
      "interfaces.0.local: 10.0.1.1 is not the address of a port, subinterface or loopback interface",
    ],
  ])("are rejected if they are %j", (properties, problem) => {
    const parsed = parseRouterProperties(properties);
    expect(
      parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`),
    ).toContain(problem);
  });
});
