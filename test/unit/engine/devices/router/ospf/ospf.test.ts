/** OSPF on routers: packets on links, routes in the table, and what survives a sleep and a lost carrier. */
import type { Router } from "@wirelab/engine/devices/router/index";
import { decodeIpv4 } from "@wirelab/engine/wire/ipv4";
import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { decodePacket } from "@wirelab/engine/wire/summary";
import { describe, expect, it } from "vitest";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { complaints, hasTshark } from "../../../../../helpers/proof/tshark.ts";
import { addRouter, say } from "../rip/chain.ts";

const SECOND_US = 1_000_000;
const NETWORKS = { "10.0.0.0/8": "0" };

/** `show route` as "SOURCE DISTANCE NETWORK VIA". */
const routesOf = (bench: DeviceBench, name: string): string[] =>
  say(bench, name, "show route")
    .slice(1)
    .map((line) => line.split(/ {2,}/).slice(0, 4).join(" "));

interface Row {
  readonly bench: DeviceBench;
  readonly routers: Router[];
  readonly properties: readonly object[];
}

/** Routers in a row: R1 has 10.1.0.0/24, each pair a subnet 10.0.N.0/24, the last one 10.9.0.0/24. */
function makeRow(count: number, port: object, ospf: (index: number) => object = () => ({})): Row {
  const bench = new DeviceBench();
  const properties = Array.from({ length: count }, (_, index) => {
    const left = index === 0 ? { ipv4: "10.1.0.1/24" } : { ipv4: `10.0.${index}.2/24`, ospf: port };
    const right =
      index === count - 1 ? { ipv4: "10.9.0.1/24" } : { ipv4: `10.0.${index + 1}.1/24`, ospf: port };
    const id = index + 1;
    return {
      ports: [left, right],
      ospf: { router_id: `${id}.${id}.${id}.${id}`, networks: NETWORKS, ...ospf(index) },
    };
  });
  const routers = properties.map((each, index) => addRouter(bench, index, each));
  for (let index = 1; index < count; index++) bench.wire([`R${index}`, 1], [`R${index + 1}`, 0]);
  for (const router of routers) router.start();
  return { bench, routers, properties };
}

const POINT_TO_POINT = { network: "point-to-point" };
const cells = (lines: readonly string[]): string[] =>
  lines.slice(1).map((line) => line.split(/ {2,}/).join(" | "));
const later = (bench: DeviceBench, seconds: number): void => bench.run(bench.nowUs + seconds * SECOND_US);

describe("OSPF on routers in a row", () => {
  it("has found all routes when nothing is left to do but hellos", () => {
    const { bench } = makeRow(4, POINT_TO_POINT);
    bench.run();
    expect(bench.nowUs).toBeLessThan(60 * SECOND_US);
    expect(routesOf(bench, "R1")).toEqual([
      "C [0/0] 10.1.0.0/24 connected",
      "C [0/0] 10.0.1.0/24 connected",
      "O [110/20] 10.0.2.0/24 10.0.1.2",
      "O [110/30] 10.0.3.0/24 10.0.1.2",
      "O [110/40] 10.9.0.0/24 10.0.1.2",
    ]);
    expect(bench.type("R1", "ping 10.9.0.1 -c 1")).toContain("64 bytes from 10.9.0.1");
  });

  it("waits for the election at links of the default type, too", () => {
    const { bench } = makeRow(3, {});
    bench.run();
    expect(say(bench, "R1", "show ip ospf neighbor")[1]).toMatch(
      /^2\.2\.2\.2 +1 +Full\/DR .* 10\.0\.1\.2 +Ethernet1:10\.0\.1\.1 /,
    );
    expect(routesOf(bench, "R1")).toContain("O [110/30] 10.9.0.0/24 10.0.1.2");
  });

  it("goes on after a sleep between two runs: no neighbour begins anew", () => {
    const { bench, routers, properties } = makeRow(3, POINT_TO_POINT);
    bench.run();
    const saved = routers.map((router) => JSON.parse(JSON.stringify(router.saveState())));
    const next = new DeviceBench();
    const resumed = properties.map((each, index) => addRouter(next, index, each, saved[index]));
    next.wire(["R1", 1], ["R2", 0]);
    next.wire(["R2", 1], ["R3", 0]);
    for (const router of resumed) router.resume();
    expect(routesOf(next, "R1")).toContain("O [110/30] 10.9.0.0/24 10.0.1.2");
    later(next, 100);
    expect(routesOf(next, "R3")).toContain("O [110/30] 10.1.0.0/24 10.0.2.1");
    const types = new Set(
      next.frames.map(({ frame }) => decodePacket(frame, frame.length, "DLT_EN10MB").info.split(" of ")[0]),
    );
    expect([...types].sort()).toEqual(["Hello"]);
  });

  it("takes routes away with the carrier, and finds them again", () => {
    const { bench, routers } = makeRow(3, POINT_TO_POINT);
    bench.run();
    routers[1]!.linkChanged(1, false);
    routers[2]!.linkChanged(0, false);
    later(bench, 10);
    expect(routesOf(bench, "R1")).toEqual(["C [0/0] 10.1.0.0/24 connected", "C [0/0] 10.0.1.0/24 connected"]);
    routers[1]!.linkChanged(1, true);
    routers[2]!.linkChanged(0, true);
    later(bench, 20);
    expect(routesOf(bench, "R1")).toContain("O [110/30] 10.9.0.0/24 10.0.1.2");
  });

  it("takes its routes away when it is no longer configured", () => {
    const { bench } = makeRow(2, POINT_TO_POINT);
    bench.run();
    bench.type("R1", "no router ospf");
    expect(bench.type("R1", "show route")).not.toContain("10.9.0.0");
    later(bench, 60);
    expect(say(bench, "R2", "show ip ospf neighbor")).toEqual(["No neighbours"]);
    expect(bench.type("R1", "show ip ospf neighbor")).toContain("OSPF is not configured");
  });

  it("announces connected and static routes, and a default route", () => {
    const announced = {
      redistribute: { connected: { metric: 7 }, static: { metric_type: "1" } },
      default_route: { always: true },
    };
    const { bench } = makeRow(3, POINT_TO_POINT, (index) =>
      index === 2 ? { ...announced, networks: { "10.0.0.0/16": "0" } } : {},
    );
    bench.type("R3", "route add 172.16.0.0/12 blackhole");
    bench.run();
    later(bench, 10);
    expect(routesOf(bench, "R1")).toEqual([
      "C [0/0] 10.1.0.0/24 connected",
      "C [0/0] 10.0.1.0/24 connected",
      "O [110/20] 10.0.2.0/24 10.0.1.2",
      "O E2 [110/7] 10.9.0.0/24 10.0.1.2",
      "O E1 [110/40] 172.16.0.0/12 10.0.1.2",
      "O E2 [110/1] 0.0.0.0/0 10.0.1.2",
    ]);
    expect(cells(say(bench, "R1", "show ip ospf route"))).toContain(
      "N E2 | 10.9.0.0/24 | [20/7] | 0.0.0.0 | 10.0.1.2 Ethernet1",
    );
    expect(cells(say(bench, "R1", "show ip route"))).toContain(
      "O E2 | 10.9.0.0/24 | 10.0.1.2 | Ethernet1 | 110 | in use",
    );
  });

  it("shows its database and its interfaces, and what it refuses", () => {
    const { bench } = makeRow(2, POINT_TO_POINT);
    bench.run();
    const database = say(bench, "R1", "show ip ospf database");
    expect(database[0]).toBe("OSPF Router with ID (1.1.1.1)");
    expect(database.find((line) => line.startsWith("2.2.2.2"))).toMatch(
      /^2\.2\.2\.2 +2\.2\.2\.2 +\d+ +0x8000000\d +0x[0-9a-f]{4} +3 links$/,
    );
    bench.type("R1", "ip ospf hello-interval Ethernet1 3");
    later(bench, 60);
    const shown = say(bench, "R1", "show ip ospf interface").join("\n");
    expect(shown).toContain("Network Type POINTOPOINT, Cost: 10");
    expect(shown).toMatch(/Hello 3s, Dead 12s/);
    expect(shown).toMatch(/Refused packets: hello interval \d/);
    expect(say(bench, "R1", "show ip ospf neighbor")).toEqual([
      "No neighbours",
      expect.stringMatching(/^Ethernet1 has refused packets: hello interval \d+$/),
    ]);
  });

  it("sends packets of TTL 1 with the precedence of internetwork control (appendix A.1)", () => {
    const { bench } = makeRow(2, {});
    bench.run();
    const headers = bench.frames
      .map(({ frame }) => decodeIpv4(frame, 14))
      .filter((each) => each?.protocol === 89);
    expect(headers.length).toBeGreaterThan(10);
    expect(new Set(headers.map((each) => `${each?.ttl} ${each?.typeOfService}`))).toEqual(new Set(["1 192"]));
    const targets = new Set(headers.map((each) => formatIpv4(each!.target)));
    expect([...targets].sort()).toEqual(["10.0.1.1", "10.0.1.2", "224.0.0.5"]);
  });

  it.skipIf(!hasTshark)(
    "sends nothing that tshark calls malformed (skipped where it is not installed)",
    () => {
      const { bench } = makeRow(3, {}, () => ({
        redistribute: { connected: {} },
        default_route: { always: true },
      }));
      bench.run();
      later(bench, 20);
      const frames = bench.frames.map(({ atUs, frame, from }) => ({ atUs, frame, from }));
      expect(frames.length).toBeGreaterThan(50);
      expect(complaints(frames)).toEqual([]);
    },
  );
});
