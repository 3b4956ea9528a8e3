/** Labs for the engine alone: nodes and links in memory. */
import type { SwitchPort } from "@wirelab/engine/devices/switch/index";
import { typeCommands } from "@wirelab/engine/simulation/actions";
import { ConsoleSession } from "@wirelab/engine/simulation/console-session";
import type { LabLink, LabNode, Wire } from "@wirelab/engine/simulation/lab";
import type { RunLimits } from "@wirelab/engine/simulation/limits";
import { Simulation, type SimulationOptions } from "@wirelab/engine/simulation/simulation";

/** 2026-01-01 00:00:00 UTC */
export const LAB_START_US = 1_767_225_600_000_000;

export const AMPLE: RunLimits = {
  events: 1e9,
  packets: 1e9,
  capturedBytes: 1e9,
  bytesInFlight: 1e9,
  outputCharacters: 1e9,
  labSeconds: 8e6,
};

const ACCESS: SwitchPort = { type: "access", vlan: 1, etherType: 0x8100 };

export class LabBuilder {
  readonly nodes: LabNode[] = [];
  readonly links: LabLink[] = [];
  readonly #wires = new Map<string, Map<number, Wire>>();

  add(name: string, spec: LabNode["spec"], fields: Partial<LabNode> = {}): this {
    const wires = new Map<number, Wire>();
    this.#wires.set(name, wires);
    this.nodes.push({ id: name, name, status: "started", spec, wires, ...fields });
    return this;
  }

  pc(index: number, startupScript = `ip 10.0.${index >> 8}.${index & 255}/16`): this {
    return this.add(`PC${index}`, { type: "vpcs", name: `PC${index}`, index, startupScript });
  }

  ethernetSwitch(name: string, ports: number): this {
    return this.add(name, {
      type: "ethernet_switch",
      name,
      ports: Array.from({ length: ports }, () => ACCESS),
    });
  }

  join(one: [string, number], other: [string, number], fields: Partial<LabLink> = {}): this {
    const ends = [one, other];
    const id = ends.flat().join("-");
    for (const [i, [name, port]] of ends.entries()) {
      this.#wires.get(name)!.set(port, { linkId: id, peerId: ends[1 - i]![0] });
    }
    this.links.push({
      id,
      streamName: id,
      ends: ends.map(([nodeId, port]) => ({ nodeId, port })),
      filters: { settings: {}, bpfPredicates: [] },
      suspended: false,
      ...fields,
    });
    return this;
  }

  /** A simulation that has the whole lab from the start. */
  simulate(options: Partial<SimulationOptions> = {}): Simulation {
    const simulation = makeSimulation(options);
    for (const node of this.nodes) simulation.addNode(node);
    for (const link of this.links) simulation.addLink(link);
    return simulation;
  }

  /** Runs to the end, and adds nodes and links when the simulation asks for them, in that order. */
  advanceLazily(simulation: Simulation): void {
    for (let missing = simulation.advance(); missing; missing = simulation.advance()) {
      for (const id of missing.nodes) simulation.addNode(this.nodes.find((node) => node.id === id)!);
      for (const id of missing.links) simulation.addLink(this.links.find((link) => link.id === id)!);
    }
  }
}

export const makeSimulation = (options: Partial<SimulationOptions> = {}): Simulation =>
  new Simulation({
    startUs: LAB_START_US,
    seed: "test",
    limits: AMPLE,
    makeTap: () => undefined,
    ...options,
  });

/** Plans commands for a node's console. */
export function plan(
  simulation: Simulation,
  node: string,
  commands: string[],
  atSeconds = 0,
): ConsoleSession {
  const session = new ConsoleSession(node, commands);
  simulation.schedule(atSeconds * 1e9, typeCommands(session));
  return session;
}
