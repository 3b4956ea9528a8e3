/** Which interfaces of two routers face each other. */
import type { AdjacencyEnd } from "../model/expectation.ts";
import type { LabModel } from "../model/lab-model.ts";
import type { OspfEnd } from "./ospf-end.ts";
import type { OspfView } from "./ospf-view.ts";
import { AS_DRAWN, findSegments } from "./segments.ts";
import { shareNetwork } from "./share-network.ts";

export interface PortPair {
  /** Names of the interfaces. */
  readonly names: readonly [string, string];
  /** Undefined where OSPF does not run. */
  readonly ends: readonly [OspfEnd | undefined, OspfEnd | undefined];
  /** Whether a link joins the two interfaces, and nothing else is there. */
  readonly isDirect: boolean;
  /** The links at the two interfaces. */
  readonly links: readonly string[];
}

/**
 * Returns pairs on a link or a plain switch of which at least one end runs OSPF, and pairs in one network: subinterfaces, tunnels, ports behind
 * switches with VLANs. Where a pair without a passive end is found, pairs with one are left out: networks of hosts that both routers have.
 */
export function findPairs(
  [one, other]: readonly [OspfView, OspfView],
  [here, there]: readonly [AdjacencyEnd, AdjacencyEnd],
  model: LabModel,
): readonly PortPair[] {
  const isWanted = (names: PortPair["names"]): boolean =>
    (here.port ?? names[0]) === names[0] && (there.port ?? names[1]) === names[1];
  const joined = findSegments(model, AS_DRAWN).flatMap(({ ports, isDirect }) =>
    ports
      .filter(({ node }) => node === one.node)
      .flatMap((a) =>
        ports
          .filter(({ node }) => node === other.node)
          .map((b) => pairOf([a.port, b.port], isDirect, one, other, model)),
      ),
  );
  const linked = joined.filter(({ names, ends }) => isWanted(names) && ends.some((end) => end !== undefined));
  const inNetwork = one.ends
    .flatMap((a) =>
      other.ends
        .filter((b) => shareNetwork(a.addresses ?? [], b.addresses ?? []))
        .map((b) => pairOf([a.port, b.port], false, one, other, model)),
    )
    .filter(
      ({ names, ends }) =>
        isWanted(names) &&
        ends.every((end) => end?.network !== "loopback") &&
        !linked.some((each) => each.names[0] === names[0] && each.names[1] === names[1]),
    );
  const all = [...linked, ...inNetwork];
  const active = all.filter(({ ends }) => ends.every((end) => end?.isPassive === false));
  return active.length > 0 ? active : all;
}

function pairOf(
  names: PortPair["names"],
  isDirect: boolean,
  one: OspfView,
  other: OspfView,
  { links, nodes }: LabModel,
): PortPair {
  const endOf = ({ ends }: OspfView, name: string): OspfEnd | undefined =>
    ends.find(({ port }) => port === name);
  const isAt = (view: OspfView, name: string) => (end: { readonly node: string; readonly port: number }) =>
    end.node === view.node && nodes.find((node) => node.name === end.node)?.ports[end.port] === name;
  return {
    names,
    ends: [endOf(one, names[0]), endOf(other, names[1])],
    isDirect,
    links: links
      .filter(({ ends }) => ends.some(isAt(one, names[0])) || ends.some(isAt(other, names[1])))
      .map(({ name }) => name),
  };
}
