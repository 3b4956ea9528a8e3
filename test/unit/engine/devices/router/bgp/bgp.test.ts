/** BGP on routers: sessions over TCP, routes in the table, and what survives a sleep and a lost carrier. */
import type { Router } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { complaints, hasTshark } from "../../../../../helpers/proof/tshark.ts";
import { addRouter, say } from "../rip/chain.ts";

const SECOND_US = 1_000_000;

/** `show route` as "SOURCE DISTANCE NETWORK VIA". */
const routesOf = (bench: DeviceBench, name: string): string[] =>
  say(bench, name, "show route")
    .slice(1)
    .map((line) => line.split(/ {2,}/).slice(0, 4).join(" "));
const bgpRoutesOf = (bench: DeviceBench, name: string): string[] =>
  routesOf(bench, name).filter((line) => line.startsWith("B "));

const later = (bench: DeviceBench, seconds: number): void => bench.run(bench.nowUs + seconds * SECOND_US);

/** The state, or the number of prefixes, of each neighbour. */
const sessionsOf = (bench: DeviceBench, name: string): string[] =>
  say(bench, name, "show ip bgp summary")
    .filter((line) => /^\d+\.\d+\.\d+\.\d+ +4 /.test(line))
    .map((line) => line.split(/ {2,}/))
    .map((cells) => `${cells[0]} ${cells[6]}`);

interface Row {
  readonly bench: DeviceBench;
  readonly routers: Router[];
  readonly properties: readonly object[];
}

/** Routers in a row, each of an AS of its own: R1 has 10.1.0.0/24, each pair 10.0.N.0/24, the last one 10.9.0.0/24. */
function makeRow(count: number, more: (index: number) => object = () => ({})): Row {
  const bench = new DeviceBench();
  const properties = Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1;
    const neighbors: Record<string, object> = {};
    if (index > 0) neighbors[`10.0.${index}.1`] = { remote_as: 65_000 + index };
    if (!isLast) neighbors[`10.0.${index + 1}.2`] = { remote_as: "external" };
    return {
      ports: [
        { ipv4: index === 0 ? "10.1.0.1/24" : `10.0.${index}.2/24` },
        { ipv4: isLast ? "10.9.0.1/24" : `10.0.${index + 1}.1/24` },
      ],
      bgp: {
        as: 65_001 + index,
        ebgp_requires_policy: false,
        neighbors,
        networks: [...(index === 0 ? ["10.1.0.0/24"] : []), ...(isLast ? ["10.9.0.0/24"] : [])],
        ...more(index),
      },
    };
  });
  const routers = properties.map((each, index) => addRouter(bench, index, each));
  for (let index = 1; index < count; index++) bench.wire([`R${index}`, 1], [`R${index + 1}`, 0]);
  for (const router of routers) router.start();
  return { bench, routers, properties };
}

const begunAgain = ({ routers, properties }: Row): DeviceBench => {
  const saved = routers.map((router) => JSON.parse(JSON.stringify(router.saveState())));
  const next = new DeviceBench();
  const resumed = properties.map((each, index) => addRouter(next, index, each, saved[index]));
  for (let index = 1; index < resumed.length; index++) next.wire([`R${index}`, 1], [`R${index + 1}`, 0]);
  for (const router of resumed) router.resume();
  return next;
};

describe("BGP on routers in a row", () => {
  it("has carried all networks when nothing is left to do but keepalives", () => {
    const { bench } = makeRow(4);
    bench.run();
    expect(bench.nowUs).toBeLessThan(5 * SECOND_US);
    expect(routesOf(bench, "R1")).toEqual([
      "C [0/0] 10.1.0.0/24 connected",
      "C [0/0] 10.0.1.0/24 connected",
      "B [20/0] 10.9.0.0/24 10.0.1.2",
    ]);
    expect(bgpRoutesOf(bench, "R3")).toEqual([
      "B [20/0] 10.1.0.0/24 10.0.2.1",
      "B [20/0] 10.9.0.0/24 10.0.3.2",
    ]);
    expect(say(bench, "R1", "show ip bgp").at(-3)).toMatch(
      /^\*> 10\.9\.0\.0\/24 +10\.0\.1\.2 +0 +65002 65003 65004 i$/,
    );
    for (const [old, more] of [
      ["show ip bgp", ""],
      ["show ip bgp summary", " summary"],
    ] as const)
      for (const anew of [`show bgp${more}`, `show bgp ipv4 unicast${more}`])
        expect(say(bench, "R1", anew)).toEqual(say(bench, "R1", old));
    expect(bench.type("R1", "ping 10.9.0.1 -S 10.1.0.1 -c 1")).toContain("64 bytes from 10.9.0.1");
  });

  it("keeps sessions while nothing but keepalives is sent", () => {
    const { bench } = makeRow(2);
    later(bench, 600);
    expect(sessionsOf(bench, "R1")).toEqual(["10.0.1.2 1"]);
    expect(say(bench, "R1", "show ip bgp summary").join("\n")).toMatch(/00:09:5\d/);
  });

  it("goes on after a sleep between two runs: no session begins anew", () => {
    const row = makeRow(3);
    row.bench.run();
    const next = begunAgain(row);
    expect(bgpRoutesOf(next, "R1")).toEqual(["B [20/0] 10.9.0.0/24 10.0.1.2"]);
    later(next, 500);
    expect(bgpRoutesOf(next, "R3")).toEqual(["B [20/0] 10.1.0.0/24 10.0.2.1"]);
    expect(sessionsOf(next, "R2")).toEqual(["10.0.1.1 1", "10.0.2.2 1"]);
    next.type("R1", "configure terminal", "router bgp 65001", "no network 10.1.0.0/24", "end");
    later(next, 1);
    expect(bgpRoutesOf(next, "R3")).toEqual([]);
  });

  it("ends a session with the carrier at once, and opens it again", () => {
    const { bench, routers } = makeRow(3);
    bench.run();
    routers[1]!.linkChanged(1, false);
    later(bench, 1);
    expect(bgpRoutesOf(bench, "R1")).toEqual([]);
    expect(sessionsOf(bench, "R2")).toEqual(["10.0.1.1 1", "10.0.2.2 Active"]);
    routers[1]!.linkChanged(1, true);
    later(bench, 200);
    expect(bgpRoutesOf(bench, "R1")).toEqual(["B [20/0] 10.9.0.0/24 10.0.1.2"]);
  });

  it("lets a run end although a neighbour, to which there is no way back, connects again and again", () => {
    const bench = new DeviceBench();
    const own = { as: 65_001, neighbors: { "10.0.9.1": { remote_as: "internal" } } };
    const other = {
      as: 65_001,
      neighbors: { "10.0.1.1": { remote_as: "internal", update_source: "10.0.9.1" } },
    };
    addRouter(bench, 0, { ports: [{ ipv4: "10.0.1.1/24" }], bgp: own }).start();
    addRouter(bench, 1, { ports: [{ ipv4: "10.0.1.2/24" }, { ipv4: "10.0.9.1/24" }], bgp: other }).start();
    bench.wire(["R1", 0], ["R2", 0]);
    bench.run();
    expect(bench.nowUs).toBeLessThan(200 * SECOND_US);
    later(bench, 600);
    expect(sessionsOf(bench, "R1")).toEqual(["10.0.9.1 Active"]);
  });

  it("ends a session without messages after the hold time", () => {
    const { bench } = makeRow(2, () => ({ keepalive_seconds: 3, hold_seconds: 9 }));
    bench.run();
    bench.begin("R2", "shutdown 0");
    later(bench, 5);
    expect(bgpRoutesOf(bench, "R1")).toEqual(["B [20/0] 10.9.0.0/24 10.0.1.2"]);
    later(bench, 6);
    expect(bgpRoutesOf(bench, "R1")).toEqual([]);
  });

  it("takes its routes away when it is no longer configured", () => {
    const { bench } = makeRow(2);
    bench.run();
    bench.type("R1", "configure terminal", "no router bgp 65001", "end");
    later(bench, 2);
    expect(bgpRoutesOf(bench, "R1")).toEqual([]);
    expect(bgpRoutesOf(bench, "R2")).toEqual([]);
    expect(bench.type("R1", "show ip bgp summary")).toContain("% BGP instance not found");
  });

  it("exchanges no routes with external neighbours without a policy (RFC 8212)", () => {
    const { bench } = makeRow(2, () => ({ ebgp_requires_policy: true }));
    bench.run();
    expect(sessionsOf(bench, "R1")).toEqual(["10.0.1.2 (Policy)"]);
    expect(bgpRoutesOf(bench, "R1")).toEqual([]);
  });

  it("does not keep a run going for a neighbour that is not there", () => {
    const { bench, routers } = makeRow(2);
    routers[1]!.linkChanged(0, false);
    bench.run();
    expect(bench.nowUs).toBeLessThan(200 * SECOND_US);
    expect(sessionsOf(bench, "R1")).toEqual(["10.0.1.2 Connect"]);
  });

  it("is refused by a neighbour that expects another AS", () => {
    const { bench } = makeRow(2, (index) =>
      index === 0 ? { neighbors: { "10.0.1.2": { remote_as: 65_009 } } } : {},
    );
    later(bench, 10);
    expect(sessionsOf(bench, "R1")[0]).toMatch(/Idle|Active|Connect|OpenSent/);
    expect(bgpRoutesOf(bench, "R1")).toEqual([]);
    const why = say(bench, "R1", "show ip bgp neighbors").join("\n");
    expect(why).toContain("Last notification sent: OPEN Message Error/Bad Peer AS");
    expect(say(bench, "R2", "show ip bgp neighbors 10.0.1.1").join("\n")).toContain(
      "Last notification received: OPEN Message Error/Bad Peer AS",
    );
    expect(bench.type("R2", "show ip bgp neighbors 10.9.9.9")).toContain("% No such neighbor: 10.9.9.9");
  });

  it.skipIf(!hasTshark)("sends packets that tshark finds nothing wrong with (skipped without tshark)", () => {
    const { bench } = makeRow(3);
    later(bench, 200);
    expect(complaints(bench.frames)).toEqual([]);
  });
});
