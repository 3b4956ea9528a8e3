/** Measures the simulation alone, without store and HTTP. */

import { typeCommands } from "@wirelab/engine/simulation/actions";
import { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import type { LabLink, LabNode, Wire } from "@wirelab/engine/simulation/lab";
import { Simulation } from "@wirelab/engine/simulation/simulation";
import { median } from "./engine-measure.ts";
import { LIMITS, START_US } from "./lab-limits.ts";

const ROUNDS = 5;
const WANTED_EVENTS_PER_SECOND = 1_000_000;
const PCS_PER_SWITCH = 10;

interface Topology {
  readonly nodes: LabNode[];
  readonly links: LabLink[];
}

/** Makes links from pairs of (node, port). */
class LabBuilder {
  readonly #wires = new Map<string, Map<number, Wire>>();
  readonly #nodes: { node: LabNode; wires: Map<number, Wire> }[] = [];
  readonly #links: LabLink[] = [];

  add(name: string, spec: LabNode["spec"]): void {
    const wires = new Map<number, Wire>();
    this.#wires.set(name, wires);
    this.#nodes.push({ node: { id: name, name, status: "started", spec, wires }, wires });
  }

  pc(index: number): void {
    const startupScript = `ip ${addressOf(index)}/16`;
    this.add(`PC${index}`, { type: "vpcs", name: `PC${index}`, index, startupScript });
  }

  ethernetSwitch(name: string, ports: number): void {
    const port = { type: "access", vlan: 1, etherType: 0x8100 } as const;
    this.add(name, { type: "ethernet_switch", name, ports: Array.from({ length: ports }, () => port) });
  }

  join(...ends: readonly [name: string, port: number][]): void {
    const id = ends.flat().join("-");
    for (const [i, [name, port]] of ends.entries()) {
      this.#wires.get(name)!.set(port, { linkId: id, peerId: ends[1 - i]![0] });
    }
    this.#links.push({
      id,
      streamName: id,
      ends: ends.map(([nodeId, port]) => ({ nodeId, port })),
      filters: { settings: {}, bpfPredicates: [] },
      suspended: false,
    });
  }

  build(): Topology {
    return { nodes: this.#nodes.map(({ node }) => node), links: this.#links };
  }
}

const addressOf = (index: number): string => `10.0.${index >> 8}.${index & 255}`;

function pair(): Topology {
  const lab = new LabBuilder();
  for (const index of [1, 2]) lab.pc(index);
  lab.join(["PC1", 0], ["PC2", 0]);
  return lab.build();
}

/** Builds a tree of switches: each switch has ten branches and ten PCs. */
function campus(switches: number): Topology {
  const lab = new LabBuilder();
  for (let index = 0; index < switches; index++) lab.ethernetSwitch(`SW${index}`, PCS_PER_SWITCH + 11);
  for (let index = 1; index < switches; index++) {
    const parent = Math.floor((index - 1) / 10);
    lab.join([`SW${index}`, 20], [`SW${parent}`, PCS_PER_SWITCH + ((index - 1) % 10)]);
  }
  for (let index = 1; index <= switches * PCS_PER_SWITCH; index++) {
    lab.pc(index);
    lab.join(
      [`PC${index}`, 0],
      [`SW${Math.floor((index - 1) / PCS_PER_SWITCH)}`, (index - 1) % PCS_PER_SWITCH],
    );
  }
  return lab.build();
}

/** Runs the lab until all PCs have addresses, then the commands; returns the time and the counts of the second part. */
function measure(topology: Topology, commands: (name: string) => string | undefined) {
  const simulation = new Simulation({
    startUs: START_US,
    seed: "bench",
    limits: LIMITS,
    makeTap: () => undefined,
  });
  for (const node of topology.nodes) simulation.addNode(node);
  for (const link of topology.links) simulation.addLink(link);
  const sessions: ConsoleSession[] = [];
  for (const { id } of topology.nodes) {
    const line = commands(id);
    if (line === undefined) continue;
    const session = new ConsoleSession(id, [line]);
    sessions.push(session);
    simulation.schedule(10e9, typeCommands(session));
  }
  const begin = process.cpuUsage();
  const missing = simulation.advance();
  if (missing) throw new Error("The lab is not whole");
  const { user, system } = process.cpuUsage(begin);
  const replies = sessions.reduce((sum, { output }) => sum + (output.match(/bytes from/g)?.length ?? 0), 0);
  return { cpuSeconds: (user + system) / 1e6, events: simulation.events, replies };
}

export function benchEngine(): void {
  console.log(`The engine alone; medians of ${ROUNDS}, a second of processor time`);
  const rounds = 20_000;
  const trips = repeat(() =>
    measure(pair(), (id) => (id === "PC1" ? `ping 10.0.0.2 -c ${rounds}` : undefined)),
  );
  print(
    "ping round trips, two PCs",
    trips.map(({ replies, cpuSeconds }) => replies / cpuSeconds),
  );
  for (const [switches, count] of [
    [10, 200],
    [100, 20],
  ] as const) {
    const pcs = switches * PCS_PER_SWITCH;
    const results = repeat(() =>
      measure(campus(switches), (id) => {
        const number = /^PC(\d+)$/.exec(id)?.[1];
        if (number === undefined) return undefined;
        const peer = ((Number(number) - 1 + pcs / 2) % pcs) + 1;
        return `ping ${addressOf(peer)} -c ${count}`;
      }),
    );
    const expected = pcs * count;
    const answered = results[0]!.replies;
    const rates = results.map(({ events, cpuSeconds }) => events / cpuSeconds);
    print(`events, ${pcs} PCs over ${switches} switches`, rates, WANTED_EVENTS_PER_SECOND);
    console.log(`    ${results[0]!.events} events, ${answered} of ${expected} pings answered`);
  }
}

const repeat = <T>(run: () => T): T[] => Array.from({ length: ROUNDS }, run);

function print(name: string, rates: readonly number[], wanted?: number): void {
  const rate = median(rates);
  const verdict =
    wanted === undefined
      ? ""
      : `   ${(rate / wanted).toFixed(2)} x the target of ${wanted.toLocaleString("en-US")}`;
  console.log(`  ${name.padEnd(42)}${Math.round(rate).toLocaleString("en-US").padStart(12)} /s${verdict}`);
}
