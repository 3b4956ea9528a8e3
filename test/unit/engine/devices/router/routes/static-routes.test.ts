import { parseRouterProperties } from "@wirelab/engine/devices/router/index";
import { describe, expect, it } from "vitest";
import { bytes, ip, ip6, makeBed, ROUTER_MAC, say, TWO_SUBNETS } from "../probe.ts";

const ECHO6 = Uint8Array.of(128, 0, 0, 0, 0, 1, 0, 1);
const withRoutes = (...routes: object[]) => makeBed({ ...TWO_SUBNETS, routes });

/** `path: message` of each problem. */
const problems = (routes: unknown, more: object = {}): string[] => {
  const parsed = parseRouterProperties({ ...TWO_SUBNETS, ...more, routes });
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
};

describe("static routes", () => {
  it("with the lowest distance apply; the next one does when the gateway's port goes down", () => {
    const bed = withRoutes(
      { to: "10.9.0.0/16", via: "10.0.2.10", distance: 20 },
      { to: "10.9.0.0/16", via: "10.0.1.10" },
    );
    expect(say(bed, "show ip route").slice(3)).toEqual([
      expect.stringMatching(/10.9.0.0\/16 +10.0.1.10 +Ethernet0 +1 +in use/),
      expect.stringMatching(/10.9.0.0\/16 +10.0.2.10 +- +20 +standby/),
    ]);
    bed.router.linkChanged(0, false);
    expect(say(bed, "show ip route").slice(2)).toEqual([
      expect.stringMatching(/10.9.0.0\/16 +10.0.2.10 +Ethernet1 +20 +in use/),
      expect.stringMatching(/10.9.0.0\/16 +10.0.1.10 +- +1 +gateway not on a subnet/),
    ]);
    bed.router.linkChanged(0, true);
    expect(say(bed, "show route").find((line) => line.startsWith("10.9"))).toContain("10.0.1.10");
  });

  it.each([
    ["blackhole", "10.9.1.1", [], "Dropped, blackhole routes: 1"],
    ["unreachable", "10.9.1.1", [[3, 1]], "Dropped, unreachable routes: 1"],
  ])("to %s drop IPv4 packets", (via, target, errors, counted) => {
    const bed = withRoutes({ to: "10.9.0.0/16", via });
    bed.a.send4(ROUTER_MAC, { target: ip(target) }, bytes(8));
    bed.bench.run();
    expect(bed.a.packets4.map(({ payload }) => [...payload.subarray(0, 2)])).toEqual(errors);
    expect(say(bed, "show counters")).toContain(counted);
    expect(say(bed, `ping ${target} -c 1`)[1]).toBe("seq=1 no route");
  });

  it.each([
    ["blackhole", [], "Dropped, blackhole routes: 1"],
    ["unreachable", [[1, 3]], "Dropped, unreachable routes: 1"],
  ])("to %s drop IPv6 packets", (via, errors, counted) => {
    const bed = withRoutes({ to: "2001:db8:9::/48", via });
    bed.a.send6(ROUTER_MAC, { target: ip6("2001:db8:9::1") }, ECHO6);
    bed.bench.run();
    expect(bed.a.packets6.map(({ payload }) => [...payload.subarray(0, 2)])).toEqual(errors);
    expect(say(bed, "show counters")).toContain(counted);
    expect(say(bed, "ping 2001:db8:9::1 -c 1")[1]).toBe("seq=1 no route");
  });

  it("are added and removed by distance at the console", () => {
    const bed = makeBed();
    expect(say(bed, "route add 10.9.0.0/16 via 10.0.1.10")).toEqual([]);
    expect(say(bed, "route add 10.9.0.0/16 via 10.0.2.10 distance 5 track 10.0.2.10")).toEqual([]);
    expect(say(bed, "route add 10.8.0.0/16 blackhole")).toEqual([]);
    expect(say(bed, "route add 2001:db8:8::/48 via unreachable distance 9")).toEqual([]);
    expect(say(bed, "show run").slice(-4)).toEqual([
      "ip route 10.9.0.0/16 10.0.1.10",
      "ip route 10.9.0.0/16 10.0.2.10 5 track 10.0.2.10",
      "ip route 10.8.0.0/16 blackhole",
      "ipv6 route 2001:db8:8::/48 reject 9",
    ]);
    expect(say(bed, "route del 10.9.0.0/16 distance 5")).toEqual([]);
    expect(say(bed, "route del 10.9.0.0/16 distance 5")).toEqual(["There is no static route to 10.9.0.0/16"]);
    expect(say(bed, "route del 10.9.0.0/16")).toEqual([]);
    expect(say(bed, "show ipv6 route").at(-1)).toMatch(/2001:db8:8::\/48 +unreachable +- +9 +in use/);
  });

  it.each([
    "route add 10.9.0.0/16 via",
    "route add 10.9.0.0/16 10.0.1.10",
    "route add 10.9.0.0/16 via 10.0.1.10 distance",
    "route add 10.9.0.0/16 via 10.0.1.10 distance x",
    "route add 10.9.0.0/16 via 10.0.1.10 metric 5",
    "route del 10.9.0.0/16 distance x",
    "route del 10.9.0.0/16 via",
  ])("reject `%s`", (line) => {
    expect(say(makeBed(), line)[0]).toMatch(/^Usage: route add PREFIX/);
  });

  it.each([
    [
      [{ to: "10.9.0.0/16", via: "nowhere" }],
      'routes.0.via: "nowhere" is not an IPv4 or IPv6 address, blackhole or unreachable',
    ],
    [
      [{ to: "10.9.0.0/16", via: "blackhole", distance: 255 }],
      "routes.0.distance: must be 1 to 254, not 255",
    ],
    [[{ to: "10.9.0.0/16", via: "blackhole", distance: 0 }], "routes.0.distance: must be 1 to 254, not 0"],
    [
      [{ to: "10.9.0.0/16", via: "blackhole", track: "10.0.1.10" }],
      "routes.0.track: a blackhole route has no gateway to track by",
    ],
    [
      [{ to: "10.9.0.0/16", via: "10.0.1.10", track: "R2" }],
      'routes.0.track: "R2" is not an IPv4 or IPv6 address',
    ],
    [
      [{ to: "10.9.0.0/16", via: "10.0.1.10", track: "2001:db8::1" }],
      "routes.0.track: 10.9.0.0/16 and 2001:db8::1 are of different families",
    ],
    [
      [
        { to: "10.9.0.0/16", via: "10.0.1.10" },
        { to: "10.9.0.0/16", via: "10.0.1.10", distance: 1 },
      ],
      "routes.1.to: there is this route to 10.9.0.0/16 already",
    ],
    [
      [
        { to: "10.9.0.0/16", via: "10.0.1.10", distance: 7 },
        { to: "10.9.0.0/16", via: "blackhole", distance: 7 },
      ],
      "routes.1.via: there is a route to 10.9.0.0/16 with distance 7 already: only gateways share packets, so give this one another distance",
    ],
  ])("are rejected if they are %j", (routes, problem) => {
    expect(problems(routes)).toEqual([problem]);
  });
});

describe("a loopback interface", () => {
  const LOOPBACK = {
    interfaces: [{ type: "loopback", name: "lo0", ipv4: "10.255.0.1/32", ipv6: "2001:db8:ff::1/128" }],
  };

  it("has addresses that answer on every port, also when a port is down", () => {
    const bed = makeBed({ ...TWO_SUBNETS, ...LOOPBACK });
    say(bed, "shutdown 1");
    bed.a.send4(
      ROUTER_MAC,
      { target: ip("10.255.0.1"), protocol: 1 },
      Uint8Array.of(8, 0, 0xf7, 0xfd, 0, 1, 0, 1),
    );
    bed.a.send6(ROUTER_MAC, { target: ip6("2001:db8:ff::1") }, ECHO6);
    bed.bench.run();
    expect(bed.a.packets4.map(({ header }) => header.source)).toEqual([ip("10.255.0.1")]);
    expect(bed.a.packets6.map(({ header }) => header.source)).toEqual([ip6("2001:db8:ff::1")]);
    expect(say(bed, "ping 10.255.0.1 -c 1").join()).toContain("1 received");
  });

  it("rejects packets to other addresses of its subnets", () => {
    const bed = makeBed({
      ...TWO_SUBNETS,
      interfaces: [{ type: "loopback", name: "lo0", ipv4: "10.255.0.1/24" }],
    });
    bed.a.send4(ROUTER_MAC, { target: ip("10.255.0.9") }, bytes(8));
    bed.bench.run();
    expect(bed.a.packets4.map(({ payload }) => [...payload.subarray(0, 2)])).toEqual([[3, 1]]);
  });

  it("is shown without a MAC address, and is shut down", () => {
    const bed = makeBed({ ...TWO_SUBNETS, ...LOOPBACK });
    expect(say(bed, "show ip").at(-1)).toMatch(/^lo0 +10.255.0.1\/32 +2001:db8:ff::1\/128 +- +- +1500$/);
    expect(say(bed, "show interfaces").at(-1)).toMatch(
      /^lo0 +up +10.255.0.1\/32 +2001:db8:ff::1\/128 +- +0 +0$/,
    );
    expect(say(bed, "show ip route").at(-1)).toMatch(/10.255.0.1\/32 +connected +lo0 +0 +in use|10.0.2.0/);
    say(bed, "shutdown lo0");
    expect(say(bed, "show route").join()).not.toContain("10.255.0.1");
  });

  it("is rejected with what it has no use for", () => {
    const dhcp = { first: "10.255.0.10", last: "10.255.0.20" };
    expect(
      problems([], { interfaces: [{ type: "loopback", name: "lo", ipv4: "10.255.0.1/24", dhcp }] }),
    ).toEqual(["interfaces.0.dhcp: a loopback interface has no hosts to lease addresses to"]);
    expect(problems([], { interfaces: [{ type: "loopback", name: "lo", vlan: 1 }] })).toEqual([
      "interfaces.0.vlan: is not a known property; known are name, ipv4, ipv6, mtu, dhcp, ra, vrrp, vrf, shutdown, acl_in, acl_out, acl6_in, acl6_out, pbr_policy, ospf, type",
    ]);
    expect(say(makeBed(), "interface lo loopback 1")[0]).toMatch(/^Usage: interface/);
  });
});
