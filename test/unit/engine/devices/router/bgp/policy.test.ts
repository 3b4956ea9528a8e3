/** Policies of neighbours: lists and route maps in both directions, and what changes when they do. */
import { describe, expect, it } from "vitest";
import { DeviceBench } from "../../../../../helpers/engine/device-bench.ts";
import { addRouter, say } from "../rip/chain.ts";

const SECOND_US = 1_000_000;
const later = (bench: DeviceBench, seconds = 5): void => bench.run(bench.nowUs + seconds * SECOND_US);

/** The lines of routes in `show ip bgp`, with one space between cells. */
const tableOf = (bench: DeviceBench, name: string): string[] =>
  say(bench, name, "show ip bgp")
    .filter((line) => /^[* ][>= ][i ]\d/.test(line))
    .map((line) => line.replaceAll(/ +/g, " "));

/** R1 (AS 65001) announces three networks to R2 (AS 65002), which has the lines. */
function pair(lines: string, more = ""): DeviceBench {
  const bench = new DeviceBench();
  const sender = `interface eth0
 ip address 10.0.12.1/24
ip prefix-list ONLY seq 5 permit 10.1.2.0/24
route-map OUT permit 10
 set metric 77
 set as-path prepend 65001 65001
router bgp 65001
 no bgp ebgp-requires-policy
 no bgp network import-check
 neighbor 10.0.12.2 remote-as 65002
 network 10.1.1.0/24
 network 10.1.2.0/24
 network 10.2.0.0/16
${more}`;
  const receiver = `interface eth0
 ip address 10.0.12.2/24
ip prefix-list TEN seq 5 permit 10.1.0.0/16 le 24
bgp as-path access-list LONG seq 5 permit _65009_
bgp as-path access-list ALL seq 5 permit .*
route-map IN permit 10
 match ip address prefix-list TEN
 set local-preference 300
 set weight 9
 set community 65002:1
route-map IN deny 20
router bgp 65002
 neighbor 10.0.12.1 remote-as 65001
${lines}`;
  const routers = [sender, receiver].map((config, index) => addRouter(bench, index, { config }));
  bench.wire(["R1", 0], ["R2", 0]);
  for (const router of routers) router.start();
  later(bench);
  return bench;
}

const ALL = [
  "*> 10.1.1.0/24 10.0.12.1 0 0 65001 i",
  "*> 10.1.2.0/24 10.0.12.1 0 0 65001 i",
  "*> 10.2.0.0/16 10.0.12.1 0 0 65001 i",
];

describe("the policy of a neighbour", () => {
  it("lets routes of an external neighbour in, which needs one (RFC 8212)", () => {
    expect(tableOf(pair(""), "R2")).toEqual([]);
    expect(tableOf(pair(" neighbor 10.0.12.1 filter-list ALL in\n"), "R2")).toEqual(ALL);
  });

  it("refuses routes by their prefixes, and by their paths", () => {
    expect(tableOf(pair(" neighbor 10.0.12.1 prefix-list TEN in\n"), "R2")).toEqual(ALL.slice(0, 2));
    expect(tableOf(pair(" neighbor 10.0.12.1 filter-list LONG in\n"), "R2")).toEqual([]);
    expect(tableOf(pair(" neighbor 10.0.12.1 prefix-list NONE in\n"), "R2")).toEqual([]);
  });

  it("changes routes that come in", () => {
    expect(tableOf(pair(" neighbor 10.0.12.1 route-map IN in\n"), "R2")).toEqual([
      "*> 10.1.1.0/24 10.0.12.1 0 300 9 65001 i",
      "*> 10.1.2.0/24 10.0.12.1 0 300 9 65001 i",
    ]);
    expect(tableOf(pair(" neighbor 10.0.12.1 route-map NONE in\n"), "R2")).toEqual([]);
  });

  it("changes routes that go out, and keeps others back", () => {
    const open = " neighbor 10.0.12.1 filter-list ALL in\n";
    expect(tableOf(pair(open, " neighbor 10.0.12.2 route-map OUT out\n"), "R2")[0]).toBe(
      "*> 10.1.1.0/24 10.0.12.1 77 0 65001 65001 65001 i",
    );
    expect(tableOf(pair(open, " neighbor 10.0.12.2 prefix-list ONLY out\n"), "R2")).toEqual([ALL[1]]);
  });

  it("applies at once when it changes, and the session goes on", () => {
    const bench = pair(" neighbor 10.0.12.1 filter-list ALL in\n");
    const upBefore = say(bench, "R2", "show ip bgp summary");
    bench.type("R2", "configure terminal", "router bgp 65002", "neighbor 10.0.12.1 route-map IN in", "end");
    later(bench);
    expect(tableOf(bench, "R2")).toHaveLength(2);
    bench.type("R2", "configure terminal", "route-map IN permit 10", "set local-preference 50", "end");
    later(bench);
    expect(tableOf(bench, "R2")[0]).toBe("*> 10.1.1.0/24 10.0.12.1 0 50 9 65001 i");
    bench.type(
      "R1",
      "configure terminal",
      "router bgp 65001",
      "neighbor 10.0.12.2 prefix-list ONLY out",
      "end",
    );
    later(bench);
    expect(tableOf(bench, "R2").map((line) => line.split(" ")[1])).toEqual(["10.1.2.0/24"]);
    expect(upBefore.join()).toContain("65001");
    expect(say(bench, "R2", "show ip bgp summary").join()).toMatch(/00:00:1\d/);
  });

  it("is applied anew by clear ip bgp soft without an end of the session", () => {
    const bench = pair(" neighbor 10.0.12.1 filter-list ALL in\n");
    bench.type("R1", "clear ip bgp * soft");
    bench.type("R2", "clear ip bgp 10.0.12.1 soft in");
    later(bench);
    expect(tableOf(bench, "R2")).toEqual(ALL);
    expect(bench.type("R2", "clear ip bgp 10.9.9.9")).toContain('%BGP: Unknown neighbor - "10.9.9.9"');
    bench.type("R2", "clear ip bgp *");
    later(bench, 3);
    expect(tableOf(bench, "R2")).toEqual(ALL);
    expect(say(bench, "R2", "show ip bgp summary").join()).toMatch(/00:00:0\d/);
  });
});
