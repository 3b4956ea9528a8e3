/** RIP between routers: RFC 2453, sections 3.7 to 3.10. */

import { decodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { decodeUdp } from "@wirelab/engine/wire/udp";
import { describe, expect, it } from "vitest";
import { decodeRip, RIP_GROUP, RIP_RESPONSE, type Rip } from "../../../../../../packages/engine/wire/rip.ts";
import type { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { addRouter, makeChain, RIP, routesOf, say } from "./chain.ts";

const SECOND_US = 1_000_000;

interface Sent extends Rip {
  readonly atUs: number;
  readonly from: string;
  readonly port: number;
  readonly toGroup: boolean;
}

/** The messages of RIP that were sent since a time. */
const messages = (bench: DeviceBench, fromUs = 0): Sent[] =>
  bench.frames.flatMap(({ atUs, from, port, frame }) => {
    const header = decodeIpv4(frame, 14);
    const udp = header && decodeUdp(frame.subarray(34));
    if (atUs < fromUs || udp?.targetPort !== 520) return [];
    return [{ ...decodeRip(udp.data)!, atUs, from, port, toGroup: header!.target === RIP_GROUP }];
  });

const entriesOf = ({ entries }: Rip): string[] =>
  entries.map(({ network, metric }) => `${formatIpv4(network)} ${metric}`);

const responses = (bench: DeviceBench, from: string, port: number, fromUs = 0): Sent[] =>
  messages(bench, fromUs).filter(
    (each) => each.from === from && each.port === port && each.command === RIP_RESPONSE,
  );

describe("RIP on routers in a row", () => {
  it("brings every subnet to every router, with the number of routers as metric", () => {
    const { bench } = makeChain(4);
    bench.run();
    expect(routesOf(bench, "R1")).toEqual([
      "C [0/0] 10.1.0.0/24 connected",
      "C [0/0] 10.0.1.0/24 connected",
      "R [120/2] 10.0.2.0/24 10.0.1.2",
      "R [120/3] 10.0.3.0/24 10.0.1.2",
      "R [120/4] 10.9.0.0/24 10.0.1.2",
    ]);
    expect(say(bench, "R4", "ping 10.1.0.1 -c 1").join()).toContain("1 received");
  });

  it("is shown by show ip rip and show ip rip status", () => {
    const { bench } = makeChain(2);
    bench.run(3 * SECOND_US);
    expect(say(bench, "R1", "show ip rip")).toMatchInlineSnapshot(`
      [
        "Codes: R - RIP, C - connected, S - static",
        "       (n) - of a neighbour, (i) - a port of RIP, (r) - redistributed, (d) - default",
        "",
        "Code  Network      Next Hop  Metric  From      Tag  Time",
        "C(i)  10.0.1.0/24  0.0.0.0   1       self      0",
        "C(i)  10.1.0.0/24  0.0.0.0   1       self      0",
        "R(n)  10.9.0.0/24  10.0.1.2  2       10.0.1.2  0    02:58",
      ]
    `);
    expect(say(bench, "R1", "show ip rip status")).toMatchInlineSnapshot(`
      [
        "Routing Protocol is "rip"",
        "  Sending updates every 30 seconds, next due in 32 seconds",
        "  Timeout after 180 seconds, garbage collect after 120 seconds",
        "  Split horizon: poisoned-reverse",
        "  Redistributing: none",
        "  Ports:",
        "    Port       Send  Recv",
        "    Ethernet0  2     2",
        "    Ethernet1  2     2",
        "  Routing for Networks:",
        "    10.0.0.0/8",
        "  Routing Information Sources:",
        "    Gateway   BadPackets  BadRoutes  Last Update",
        "    10.0.1.2  0           0          00:00:01",
        "  Distance: 120",
      ]
    `);
  });

  it("sends its table every 30 s, give or take 5, and not at the same time as another router", () => {
    const { bench } = makeChain(2);
    bench.run(600 * SECOND_US);
    const times = responses(bench, "R1", 1, 10 * SECOND_US).map(({ atUs }) => atUs);
    const gaps = times.slice(1).map((atUs, index) => atUs - times[index]!);
    expect(gaps.length).toBeGreaterThan(15);
    for (const gap of gaps) {
      expect(gap).toBeGreaterThanOrEqual(25 * SECOND_US);
      expect(gap).toBeLessThanOrEqual(35 * SECOND_US);
    }
    expect(new Set(gaps).size).toBe(gaps.length);
    const others = responses(bench, "R2", 0, 10 * SECOND_US).map(({ atUs }) => atUs);
    expect(others.slice(0, 3)).not.toEqual(times.slice(0, 3));
  });

  it("reports to a neighbour that its own routes are unreachable this way", () => {
    const { bench } = makeChain(3);
    bench.run(60 * SECOND_US);
    expect(entriesOf(responses(bench, "R2", 0, 20 * SECOND_US).at(-1)!)).toEqual([
      "10.0.2.0 1",
      "10.1.0.0 16",
      "10.9.0.0 2",
    ]);
  });

  it.each([
    ["simple", ["10.0.2.0 1", "10.9.0.0 2"]],
    ["off", ["10.0.2.0 1", "10.1.0.0 2", "10.9.0.0 2"]],
  ])("with split horizon %s leaves the poison out", (split_horizon, wanted) => {
    const { bench } = makeChain(3, () => ({ ...RIP, split_horizon }));
    bench.run(60 * SECOND_US);
    expect(entriesOf(responses(bench, "R2", 0, 20 * SECOND_US).at(-1)!)).toEqual(wanted);
  });

  it("announces a lost subnet as unreachable at once, forgets it after 120 s", () => {
    const { bench, routers } = makeChain(3);
    bench.run(20 * SECOND_US);
    routers[2]!.linkChanged(1, false);
    bench.run(24.999 * SECOND_US);
    expect(routesOf(bench, "R1")).not.toContain("R [120/3] 10.9.0.0/24 10.0.1.2");
    const lost = responses(bench, "R3", 0, 20 * SECOND_US)[0]!;
    expect([lost.atUs, entriesOf(lost)]).toEqual([20 * SECOND_US, ["10.9.0.0 16"]]);
    expect(say(bench, "R1", "show ip rip").join("\n")).toMatch(
      /10\.9\.0\.0\/24 +10\.0\.1\.2 +16 +10\.0\.1\.2/,
    );
    bench.run(146 * SECOND_US);
    expect(say(bench, "R1", "show ip rip").join("\n")).not.toContain("10.9.0.0");
    routers[2]!.linkChanged(1, true);
    bench.run(152 * SECOND_US);
    expect(routesOf(bench, "R1")).toContain("R [120/3] 10.9.0.0/24 10.0.1.2");
  });

  it("waits 1 to 5 s between two triggered updates", () => {
    const { bench, routers } = makeChain(2);
    bench.run(10 * SECOND_US);
    const fromUs = 10 * SECOND_US;
    routers[0]!.linkChanged(0, false);
    routers[0]!.linkChanged(0, true);
    bench.run(16 * SECOND_US);
    const [first, second, ...more] = responses(bench, "R1", 1, fromUs);
    expect(more).toEqual([]);
    expect([entriesOf(first!), entriesOf(second!)]).toEqual([["10.1.0.0 16"], ["10.1.0.0 1"]]);
    const gapUs = second!.atUs - first!.atUs;
    expect(gapUs).toBeGreaterThanOrEqual(SECOND_US);
    expect(gapUs).toBeLessThanOrEqual(5 * SECOND_US);
  });

  it("loses the routes of a neighbour that is silent for 180 s", () => {
    const { bench } = makeChain(3);
    bench.run(20 * SECOND_US);
    const last = responses(bench, "R2", 0).at(-1)!.atUs;
    // The cable loses what R2 sends, and keeps its carrier.
    bench.wire(["R2", 0], ["R2", 9]);
    bench.run(last + 179 * SECOND_US);
    expect(routesOf(bench, "R1")).toContain("R [120/3] 10.9.0.0/24 10.0.1.2");
    bench.run(last + 181 * SECOND_US);
    expect(routesOf(bench, "R1")).toEqual(["C [0/0] 10.1.0.0/24 connected", "C [0/0] 10.0.1.0/24 connected"]);
    expect(say(bench, "R1", "show ip rip status").join("\n")).not.toContain("10.0.1.2");
    bench.run(last + 302 * SECOND_US);
    expect(say(bench, "R1", "show ip rip").join("\n")).not.toContain("10.9.0.0");
  });

  it("counts to infinity without split horizon, and stops at 16", () => {
    const off = makeChain(3, () => ({ ...RIP, split_horizon: "off" }));
    off.bench.run(40 * SECOND_US);
    const metric = (name: string): string | undefined =>
      routesOf(off.bench, name).find((line) => line.includes("10.9.0.0"));
    expect(metric("R2")).toBe("R [120/2] 10.9.0.0/24 10.0.2.2");
    // R2 loses the cable to R3. R1 does not hear of it, and announces its way, which leads through R2.
    off.bench.wire(["R2", 0], ["R2", 9]);
    off.routers[1]!.linkChanged(1, false);
    off.bench.run(76 * SECOND_US);
    expect(metric("R2")).toBe("R [120/4] 10.9.0.0/24 10.0.1.1");
    off.bench.wire(["R2", 0], ["R1", 1]);
    off.bench.run(300 * SECOND_US);
    expect([metric("R1"), metric("R2")]).toEqual([undefined, undefined]);
    const counted = responses(off.bench, "R2", 0, 76 * SECOND_US)
      .flatMap(({ entries }) => entries.filter(({ network }) => formatIpv4(network) === "10.9.0.0"))
      .map((entry) => entry.metric);
    expect([...new Set(counted)]).toEqual([4, 6, 8, 10, 12, 14, 16]);
  });

  it("sends nothing from a passive port but to its neighbors, and still learns there", () => {
    const { bench } = makeChain(2, (index) =>
      index === 0 ? { ...RIP, passive: ["Ethernet1"], neighbors: ["10.0.1.2"] } : RIP,
    );
    bench.run(40 * SECOND_US);
    const sent = messages(bench).filter(({ from, port }) => from === "R1" && port === 1);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.map(({ toGroup }) => toGroup)).not.toContain(true);
    expect(routesOf(bench, "R1")).toContain("R [120/2] 10.9.0.0/24 10.0.1.2");
    expect(routesOf(bench, "R2")).toContain("R [120/2] 10.1.0.0/24 10.0.1.1");
  });

  it("redistributes static and connected routes with metric and tag, and a default", () => {
    const { bench } = makeChain(1);
    const make = (index: number, properties: object) => addRouter(bench, index, properties);
    const rip = {
      networks: ["Ethernet0"],
      redistribute: { static: { metric: 5, tag: 77 }, connected: {} },
      default_route: true,
    };
    const one = make(1, {
      ports: [{ ipv4: "10.0.1.1/24" }, { ipv4: "192.168.1.1/24" }],
      routes: [
        { to: "172.16.0.0/16", via: "192.168.1.2" },
        { to: "172.17.0.0/16", via: "10.0.1.9" },
      ],
      rip,
    });
    const other = make(2, { ports: [{ ipv4: "10.0.1.2/24" }], rip: RIP });
    bench.wire(["R2", 0], ["R3", 0]);
    one.start();
    other.start();
    bench.run();
    expect(routesOf(bench, "R3")).toEqual([
      "C [0/0] 10.0.1.0/24 connected",
      "R [120/2] 192.168.1.0/24 10.0.1.1",
      "R [120/6] 172.16.0.0/16 10.0.1.1",
      // The gateway of this one is on the subnet: it is the next hop.
      "R [120/6] 172.17.0.0/16 10.0.1.9",
      "R [120/2] 0.0.0.0/0 10.0.1.1",
    ]);
    expect(say(bench, "R3", "show ip rip").find((line) => line.includes("172.16"))).toMatch(/ 77 /);
  });

  it("prefers a static route, and a connected one", () => {
    const { bench } = makeChain(2);
    bench.run();
    expect(say(bench, "R1", "route add 10.9.0.0/24 via 10.1.0.9")).toEqual([]);
    expect(routesOf(bench, "R1")).toContain("S [1/0] 10.9.0.0/24 10.1.0.9");
    say(bench, "R1", "route del 10.9.0.0/24");
    expect(routesOf(bench, "R1")).toContain("R [120/2] 10.9.0.0/24 10.0.1.2");
  });

  it("takes more routes than fit into one message", () => {
    const { bench } = makeChain(2, () => ({ ...RIP, redistribute: { static: {} } }));
    const lines = Array.from({ length: 60 }, (_, index) => `route add 172.16.${index}.0/24 via 10.1.0.9`);
    bench.run();
    bench.type("R1", ...lines);
    bench.run(bench.nowUs + 36 * SECOND_US);
    expect(routesOf(bench, "R2").filter((line) => line.includes("172.16"))).toHaveLength(60);
    expect(Math.max(...messages(bench).map(({ entries }) => entries.length))).toBe(25);
  });

  it("begins and ends with a command", () => {
    const { bench } = makeChain(2);
    bench.run();
    expect(say(bench, "R1", "no router rip")).toEqual([]);
    expect(say(bench, "R1", "show ip rip")).toEqual(["RIP is not configured"]);
    expect(say(bench, "R1", "show ip rip status")).toEqual(["RIP is not configured"]);
    expect(say(bench, "R1", "show route").join("\n")).not.toContain("10.9.0.0");
    expect(say(bench, "R1", "router rip network 10.0.0.0/8")).toEqual([]);
    bench.run();
    expect(routesOf(bench, "R1")).toContain("R [120/2] 10.9.0.0/24 10.0.1.2");
  });

  it("loses the routes of a port at which it ends", () => {
    const { bench } = makeChain(2, () => ({ networks: ["Ethernet0", "Ethernet1"] }));
    bench.run();
    expect(say(bench, "R1", "no router rip network Ethernet1")).toEqual([]);
    expect(routesOf(bench, "R1")).toEqual(["C [0/0] 10.1.0.0/24 connected", "C [0/0] 10.0.1.0/24 connected"]);
  });

  it("announces the address of a loopback interface, and sends nothing there", () => {
    const { bench } = makeChain(1);
    const lo = { name: "lo", type: "loopback", ipv4: "10.255.0.1/32" };
    const one = addRouter(bench, 1, { ports: [{ ipv4: "10.0.1.1/24" }], interfaces: [lo], rip: RIP });
    const other = addRouter(bench, 2, { ports: [{ ipv4: "10.0.1.2/24" }], rip: RIP });
    bench.wire(["R2", 0], ["R3", 0]);
    one.start();
    other.start();
    bench.run(40 * SECOND_US);
    expect(routesOf(bench, "R3")).toContain("R [120/2] 10.255.0.1/32 10.0.1.1");
    expect(one.saveState().counters.ports[1]).toMatchObject({ framesOut: 0 });
    expect(say(bench, "R2", "show ip rip status")).toContainEqual(expect.stringMatching(/lo +none +2/));
  });

  it("runs over subinterfaces, whose numbers change when one of them is removed", () => {
    const { bench } = makeChain(1);
    const trunk = (host: number) => ({
      ports: [{}, { ipv4: `10.${host}.0.1/24` }],
      interfaces: [10, 20].map((vlan) => ({
        name: `Ethernet0.${vlan}`,
        vlan,
        ipv4: `10.0.${vlan}.${host}/24`,
      })),
      rip: RIP,
    });
    const routers = [addRouter(bench, 1, trunk(1)), addRouter(bench, 2, trunk(2))];
    bench.wire(["R2", 0], ["R3", 0]);
    for (const router of routers) router.start();
    bench.run();
    expect(routesOf(bench, "R2")).toContain("R [120/2] 10.2.0.0/24 10.0.10.2");
    for (const name of ["R2", "R3"]) expect(say(bench, name, "no interface Ethernet0.10")).toEqual([]);
    bench.run(bench.nowUs + 6 * SECOND_US);
    expect(routesOf(bench, "R2")).toContain("R [120/2] 10.2.0.0/24 10.0.20.2");
    expect(say(bench, "R2", "ping 10.2.0.1 -c 1").join()).toContain("1 received");
  });

  it("keeps nothing in the state of a router without it", () => {
    const { routers } = makeChain(1);
    expect(routers[0]!.saveState().services).toBeDefined();
    const { bench } = makeChain(1);
    const plain = addRouter(bench, 5, { ports: [{}] });
    expect(Object.keys(plain.saveState())).not.toContain("services");
    expect(Object.keys(plain.saveState().running)).toEqual(["ports", "routes"]);
  });

  it("continues with a saved state, with the time that was left of its timers", () => {
    const first = makeChain(2);
    first.bench.run(20 * SECOND_US);
    const saved = first.routers[0]!.saveState();
    expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);
    const { services } = saved;
    expect(services!.rip!.routes.find(([network]) => formatIpv4(network) === "10.9.0.0")).toBeDefined();
    const second = makeChain(1);
    const properties = { ports: [{ ipv4: "10.1.0.1/24" }, { ipv4: "10.0.1.1/24" }], rip: RIP };
    const router = addRouter(second.bench, 7, properties, saved);
    router.resume();
    expect(routesOf(second.bench, "R8")).toContain("R [120/2] 10.9.0.0/24 10.0.1.2");
    second.bench.run(services!.rip!.nextUpdateInUs - 1);
    expect(responses(second.bench, "R8", 1)).toEqual([]);
    second.bench.run(services!.rip!.nextUpdateInUs);
    expect(responses(second.bench, "R8", 1)).toHaveLength(1);
    second.bench.run(181 * SECOND_US);
    expect(routesOf(second.bench, "R8").join()).not.toContain("10.9.0.0");
  });
});
