/** The state of a lab between two runs: what a snapshot of a running simulation holds. */
import type { SwitchSettings } from "@wirelab/engine/net/bridge/settings/settings";
import type {
  LabLink,
  LabNode,
  LinkFilters,
  LinkImpairments,
  LinkState,
  NodeState,
  PowerStatus,
  Wire,
} from "@wirelab/engine/simulation/lab";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import type { CompiledImpairments, LabModel, LinkModel, NodeModel } from "../model/lab-model.ts";

interface NodeNow {
  readonly status: PowerStatus;
  readonly state: NodeState | undefined;
}

interface LinkNow {
  readonly filters: LinkFilters;
  readonly impairments: LinkImpairments | undefined;
  readonly isDown: boolean;
  readonly state: LinkState | undefined;
}

/** The fields are plain data or immutable; one state can begin several runs. */
export interface LabState {
  readonly nodes: ReadonlyMap<string, NodeNow>;
  readonly links: ReadonlyMap<string, LinkNow>;
}

/** The state before power-on. */
export const initialState = (model: LabModel): LabState => ({
  nodes: new Map(
    model.nodes.map(({ name, isStarted }) => [
      name,
      { status: isStarted ? "started" : "stopped", state: undefined },
    ]),
  ),
  links: new Map(
    model.links.map(({ name, filters, impairments, isDown }) => [
      name,
      { filters, impairments: impairments && whileBooting(impairments), isDown, state: undefined },
    ]),
  ),
});

/** While the lab boots, links have the impairments with which their schedules begin. */
const whileBooting = ({ impairments }: CompiledImpairments): LinkImpairments => ({
  impairments: { ...impairments, changes: [], repeatNs: 0 },
  // Another time than the timeline's: the schedule begins anew there.
  sinceUs: 0,
});

/** Begins the schedules of impairments. @param sinceUs the lab's clock then: microseconds since 1970. */
export const onTimeline = (state: LabState, { links }: LabModel, sinceUs: number): LabState => ({
  ...state,
  links: new Map(
    links.map(({ name, impairments }) => [
      name,
      {
        ...state.links.get(name)!,
        impairments: impairments && { impairments: impairments.impairments, sinceUs },
      },
    ]),
  ),
});

/** Copies the state of a simulation, at any moment of its run, without changing the run. */
export function stateOf(simulation: Simulation, before: LabState): LabState {
  const nodes = new Map(before.nodes);
  for (const [name, node] of simulation.nodes) {
    const changes = node.changes();
    if (changes) nodes.set(name, structuredClone(changes));
  }
  const links = new Map(before.links);
  for (const [name, link] of simulation.links) {
    const state = link.changedState() ?? before.links.get(name)?.state;
    links.set(name, {
      filters: link.filters,
      impairments: link.impairments,
      isDown: link.suspended,
      state: state && structuredClone(state),
    });
  }
  return { nodes, links };
}

/** Adds all nodes and links to a simulation. Ids are names. */
export function addLab(simulation: Simulation, model: LabModel, state: LabState): void {
  const wires = wiresOf(model);
  for (const node of model.nodes)
    simulation.addNode(toLabNode(node, state, wires.get(node.name) ?? new Map()));
  for (const link of model.links) simulation.addLink(toLabLink(link, state));
}

function wiresOf({ links }: LabModel): ReadonlyMap<string, Map<number, Wire>> {
  const wires = new Map<string, Map<number, Wire>>();
  for (const { name, ends } of links) {
    for (const [index, end] of ends.entries()) {
      const ofNode = wires.get(end.node) ?? new Map<number, Wire>();
      ofNode.set(end.port, { linkId: name, peerId: ends[1 - index]!.node });
      wires.set(end.node, ofNode);
    }
  }
  return wires;
}

const toLabNode = (
  { name, spec }: NodeModel,
  { nodes }: LabState,
  wires: ReadonlyMap<number, Wire>,
): LabNode => ({ id: name, name, spec: wired(spec, wires), wires, ...nodes.get(name)! });

const speaks = ({ rstp, lldp, bundles, igmp_snooping, mld_snooping }: SwitchSettings): boolean =>
  (rstp ?? lldp ?? bundles ?? igmp_snooping ?? mld_snooping) !== undefined;

/** A switch with a protocol to its neighbours sends nothing from ports without a link. */
const wired = (spec: NodeModel["spec"], wires: ReadonlyMap<number, Wire>): NodeModel["spec"] =>
  spec?.type === "ethernet_switch" && speaks(spec)
    ? { ...spec, ports: spec.ports.map((port, number) => ({ ...port, isWired: wires.has(number) })) }
    : spec;

function toLabLink({ name, ends }: LinkModel, { links }: LabState): LabLink {
  const { filters, impairments, isDown, state } = links.get(name)!;
  return {
    id: name,
    // As in the service: the same lab has the same random streams there.
    streamName: ends.map(({ node, port }) => `${node}/${port}`).join(" "),
    ends: ends.map(({ node, port }) => ({ nodeId: node, port })),
    filters,
    ...(impairments && { impairments }),
    suspended: isDown,
    state,
  };
}
