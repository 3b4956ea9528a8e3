import { Pc } from "@wirelab/engine/devices/pc/index";
import { Router } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { NO_USAGE } from "../../../../../packages/engine/devices/router/shell/configure.ts";
import { DeviceBench } from "../../../../helpers/engine/device-bench.ts";
import { bytes, ip, ip6, makeBed, ROUTER_MAC, say, shownLines, specOf, TWO_SUBNETS } from "./probe.ts";

const ROUTED = { ...TWO_SUBNETS, routes: [{ to: "10.9.0.0/16", via: "10.0.2.10" }] };
const ECHO6 = Uint8Array.of(128, 0, 0, 0, 0, 1, 0, 1);

describe("a port that is shut down", () => {
  it("receives nothing", () => {
    const bed = makeBed();
    say(bed, "shutdown Ethernet0");
    bed.a.send4(ROUTER_MAC, { target: ip("10.0.1.1"), protocol: 17 }, bytes(8));
    bed.a.send4(ROUTER_MAC, { target: ip("10.0.2.10") }, bytes(8));
    bed.a.send6(ROUTER_MAC, { target: ip6("2001:db8:1::1") }, ECHO6);
    bed.bench.run();
    expect(bed.a.received).toEqual([]);
    expect(bed.b.received).toEqual([]);
    expect(bed.router.saveState().counters.ports[0]).toMatchObject({ framesIn: 0, framesOut: 0 });
  });

  it("sends nothing: its subnets and the gateways on them are unreachable", () => {
    const bed = makeBed(ROUTED);
    say(bed, "shutdown 1");
    for (const target of ["10.0.2.10", "10.0.2.1", "10.9.1.1"])
      bed.a.send4(ROUTER_MAC, { target: ip(target) }, bytes(8));
    bed.bench.run();
    expect(bed.b.received).toEqual([]);
    expect(bed.a.packets4.map(({ payload }) => [...payload.subarray(0, 2)])).toEqual([
      [3, 0],
      [3, 0],
      [3, 0],
    ]);
    expect(say(bed, "show route").map((line) => line.split(" ")[0])).toEqual([
      "Network",
      "10.0.1.0/24",
      "2001:db8:1::/64",
    ]);
  });

  it("drops packets that wait for a neighbour there", () => {
    const bed = makeBed();
    bed.b.answers = false;
    bed.a.send4(ROUTER_MAC, { target: ip("10.0.2.10") }, bytes(8));
    bed.bench.run(500_000);
    say(bed, "shutdown 1");
    bed.b.answers = true;
    say(bed, "no shutdown 1");
    expect(bed.b.packets4).toEqual([]);
    expect(bed.a.packets4).toEqual([]);
  });

  it("leases no addresses, and keeps its leases", () => {
    const bench = new DeviceBench();
    const pool = { first: "10.0.1.100", last: "10.0.1.110" };
    const spec = specOf({ ports: [{ ipv4: "10.0.1.1/24", dhcp: pool }] });
    bench.add("R1", (world) => new Router(spec, world));
    bench.add("PC1", (world) => new Pc({ type: "vpcs", name: "PC1", index: 0, startupScript: "" }, world));
    bench.wire(["R1", 0], ["PC1", 0]);
    expect(bench.type("PC1", "ip dhcp")).toContain("IP 10.0.1.100/24");
    bench.type("R1", "shutdown 0");
    expect(bench.type("PC1", "clear ip", "ip dhcp")).toContain("Can't find dhcp server");
    expect(bench.type("R1", "show dhcp")).toContain("10.0.1.100");
    bench.type("R1", "no shutdown 0");
    expect(bench.type("PC1", "ip dhcp")).toContain("IP 10.0.1.100/24");
  });

  it("is up again with its addresses and routes after `no shutdown`", () => {
    const bed = makeBed(ROUTED);
    const routes = say(bed, "show route");
    say(bed, "shutdown 1");
    say(bed, "no shutdown 1");
    expect(say(bed, "show route")).toEqual(routes);
    bed.a.send4(ROUTER_MAC, { target: ip("10.9.1.1") }, bytes(8));
    bed.bench.run();
    expect(bed.b.packets4.map(({ header }) => header.target)).toEqual([ip("10.9.1.1")]);
  });

  it("is shown with its configuration", () => {
    const bed = makeBed();
    const before = say(bed, "show ip");
    say(bed, "shutdown ethernet1");
    expect(say(bed, "show interfaces")).toEqual([
      "Port       State      IPv4         IPv6              MAC                Frames in  Frames out",
      "Ethernet0  up         10.0.1.1/24  2001:db8:1::1/64  02:00:00:00:01:00  0          0",
      "Ethernet1  shut down  10.0.2.1/24  2001:db8:2::1/64  02:00:00:00:01:01  0          0",
    ]);
    expect(say(bed, "show ip")).toEqual(before);
    expect(shownLines(bed)).toContain("Ethernet1: shutdown");
  });

  it("stays shut down from run to run", () => {
    const bed = makeBed();
    say(bed, "shutdown 1");
    const state = JSON.parse(JSON.stringify(bed.router.saveState()));
    expect(say(makeBed(TWO_SUBNETS, state), "show interfaces")[2]).toMatch(/^Ethernet1 {2}shut down/);
  });

  it("is configured by the property `shutdown`", () => {
    const bed = makeBed({ ports: [{ ipv4: "10.0.1.1/24", shutdown: true }, {}] });
    expect(say(bed, "show route")).toEqual(["No routes"]);
    expect(shownLines(bed)).toEqual(["Ethernet0: ip address 10.0.1.1/24", "Ethernet0: shutdown"]);
  });

  it.each([
    ["shutdown", "Usage: shutdown PORT"],
    ["shutdown 0 1", "Usage: shutdown PORT"],
    ["shutdown Ethernet9", "There is no port Ethernet9: show ip lists the ports"],
    ["no", `Usage: ${NO_USAGE}`],
    ["no shutdown", `Usage: ${NO_USAGE}`],
    ["no ip 0", `Usage: ${NO_USAGE}`],
  ])("rejects `%s` with the reason", (line, complaint) => {
    expect(say(makeBed(), line)).toEqual([complaint]);
  });
});
