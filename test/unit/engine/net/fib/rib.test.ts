import { ROUTE_SOURCES, type Route, type RouteSource } from "@wirelab/engine/net/fib/route";
import { formatIpv4, parseIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { parseIpv6 } from "@wirelab/engine/wire/ipv6-address";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IPV4, IPV6 } from "../../../../../packages/engine/net/fib/address-family.ts";
import { replaceRoutes } from "../../../../../packages/engine/net/fib/replace-routes.ts";
import { Rib } from "../../../../../packages/engine/net/fib/rib.ts";
import { countSteps } from "../../../../helpers/count-steps.ts";

const ip = (text: string): number => parseIpv4(text)!;
const NETWORK = ip("10.9.0.0");

function route(source: RouteSource, more: Partial<Route<number>> = {}): Route<number> {
  const distance = { connected: 0, static: 1, bgp: 20, ospf: 110, rip: 120 }[source];
  return {
    network: NETWORK,
    prefixLength: 16,
    source,
    distance,
    metric: 0,
    order: 0,
    port: 1,
    via: source === "connected" ? undefined : ip("10.0.0.2"),
    ...more,
  };
}

const put = (rib: Rib<number>, routes: readonly Route<number>[]): void => {
  for (const [source, own] of Map.groupBy(routes, (each) => each.source))
    rib.set(own[0]!.network, own[0]!.prefixLength, source, own);
};
const used = (rib: Rib<number>): readonly Route<number>[] => rib.findAll(NETWORK + 1);

describe("the table of routes", () => {
  it("uses the route with the lowest distance, and the next one when its source withdraws it", () => {
    const rib = new Rib(IPV4);
    const [connected, fixed, rip] = [route("connected"), route("static"), route("rip")];
    put(rib, [rip, fixed, connected]);
    expect(used(rib)).toEqual([connected]);
    expect(rib.candidates(NETWORK, 16)).toEqual([connected, fixed, rip]);
    rib.set(NETWORK, 16, "connected", []);
    expect(used(rib)).toEqual([fixed]);
    rib.set(NETWORK, 16, "static", []);
    expect(used(rib)).toEqual([rip]);
    rib.set(NETWORK, 16, "rip", []);
    expect([used(rib), rib.size, rib.candidates(NETWORK, 16)]).toEqual([[], 0, []]);
  });

  it("prefers a static route to one of RIP with the same distance", () => {
    const rib = new Rib(IPV4);
    const [near, rip] = [route("static", { distance: 120 }), route("rip")];
    put(rib, [rip, near]);
    expect(used(rib)).toEqual([near]);
    put(rib, [route("static", { distance: 121 })]);
    expect(used(rib)).toEqual([rip]);
  });

  it("shares packets among equal routes by way of gateways, in the order of their source", () => {
    const rib = new Rib(IPV4);
    const all = [2, 0, 1].map((order) => route("static", { order, via: ip(`10.0.${order}.2`) }));
    put(rib, [...all, route("rip")]);
    expect(used(rib).map(({ order }) => order)).toEqual([0, 1, 2]);
    expect(rib.find(NETWORK)).toBe(used(rib)[0]);
  });

  it("shares no packets between routes of different metrics, or with a subnet", () => {
    const rib = new Rib(IPV4);
    put(rib, [route("rip", { metric: 3, order: 1 }), route("rip", { metric: 2, order: 2 })]);
    expect(used(rib).map(({ metric }) => metric)).toEqual([2]);
    put(rib, [route("connected", { order: 4, port: 4 }), route("connected", { order: 3, port: 3 })]);
    expect(used(rib).map(({ port }) => port)).toEqual([3]);
  });

  it("lists the longest prefixes first, then by distance, source and place, then by address", () => {
    const rib = new Rib(IPV4);
    const routes = [
      route("rip", { network: ip("10.1.0.0"), metric: 9 }),
      route("rip", { network: ip("10.2.0.0"), metric: 3 }),
      route("static", { network: ip("10.8.0.0"), order: 1 }),
      route("static", { network: ip("10.3.0.0"), order: 2 }),
      route("static", { network: ip("10.4.0.0"), order: 0, distance: 200 }),
      route("connected", { network: ip("10.6.0.0"), order: 1 }),
      route("static", { network: 0, prefixLength: 0, order: 3 }),
      route("rip", { network: ip("10.7.0.1"), prefixLength: 32 }),
    ];
    for (const each of routes.toReversed()) put(rib, [each]);
    expect(rib.list().map(({ network }) => formatIpv4(network))).toEqual([
      "10.7.0.1",
      "10.6.0.0",
      "10.8.0.0",
      "10.3.0.0",
      "10.1.0.0",
      "10.2.0.0",
      "10.4.0.0",
      "0.0.0.0",
    ]);
  });

  it("does not depend on the order of changes", () => {
    const change = fc.record({
      network: fc.constantFrom(0, NETWORK, NETWORK + 0x1_0000),
      source: fc.constantFrom(...ROUTE_SOURCES),
      distances: fc.array(fc.constantFrom(1, 120, 200), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const rib = new Rib(IPV4);
        const last = new Map<string, () => void>();
        const fresh = new Rib(IPV4);
        for (const { network, source, distances } of changes) {
          const routes = distances.map((distance, order) => route(source, { network, distance, order }));
          rib.set(network, 16, source, routes);
          last.set(`${network} ${source}`, () => fresh.set(network, 16, source, routes));
        }
        for (const apply of [...last.values()].toReversed()) apply();
        expect(rib.list()).toEqual(fresh.list());
        expect(rib.size).toBe(fresh.size);
      }),
    );
  });

  it("takes changes that were put off when routes are next needed, once", () => {
    const rib = new Rib(IPV4);
    let calls = 0;
    rib.changeLater(() => {
      calls += 1;
      put(rib, [route("rip")]);
    });
    expect(calls).toBe(0);
    expect(
      [used(rib), rib.size, rib.list()].map((each) => (typeof each === "number" ? each : each.length)),
    ).toEqual([1, 1, 1]);
    expect(calls).toBe(1);
  });

  it("has the routes of IPv6", () => {
    const rib = new Rib(IPV6);
    const network = parseIpv6("2001:db8::")!;
    const own = { network, prefixLength: 32, source: "static", distance: 1, metric: 0, order: 0 } as const;
    rib.set(network, 32, "static", [{ ...own, port: 2, via: network + 1n }]);
    expect(rib.find(network + 77n)).toMatchObject({ port: 2, via: network + 1n });
    expect(rib.find(1n)).toBeUndefined();
  });
});

describe("a configuration's routes in the table", () => {
  it("replace only those that differ, and leave those of other sources", () => {
    const rib = new Rib(IPV4);
    const rip = route("rip", { network: ip("10.1.0.0") });
    put(rib, [rip]);
    const before = ["10.2.0.0", "10.3.0.0"].map((network) => route("static", { network: ip(network) }));
    replaceRoutes(rib, [], before);
    const after = [
      route("static", { network: ip("10.3.0.0") }),
      route("static", { network: ip("10.4.0.0") }),
      route("connected", { network: ip("10.1.0.0") }),
    ];
    replaceRoutes(rib, before, after);
    expect(rib.find(ip("10.3.0.1"))).toBe(before[1]);
    expect(rib.find(ip("10.2.0.1"))).toBeUndefined();
    expect(rib.find(ip("10.4.0.1"))).toBe(after[1]);
    expect(rib.candidates(ip("10.1.0.0"), 16)).toEqual([after[2], rip]);
  });
});

describe("a change among many routes", () => {
  const rip = (network: number): Route<number> => route("rip", { network, prefixLength: 24 });
  const change = (rib: Rib<number>): number =>
    countSteps(() => {
      rib.set(ip("10.77.7.0"), 24, "rip", [rip(ip("10.77.7.0"))]);
      rib.find(ip("10.77.7.1"));
      rib.set(ip("10.77.7.0"), 24, "rip", []);
    }, "/net/fib/");

  it("takes few more steps among 100,000 routes than among 100", () => {
    const rib = new Rib(IPV4);
    // A multiplication by an odd number: each network once, from all over the range.
    const fill = (from: number, to: number): void => {
      for (let index = from; index < to; index++) {
        const network = (Math.imul(index, 0x9e37_79b1) & ~0xff) >>> 0;
        rib.set(network, 24, "rip", [rip(network)]);
      }
    };
    fill(0, 100);
    const few = change(rib);
    fill(100, 100_000);
    const many = change(rib);
    expect(rib.size).toBeGreaterThan(90_000);
    expect(many / few).toBeLessThan(4);
    expect(rib.candidates(ip("10.77.7.0"), 24)).toEqual([]);
  });
});
