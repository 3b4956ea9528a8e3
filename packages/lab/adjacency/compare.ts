/** Whether an adjacency is up at both ends, and what each end shows. */
import type { OspfNeighbour } from "../guest-state/neighbours.ts";
import { type Adjacency, addressesOf, canonical, type PortEnd, type SessionEnd } from "./find-adjacencies.ts";
import type { Neighbours } from "./questions.ts";
import type { OspfRule } from "./router-config.ts";

export const PROTOCOL_NAMES = {
  ospf: "OSPF",
  ospf6: "OSPFv3",
  isis: "IS-IS",
  bgp: "BGP",
  bfd: "BFD",
} as const;
export const WANTED = {
  ospf: "Full, or 2-Way between two that are neither designated router nor backup",
  ospf6: "Full, or 2-Way between two that are neither designated router nor backup",
  isis: "Up",
  bgp: "Established",
  bfd: "up",
} as const;

export type NeighboursOf = ReadonlyMap<string, Neighbours>;

export interface Compared {
  readonly isUp: boolean;
  /** What each end shows, in words. */
  readonly ends: readonly [string, string];
}

export function compare(adjacency: Adjacency, all: NeighboursOf): Compared {
  switch (adjacency.protocol) {
    case "ospf":
    case "ospf6":
      return compareOspf(adjacency, all);
    case "isis": {
      const [one, other] = adjacency.ends.map(({ router, port }) =>
        all.get(router.node)?.isis?.filter((each) => each.port === port.name),
      );
      const words = (list: typeof one) =>
        list === undefined
          ? "IS-IS does not run"
          : list.map(({ state }) => state).join(", ") || "no neighbour";
      const isUp = [one, other].every((list) => list?.some(({ state }) => state === "Up"));
      return { isUp, ends: [words(one), words(other)] };
    }
    case "bgp":
      return compareSessions(adjacency.ends, ({ router, rule }) => {
        const list = all.get(router.node)?.bgp;
        const own = list?.find(
          ({ name, vrf }) => vrf === rule.vrf && canonical(name) === canonical(rule.name),
        );
        if (own === undefined)
          return { isUp: false, words: list ? `no neighbour ${rule.name}` : "BGP does not run" };
        const error = own.lastError === undefined ? "" : ` (last: ${own.lastError})`;
        return { isUp: own.state === "Established", words: `${own.state}${error}` };
      });
    case "bfd":
      return compareSessions(adjacency.ends, ({ router, rule }) => {
        const list = all.get(router.node)?.bfd;
        const own = list?.find(
          ({ address, vrf }) => vrf === rule.vrf && canonical(address) === canonical(rule.name),
        );
        if (own === undefined) return { isUp: false, words: list ? "no session" : "BFD does not run" };
        return { isUp: own.isUp, words: own.state };
      });
  }
}

interface EndState {
  readonly isUp: boolean;
  readonly words: string;
}

function compareSessions(
  [one, other]: readonly [SessionEnd, SessionEnd],
  stateOf: (end: SessionEnd) => EndState,
): Compared {
  const [here, there] = [stateOf(one), stateOf(other)];
  return { isUp: here.isUp && there.isUp, ends: [here.words, there.words] };
}

type OspfAdjacency = Extract<Adjacency, { protocol: "ospf" | "ospf6" }>;

function compareOspf({ protocol, isDirect, ends: [one, other] }: OspfAdjacency, all: NeighboursOf): Compared {
  const listOf = ({ router, port }: PortEnd<OspfRule>) =>
    all.get(router.node)?.[protocol]?.filter((each) => each.port === port.name);
  const [here, there] = [listOf(one), listOf(other)];
  const seen = here?.find((each) => isOf(each, other, isDirect));
  const seenBack = there?.find((each) => isOf(each, one, isDirect));
  const isFull = seen?.state === "Full" && seenBack?.state === "Full";
  // Two that are neither wait for the designated router, which both have to be full with.
  const isTwoWay =
    [seen, seenBack].every((each) => each?.state === "2-Way" && each.role === "DROther") &&
    [here, there].every((list) => list?.some(({ state }) => state === "Full"));
  const words = (list: readonly OspfNeighbour[] | undefined, own: OspfNeighbour | undefined, peer: string) =>
    list === undefined
      ? `${protocol === "ospf" ? "OSPF" : "OSPFv3"} does not run`
      : own === undefined
        ? `no neighbour ${peer}`
        : `${own.state}${own.role ? `/${own.role}` : ""}`;
  return {
    isUp: isFull || isTwoWay,
    ends: [words(here, seen, other.router.node), words(there, seenBack, one.router.node)],
  };
}

/** Whether a neighbour is the other end. On a link between two, there is no other one. */
function isOf(
  { address, routerId }: OspfNeighbour,
  { router, port }: PortEnd<OspfRule>,
  isDirect: boolean,
): boolean {
  if (isDirect) return true;
  if (address !== undefined) return addressesOf([port]).includes(canonical(address));
  return router.routerId6 !== undefined && routerId === router.routerId6;
}
