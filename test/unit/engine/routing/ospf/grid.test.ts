/** Many routers: every distance is right after every change, runs repeat, and an adjacency survives a sleep between two runs. */
import { makeStream } from "@wirelab/engine/base/random";
import { describe, expect, it } from "vitest";
import { address, configOf, OspfNetwork, port } from "../../../../helpers/engine/ospf-network.ts";

interface Edge {
  readonly ends: readonly [number, number];
  readonly cost: number;
  readonly link: number;
}

interface Grid {
  readonly lab: OspfNetwork;
  readonly edges: readonly Edge[];
  readonly count: number;
}

/** A torus of point-to-point links with costs from the seed; router N has the loopback address 10.255.0.N. */
function torus(rows: number, columns: number, seed = "grid"): Grid {
  const lab = new OspfNetwork();
  const stream = makeStream(seed);
  const count = rows * columns;
  const ports = Array.from({ length: count }, (_, index) => [
    port(0, `10.255.${index >> 8}.${index & 255}/32`, { network: "loopback" }),
  ]);
  const planned: { ends: [number, number]; places: [number, number]; cost: number }[] = [];
  const join = (one: number, other: number): void => {
    const base = 4 * planned.length;
    const cost = 1 + stream.below(20);
    const prefix = (end: number) => `10.${base >> 16}.${(base >> 8) & 255}.${(base & 255) + end}/30`;
    const add = (index: number, end: number) => {
      const own = ports[index]!;
      own.push(port(own.length, prefix(end), { network: "point-to-point", cost }));
      return own.length - 1;
    };
    planned.push({ ends: [one, other], places: [add(one, 1), add(other, 2)], cost });
  };
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      join(row * columns + column, row * columns + ((column + 1) % columns));
      join(row * columns + column, ((row + 1) % rows) * columns + column);
    }
  for (const [index, own] of ports.entries())
    lab.add(`R${index}`, configOf(`1.0.${index >> 8}.${index & 255}`, own));
  const edges = planned.map(({ ends, places, cost }) => ({
    ends,
    cost,
    link: lab.wire([`R${ends[0]}`, places[0]], [`R${ends[1]}`, places[1]]),
  }));
  return { lab, edges, count };
}

/** The distances of all routers from one, by Bellman and Ford. */
function distancesFrom(root: number, { edges, count }: Grid): number[] {
  const distances = Array.from({ length: count }, (_, index) =>
    index === root ? 0 : Number.POSITIVE_INFINITY,
  );
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const { ends, cost } of edges)
      for (const [from, to] of [ends, [ends[1], ends[0]] as const]) {
        const distance = distances[from]! + cost;
        if (distance >= distances[to]!) continue;
        distances[to] = distance;
        isChanged = true;
      }
  }
  return distances;
}

/** The distances that a router has. */
function ownDistances(root: number, { lab, count }: Grid): number[] {
  const { prefixes } = lab.node(`R${root}`).process.table;
  return Array.from({ length: count }, (_, index) => {
    const network = address(`10.255.${index >> 8}.${index & 255}`);
    return prefixes.get(network * 64 + 32)?.cost ?? Number.POSITIVE_INFINITY;
  });
}

const allRight = (grid: Grid): void => {
  for (let root = 0; root < grid.count; root++)
    expect(ownDistances(root, grid)).toEqual(distancesFrom(root, grid));
};

const without = (grid: Grid, ...links: readonly number[]): Grid => {
  for (const link of links) grid.lab.setUp(link, false);
  return { ...grid, edges: grid.edges.filter(({ link }) => !links.includes(link)) };
};

describe("a torus of routers", () => {
  it("of 25 has all distances right, after each of five lost links", () => {
    let grid = torus(5, 5);
    grid.lab.run(20);
    allRight(grid);
    for (const link of [3, 17, 29, 4, 44]) {
      grid = without(grid, link);
      grid.lab.run(50);
      allRight(grid);
    }
  });

  it("of 100 with 200 links has all distances right, and all routers have one database", () => {
    const grid = torus(10, 10);
    grid.lab.run(20);
    allRight(grid);
    const database = grid.lab.database("R0");
    expect(database).toHaveLength(100);
    for (let index = 1; index < grid.count; index++) expect(grid.lab.database(`R${index}`)).toEqual(database);
  });

  it("sends the same packets in a second run", () => {
    const bytes = (): string => {
      const { lab } = torus(4, 4);
      lab.run(60);
      return lab.packets
        .map(({ from, atUs, packet }) => `${from} ${atUs} ${Buffer.from(packet).toString("hex")}`)
        .join("\n");
    };
    expect(bytes()).toBe(bytes());
  });

  it("goes on after a sleep as it would have without it", () => {
    const play = (sleepAt: readonly number[]): string[] => {
      const { lab, count } = torus(3, 3);
      let now = 0;
      for (const at of sleepAt) {
        lab.run(at - now);
        now = at;
        for (let index = 0; index < count; index++) lab.sleep(`R${index}`);
      }
      lab.run(60 - now);
      expect(lab.neighbours("R0").map((each) => each.split(" ")[1])).toEqual(Array(4).fill("full"));
      // Routers that act in one microsecond do it in the order in which they were woken, which decides the order of LSAs in a packet.
      const packets = lab.packets.map(
        ({ from, atUs, packet }) => `${from} ${atUs} ${packet[1]} ${packet.length}`,
      );
      return [...packets.sort(), ...lab.database("R0"), ...lab.routes("R8")];
    };
    const awake = play([]);
    expect(play([25])).toEqual(awake);
    expect(play([0.0055, 0.0125, 0.5, 1, 7])).toEqual(awake);
  });
});
