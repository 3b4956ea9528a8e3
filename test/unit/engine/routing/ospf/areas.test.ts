/** Areas, border routers, boundary routers and their routes (RFC 2328, sections 12.4 and 16). */

import { formatIpv4 } from "@wirelab/engine/wire/ipv4-address";
import { describe, expect, it } from "vitest";
import type { ExternalRoute } from "../../../../../packages/engine/routing/ospf/config.ts";
import { withIds } from "../../../../../packages/engine/routing/ospf/own-summaries.ts";
import { address, area, configOf, OspfNetwork, port } from "../../../../helpers/engine/ospf-network.ts";

const LINK = { network: "point-to-point" } as const;
const external = (prefix: string, fields: Partial<ExternalRoute> = {}): ExternalRoute => ({
  network: address(prefix.split("/")[0]!),
  prefixLength: Number(prefix.split("/")[1]),
  metric: 20,
  isType2: true,
  tag: 0,
  via: undefined,
  ...fields,
});

/** R1 in area 1, R2 and R3 at the backbone's borders, R4 in area 2: R1 -- R2 -- R3 -- R4, with a LAN at each end. */
function threeAreas(
  kind: Parameters<typeof area>[1] = {},
  { externals = [] as readonly ExternalRoute[] } = {},
): OspfNetwork {
  const lab = new OspfNetwork();
  const one = { ...LINK, areaId: 1 };
  const two = { ...LINK, areaId: 2 };
  const areas = [area(0), area(1, kind)];
  lab.add(
    "R1",
    configOf("1.1.1.1", [port(0, "10.1.0.1/24", { areaId: 1 }), port(1, "10.0.12.1/30", one)], {
      areas: [area(1, kind)],
    }),
  );
  lab.add(
    "R2",
    configOf("2.2.2.2", [port(0, "10.0.12.2/30", one), port(1, "10.0.23.1/30", LINK)], { areas }),
  );
  lab.add("R3", configOf("3.3.3.3", [port(0, "10.0.23.2/30", LINK), port(1, "10.0.34.1/30", two)]));
  lab.add(
    "R4",
    configOf("4.4.4.4", [port(0, "10.0.34.2/30", two), port(1, "10.4.0.1/24", { areaId: 2 })], { externals }),
  );
  lab.wire(["R1", 1], ["R2", 0]);
  lab.wire(["R2", 1], ["R3", 0]);
  lab.wire(["R3", 1], ["R4", 0]);
  lab.run(60);
  return lab;
}

describe("areas", () => {
  it("have routes to each other by way of border routers (section 16.2)", () => {
    const lab = threeAreas();
    expect(lab.routes("R1")).toEqual([
      "10.0.12.0/30 intra 10 eth1",
      "10.0.23.0/30 inter 20 eth1 10.0.12.2",
      "10.0.34.0/30 inter 30 eth1 10.0.12.2",
      "10.1.0.0/24 intra 10 eth0",
      "10.4.0.0/24 inter 40 eth1 10.0.12.2",
    ]);
    expect(lab.routes("R3")).toContain("10.1.0.0/24 inter 30 eth0 10.0.23.1");
  });

  it("keep their router-LSAs to themselves (section 12.4.3)", () => {
    const lab = threeAreas();
    const routers = lab.database("R1", 1).filter((line) => line.startsWith("1 "));
    expect(routers.map((line) => line.split(" ")[1])).toEqual(["1.1.1.1", "2.2.2.2"]);
    const summaries = lab.database("R1", 1).filter((line) => line.startsWith("3 "));
    expect(summaries.map((line) => line.split(" ")[1])).toEqual(["10.0.23.0", "10.0.34.0", "10.4.0.0"]);
  });

  it("lose a route when its router goes", () => {
    const lab = threeAreas();
    lab.setUp(2, false);
    lab.run(60);
    expect(lab.routes("R1").some((line) => line.startsWith("10.4.0.0"))).toBe(false);
    expect(lab.routes("R1")).toContain("10.0.34.0/30 inter 30 eth1 10.0.12.2");
  });

  it("have one border router that only the backbone makes (FRR's abr-type cisco)", () => {
    const lab = new OspfNetwork();
    lab.add(
      "R1",
      configOf("1.1.1.1", [port(0, "10.1.0.1/24", { areaId: 1 }), port(1, "10.2.0.1/24", { areaId: 2 })]),
    );
    lab.run(60);
    expect(lab.database("R1", 1).filter((line) => line.startsWith("3 "))).toEqual([]);
  });
});

describe("a boundary router", () => {
  const externals = [
    external("172.16.0.0/16"),
    external("172.17.0.0/16", { isType2: false, metric: 5, tag: 77 }),
    external("0.0.0.0/0", { metric: 1 }),
  ];

  it("is known in other areas by type 4, and its routes everywhere by type 5 (section 16.4)", () => {
    const lab = threeAreas({}, { externals });
    expect(lab.routes("R1").filter((line) => line.includes("external"))).toEqual([
      "0.0.0.0/0 external2 30+1 eth1 10.0.12.2",
      "172.16.0.0/16 external2 30+20 eth1 10.0.12.2",
      "172.17.0.0/16 external1 35 eth1 10.0.12.2",
    ]);
    const table = lab.node("R1").process.table;
    expect([...table.prefixes.values()].find(({ tag }) => tag === 77)).toBeDefined();
    expect([...table.boundaries.keys()]).toEqual([address("4.4.4.4")]);
  });

  it("is not known in a stub area, which has a default route (section 3.6)", () => {
    const lab = threeAreas({ kind: "stub", defaultCost: 7 }, { externals });
    expect(lab.routes("R1")).toEqual([
      "0.0.0.0/0 inter 17 eth1 10.0.12.2",
      "10.0.12.0/30 intra 10 eth1",
      "10.0.23.0/30 inter 20 eth1 10.0.12.2",
      "10.0.34.0/30 inter 30 eth1 10.0.12.2",
      "10.1.0.0/24 intra 10 eth0",
      "10.4.0.0/24 inter 40 eth1 10.0.12.2",
    ]);
    expect(lab.database("R1", 1).some((line) => /^[45] /.test(line))).toBe(false);
    expect(lab.routes("R3").filter((line) => line.includes("external"))).toHaveLength(3);
  });

  it("and other areas are not known in a totally stubby one", () => {
    const lab = threeAreas({ kind: "stub", hasNoSummaries: true }, { externals });
    expect(lab.routes("R1")).toEqual([
      "0.0.0.0/0 inter 11 eth1 10.0.12.2",
      "10.0.12.0/30 intra 10 eth1",
      "10.1.0.0/24 intra 10 eth0",
    ]);
  });

  it("of the lower metric is used, then of the nearer router; equal ones share packets", () => {
    const lab = new OspfNetwork();
    const star = ["10.0.1.1/30", "10.0.2.1/30", "10.0.3.1/30"].map((prefix, index) =>
      port(index, prefix, LINK),
    );
    lab.add("R0", configOf("9.9.9.9", star));
    const metrics = [
      [20, 20],
      [20, 30],
      [20, 10],
    ] as const;
    for (const [at, [first, second]] of metrics.entries()) {
      const own = [
        external("172.16.0.0/16", { metric: first }),
        external("172.17.0.0/16", { metric: second }),
      ];
      const index = at + 1;
      lab.add(
        `R${index}`,
        configOf(`${index}.0.0.0`, [port(0, `10.0.${index}.2/30`, LINK)], { externals: own }),
      );
      lab.wire(["R0", at], [`R${index}`, 0]);
    }
    lab.run(20);
    expect(lab.routes("R0").filter((line) => line.startsWith("172."))).toEqual([
      "172.16.0.0/16 external2 10+20 eth0 10.0.1.2, eth1 10.0.2.2, eth2 10.0.3.2",
      "172.17.0.0/16 external2 10+10 eth2 10.0.3.2",
    ]);
  });

  it("names the gateway as forwarding address if the neighbours reach it (section 12.4.4)", () => {
    const lab = new OspfNetwork();
    const own = [external("172.16.0.0/16", { via: address("10.0.0.99") })];
    lab.add("R1", configOf("1.1.1.1", [port(0, "10.0.0.1/24")], { externals: own }));
    lab.add("R2", configOf("2.2.2.2", [port(0, "10.0.0.2/24")]));
    lab.wire(["R1", 0], ["R2", 0]);
    lab.run(60);
    expect(lab.routes("R2")).toContain("172.16.0.0/16 external2 10+20 eth0 10.0.0.99");
  });
});

it("gives prefixes of one address different link state ids (appendix E)", () => {
  const prefixes = ["10.0.0.0/16", "10.0.0.0/24", "10.0.0.0/8", "10.1.0.0/16"].map((prefix) =>
    external(prefix),
  );
  expect(withIds(prefixes).map(({ id, prefixLength }) => `${formatIpv4(id)}/${prefixLength}`)).toEqual([
    "10.0.0.0/8",
    "10.0.255.255/16",
    "10.0.0.255/24",
    "10.1.0.0/16",
  ]);
});

describe("shortest paths (section 16.1)", () => {
  it("share packets between links of equal cost, also between parallel ones", () => {
    const lab = new OspfNetwork();
    const ends = (index: number) =>
      [0, 1, 2].map((at) => port(at, `10.0.${at}.${index}/30`, { ...LINK, cost: at === 2 ? 20 : 10 }));
    lab.add("R1", configOf("1.1.1.1", ends(1)));
    lab.add("R2", configOf("2.2.2.2", [...ends(2), port(3, "10.9.0.1/24")]));
    for (const at of [0, 1, 2]) lab.wire(["R1", at], ["R2", at]);
    lab.run(20);
    expect(lab.routes("R1")).toContain("10.9.0.0/24 intra 20 eth0 10.0.0.2, eth1 10.0.1.2");
  });

  it("go through a network at the cost of one interface", () => {
    const lab = new OspfNetwork();
    for (const index of [1, 2, 3])
      lab.add(
        `R${index}`,
        configOf(`0.0.0.${index}`, [
          port(0, `10.0.0.${index}/24`, { cost: index }),
          port(1, `10.${index}.0.1/24`),
        ]),
      );
    lab.wire(["R1", 0], ["R2", 0], ["R3", 0]);
    lab.run(70);
    expect(lab.routes("R1").slice(1)).toEqual([
      "10.1.0.0/24 intra 10 eth1",
      "10.2.0.0/24 intra 11 eth0 10.0.0.2",
      "10.3.0.0/24 intra 11 eth0 10.0.0.3",
    ]);
    expect(lab.routes("R3").slice(1, 3)).toEqual([
      "10.1.0.0/24 intra 13 eth0 10.0.0.1",
      "10.2.0.0/24 intra 13 eth0 10.0.0.2",
    ]);
  });

  it("announce a loopback interface as a host", () => {
    const lab = new OspfNetwork();
    lab.add(
      "R1",
      configOf("1.1.1.1", [port(0, "10.0.0.1/30", LINK), port(1, "10.255.0.1/24", { network: "loopback" })]),
    );
    lab.add("R2", configOf("2.2.2.2", [port(0, "10.0.0.2/30", LINK)]));
    lab.wire(["R1", 0], ["R2", 0]);
    lab.run(20);
    expect(lab.routes("R2")).toContain("10.255.0.1/32 intra 10 eth0 10.0.0.1");
  });

  it("announce a passive interface, at which nothing is sent", () => {
    const lab = new OspfNetwork();
    lab.add(
      "R1",
      configOf("1.1.1.1", [port(0, "10.0.0.1/30", LINK), port(1, "10.8.0.1/24", { isPassive: true })]),
    );
    lab.add("R2", configOf("2.2.2.2", [port(0, "10.0.0.2/30", LINK)]));
    lab.wire(["R1", 0], ["R2", 0]);
    lab.run(60);
    expect(lab.routes("R2")).toContain("10.8.0.0/24 intra 20 eth0 10.0.0.1");
    expect(lab.packets.filter(({ source }) => source === address("10.8.0.1"))).toEqual([]);
  });
});
