/** Which ports of Linux nodes, or of routers, share a link, or a switch that only passes frames on. */
import type { LabModel, LinkEnd, NodeModel } from "../model/lab-model.ts";
import type { LabState } from "../topology/lab-state.ts";

export interface GuestPort {
  readonly node: string;
  readonly port: string;
}

export interface Segment {
  readonly ports: readonly GuestPort[];
  /** Whether it is a link between two ports. */
  readonly isDirect: boolean;
}

/** Whether a link has filters or impairments, which may lose packets of neighbours. */
export function isDisturbed(link: string, { links }: LabState): boolean {
  const now = links.get(link);
  return now !== undefined && (Object.keys(now.filters.settings).length > 0 || now.impairments !== undefined);
}

const keyOf = ({ node, port }: LinkEnd): string => `${node} ${port}`;

/** The nodes whose ports are looked for, and what joins them. */
export interface SegmentRules {
  readonly types: ReadonlySet<NodeModel["spec"]["type"]>;
  readonly isOn: (node: string) => boolean;
  readonly joins: (link: string) => boolean;
}

/** @param state of the moment: a link that is down or disturbed joins nothing, a node that is off neither. */
const guestsIn = (state: LabState): SegmentRules => ({
  types: new Set(["linux"]),
  isOn: (node) => state.nodes.get(node)?.status === "started",
  joins: (link) => !(state.links.get(link)?.isDown || isDisturbed(link, state)),
});

/** As the links are drawn, whether or not they work. */
export const AS_DRAWN: SegmentRules = {
  types: new Set(["linux", "router"]),
  isOn: () => true,
  joins: () => true,
};

/** A switch with VLANs or a spanning tree ends a segment. */
export function findSegments(
  { nodes, links }: LabModel,
  stateOrRules: LabState | SegmentRules,
): readonly Segment[] {
  const { types, isOn, joins } = "types" in stateOrRules ? stateOrRules : guestsIn(stateOrRules);
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const peers = new Map<string, LinkEnd>();
  for (const { name, ends } of links) {
    if (!joins(name)) continue;
    peers.set(keyOf(ends[0]), ends[1]);
    peers.set(keyOf(ends[1]), ends[0]);
  }
  const seen = new Set<string>();
  const segments: Segment[] = [];
  for (const node of nodes) {
    if (!types.has(node.spec.type)) continue;
    for (const port of node.ports.keys()) {
      const start = { node: node.name, port };
      if (!seen.has(keyOf(start))) segments.push(follow(start));
    }
  }
  return segments.filter(({ ports }) => ports.length > 1);

  function follow(start: LinkEnd): Segment {
    const ports: GuestPort[] = [];
    const waiting = [start];
    let passed = 0;
    for (let end = waiting.pop(); end !== undefined; end = waiting.pop()) {
      if (seen.has(keyOf(end))) continue;
      seen.add(keyOf(end));
      const node = byName.get(end.node);
      if (node === undefined || !isOn(node.name)) continue;
      if (types.has(node.spec.type)) ports.push({ node: node.name, port: node.ports[end.port] ?? "" });
      else if (node.spec.type === "ethernet_switch" || node.spec.type === "ethernet_hub") {
        passed += 1;
        if (!isPlain(node)) continue;
        for (const port of node.ports.keys()) waiting.push({ node: node.name, port });
      }
      const peer = peers.get(keyOf(end));
      if (peer !== undefined) waiting.push(peer);
    }
    return { ports, isDirect: passed === 0 };
  }
}

/** Settings of a switch with which it still passes all frames on. */
const HARMLESS = new Set(["type", "name", "ports", "ageing_time", "lldp", "mtu"]);

function isPlain({ spec }: NodeModel): boolean {
  if (spec.type !== "ethernet_switch") return true;
  const [first, ...others] = spec.ports;
  return (
    Object.entries(spec).every(([key, value]) => HARMLESS.has(key) || value === undefined) &&
    spec.ports.every(({ type }) => type === "access") &&
    others.every(({ vlan }) => vlan === first?.vlan)
  );
}
