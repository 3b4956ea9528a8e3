/** Which route is used: one test for each step of FRR's order, in which everything before it is the same. */
import { describe, expect, it } from "vitest";
import {
  OWN_ATTRIBUTES,
  type RouteAttributes,
} from "../../../../../packages/engine/routing/bgp/attributes.ts";
import type { BestPathConfig, NeighbourConfig } from "../../../../../packages/engine/routing/bgp/config.ts";
import { decide, type Judge } from "../../../../../packages/engine/routing/bgp/decision.ts";
import { type Neighbour, newNeighbour, type Path } from "../../../../../packages/engine/routing/bgp/state.ts";

const CONFIG: BestPathConfig = {
  alwaysCompareMed: false,
  deterministicMed: false,
  ignoresAsPath: false,
  relaxesMultipath: false,
  comparesRouterId: false,
  missingMedIsWorst: false,
  defaultLocalPreference: 100,
};

const sequence = (...systems: number[]) => [{ type: 2, systems }];

interface Given extends Partial<RouteAttributes> {
  readonly weight?: number;
  readonly isInternal?: boolean;
  readonly address?: number;
  readonly identifier?: number;
  readonly remoteAs?: number;
  readonly isOwn?: boolean;
}

let orders = 0;

function path(given: Given): Path {
  const {
    weight = 0,
    isInternal = false,
    address = 1,
    identifier = 1,
    remoteAs = 65_002,
    isOwn,
    ...more
  } = given;
  const neighbour: Neighbour = {
    ...newNeighbour({
      address,
      isInternal,
      remoteAs,
      keepaliveSeconds: 60,
      holdSeconds: 180,
    } as NeighbourConfig),
    identifier,
    remoteAs,
  };
  orders += 1;
  return {
    neighbour: isOwn ? undefined : neighbour,
    attributes: { ...OWN_ATTRIBUTES, asPath: sequence(65_002), nextHop: address, ...more },
    weight,
    sinceUs: 0,
    order: orders,
  };
}

interface Circumstances {
  readonly config?: Partial<BestPathConfig>;
  readonly before?: Path;
  readonly metrics?: ReadonlyMap<number, number>;
  readonly most?: { readonly external: number; readonly internal: number };
}

const MANY = { external: 64, internal: 64 };

const chosen = (paths: readonly Path[], { config, before, metrics, most = MANY }: Circumstances = {}) => {
  const judge: Judge = {
    config: { ...CONFIG, ...config },
    metricOf: ({ attributes }) => metrics?.get(attributes.nextHop) ?? 0,
    idOf: ({ neighbour }) => neighbour?.identifier ?? 0,
    before,
  };
  return decide(paths, judge, most);
};

/** The better one is tried at both places. */
function beats(better: Given, worse: Given, reason: string, circumstances: Circumstances = {}): void {
  const [one, other] = [path(better), path(worse)];
  for (const paths of [
    [one, other],
    [other, one],
  ]) {
    const decision = chosen(paths, circumstances)!;
    expect(decision.best).toBe(one);
    expect(decision.reason).toBe(reason);
  }
}

describe("the route that is used has", () => {
  it("the highest weight, whatever else", () =>
    beats({ weight: 1, localPreference: 50 }, { localPreference: 200 }, "Weight"));

  it("the highest local preference; a route without one has the default", () => {
    beats({ localPreference: 101, asPath: sequence(1, 2, 3) }, {}, "Local Pref");
    beats({}, { localPreference: 99 }, "Local Pref");
    beats({ localPreference: 150 }, {}, "Local Pref", { config: { defaultLocalPreference: 140 } });
  });

  it("no neighbour", () => beats({ isOwn: true, origin: 2 }, { origin: 0 }, "Local Route"));

  it("the shortest path, in which a set counts once", () => {
    beats({ asPath: sequence(9), origin: 2 }, { asPath: sequence(8, 7) }, "AS Path");
    beats(
      { asPath: [...sequence(65_002), { type: 1, systems: [1, 2, 3] }] },
      { asPath: sequence(65_002, 1, 2) },
      "AS Path",
    );
    beats({ asPath: sequence(9, 8, 7), origin: 0 }, { asPath: sequence(5), origin: 1 }, "Origin", {
      config: { ignoresAsPath: true },
    });
  });

  it("the lowest origin", () => beats({ origin: 0, med: 9 }, { origin: 1, med: 1 }, "Origin"));

  it("the lowest metric, of routes of one neighbouring system", () => {
    beats({ med: 5, address: 9 }, { med: 6 }, "MED");
    beats({ address: 9 }, { med: 6 }, "MED");
    beats({ med: 6 }, { address: 9 }, "MED", { config: { missingMedIsWorst: true } });
  });

  it("the lowest metric of any system only if the configuration wants it", () => {
    const other = { asPath: sequence(65_003), remoteAs: 65_003 };
    beats({ med: 9, address: 1 }, { med: 1, address: 2, ...other }, "Neighbor IP");
    beats({ med: 1, address: 9, ...other }, { med: 9 }, "MED", { config: { alwaysCompareMed: true } });
  });

  it("an external neighbour", () =>
    beats({ address: 9 }, { isInternal: true, address: 1 }, "Peer Type", { metrics: new Map([[9, 50]]) }));

  it("the nearest next hop", () =>
    beats({ address: 9 }, { address: 1 }, "IGP Metric", {
      metrics: new Map([
        [1, 20],
        [9, 10],
      ]),
    }));

  it("of internal routes, the shortest list of clusters", () =>
    beats(
      { isInternal: true, clusterList: [1], address: 9 },
      { isInternal: true, clusterList: [1, 2], address: 1 },
      "Cluster length",
    ));

  it("the lowest router id, or that of the originator", () => {
    beats({ identifier: 1, address: 9 }, { identifier: 2, address: 1 }, "Router ID");
    beats(
      { isInternal: true, identifier: 9, originatorId: 1, address: 9 },
      { isInternal: true, identifier: 2, address: 1 },
      "Router ID",
    );
  });

  it("the lowest address of a neighbour at last", () => beats({ address: 3 }, { address: 4 }, "Neighbor IP"));
});

describe("an external route that is in use", () => {
  const old = path({ identifier: 9, address: 9 });
  const young = path({ identifier: 1, address: 1 });

  it("stays until something better than a router id comes", () => {
    expect(chosen([young, old], { before: old })).toMatchObject({ best: old, reason: "Older Path" });
    expect(chosen([young, old], { before: young })?.best).toBe(young);
  });

  it("does not stay with compare-routerid", () => {
    const decision = chosen([young, old], { before: old, config: { comparesRouterId: true } });
    expect(decision).toMatchObject({ best: young, reason: "Router ID" });
  });
});

/** RFC 3345: A and B are of one system, C of another. A beats C, C beats B, B beats A. */
describe("metrics of several systems", () => {
  const a = path({ med: 20, address: 1, identifier: 1 });
  const b = path({ med: 10, address: 3, identifier: 3 });
  const c = path({ med: 0, address: 2, identifier: 2, asPath: sequence(65_003), remoteAs: 65_003 });

  it("make the choice depend on the order, as in FRR", () => {
    const found = [
      [a, b, c],
      [b, c, a],
      [c, a, b],
    ].map((paths) => chosen(paths)?.best);
    expect(new Set(found).size).toBeGreaterThan(1);
  });

  it("do not with deterministic-med", () => {
    for (const paths of [
      [a, b, c],
      [b, c, a],
      [c, a, b],
    ])
      expect(chosen(paths, { config: { deterministicMed: true } })?.best).toBe(c);
  });
});

describe("routes share packets", () => {
  const addresses = (paths: readonly Path[], circumstances?: Circumstances) =>
    chosen(paths, circumstances)?.multipath.map(({ attributes }) => attributes.nextHop);
  const external = [5, 3, 4].map((address) => path({ address, identifier: address }));

  it("that differ in nothing but the last steps, in the order of their next hops behind the best", () => {
    expect(addresses(external)).toEqual([3, 4, 5]);
  });

  it("up to the number of the configuration", () => {
    expect(addresses(external, { most: { external: 2, internal: 64 } })).toEqual([3, 4]);
    expect(addresses(external, { most: { external: 1, internal: 64 } })).toEqual([3]);
  });

  it("of one neighbouring system, or of any with multipath-relax", () => {
    const mixed = [path({ address: 1 }), path({ address: 2, asPath: sequence(65_003), remoteAs: 65_003 })];
    expect(addresses(mixed)).toEqual([1]);
    expect(addresses(mixed, { config: { relaxesMultipath: true } })).toEqual([1, 2]);
  });

  it("of internal neighbours with one path", () => {
    const internal = [1, 2].map((address) => path({ address, isInternal: true }));
    const other = path({ address: 3, isInternal: true, asPath: sequence(65_009) });
    expect(addresses([...internal, other])).toEqual([1, 2]);
  });

  it("never twice by one next hop", () => {
    expect(addresses([path({ address: 1 }), path({ address: 2, nextHop: 1 })])).toEqual([1]);
  });
});

it("chooses nothing among no routes", () => {
  expect(chosen([])).toBeUndefined();
});
