/** Measures 100 switches in ten rings of ten, whose first switches are a ring too, from power-on until the spanning tree is still. */

import type { EthernetSwitch, SwitchSpec } from "@wirelab/engine/devices/switch/index";
import { parseSwitch } from "@wirelab/engine/net/bridge/settings/parse";
import type { LabLink, LabNode, Wire } from "@wirelab/engine/simulation/lab";
import { Simulation } from "@wirelab/engine/simulation/simulation";
import { median } from "./engine-measure.ts";
import { LIMITS, START_US } from "./lab-limits.ts";

const ROUNDS = 5;
const RINGS = 10;
const SWITCHES_PER_RING = 10;
const GOAL_MS = 200;

/** Ports: 0 and 1 to the ring, 2 and 3 of a ring's first switch to the other rings. */
const PORTS = 4;

const nameOf = (ring: number, place: number): string => `R${ring % RINGS}S${place % SWITCHES_PER_RING}`;

type End = readonly [name: string, port: number];

function cables(): (readonly [End, End])[] {
  const all: (readonly [End, End])[] = [];
  for (let ring = 0; ring < RINGS; ring++) {
    all.push([
      [nameOf(ring, 0), 2],
      [nameOf(ring + 1, 0), 3],
    ]);
    for (let place = 0; place < SWITCHES_PER_RING; place++)
      all.push([
        [nameOf(ring, place), 0],
        [nameOf(ring, place + 1), 1],
      ]);
  }
  return all;
}

function specOf(name: string, wires: ReadonlyMap<number, Wire>): SwitchSpec {
  const ports = Array.from({ length: PORTS }, (_, port) => ({
    type: "access" as const,
    vlan: 1,
    etherType: 0x8100,
    isWired: wires.has(port),
  }));
  const portNames = ports.map((_, port) => `Ethernet${port}`);
  const parsed = parseSwitch({ rstp: true }, { name, ports, portNames });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return { type: "ethernet_switch", name, ports, ...parsed.settings };
}

function run(): { cpuMs: number; labMs: number; blocked: number; roots: number } {
  const wires = new Map<string, Map<number, Wire>>();
  const links = cables().map((ends): LabLink => {
    const id = ends.flat().join("-");
    for (const [index, [name, port]] of ends.entries()) {
      const own = wires.get(name) ?? new Map<number, Wire>();
      wires.set(name, own.set(port, { linkId: id, peerId: ends[1 - index]![0] }));
    }
    return {
      id,
      streamName: id,
      ends: ends.map(([nodeId, port]) => ({ nodeId, port })),
      filters: { settings: {}, bpfPredicates: [] },
      suspended: false,
    };
  });
  const nodes = [...wires].map(([name, own]): LabNode & { readonly spec: SwitchSpec } => ({
    id: name,
    name,
    status: "started",
    spec: specOf(name, own),
    wires: own,
  }));
  const simulation = new Simulation({
    startUs: START_US,
    seed: "bench",
    limits: LIMITS,
    makeTap: () => undefined,
  });
  for (const node of nodes) simulation.addNode(node);
  for (const link of links) simulation.addLink(link);
  const begin = process.cpuUsage();
  if (simulation.advance()) throw new Error("The lab is not whole");
  const { user, system } = process.cpuUsage(begin);
  const reports = nodes.map(({ id }) => (simulation.nodes.get(id)!.device as EthernetSwitch).rstp!);
  return {
    cpuMs: (user + system) / 1e3,
    labMs: simulation.nowNs / 1e6,
    blocked: reports.flatMap(({ ports }) => ports).filter(({ state }) => state === "discarding").length,
    roots: new Set(reports.map(({ root }) => root)).size,
  };
}

export function benchSpanningTree(): void {
  const results = Array.from({ length: ROUNDS }, run);
  const { blocked, roots, labMs } = results[0]!;
  // One cable of each ring, and one of the ring of rings.
  if (roots !== 1 || blocked !== RINGS + 1)
    throw new Error(`The tree is none: ${roots} roots, ${blocked} ports that block`);
  const cpuMs = median(results.map((each) => each.cpuMs));
  console.log(`100 switches in a ring of ten rings of ten, RSTP; median of ${ROUNDS}`);
  console.log(
    `  ${cpuMs.toFixed(0)} ms of processor time until the run ends, ${labMs.toFixed(1)} ms of lab time; goal ${GOAL_MS} ms`,
  );
}
