/** `adjacency`: whether two routers are neighbours in a routing protocol, and if not, in what their two ends differ. */
import { findPairs, type PortPair } from "../adjacency/find-pairs.ts";
import { ospfDifferences } from "../adjacency/ospf-end.ts";
import type { OspfView } from "../adjacency/ospf-view.ts";
import { ospfViews } from "../adjacency/views.ts";
import type { OspfNeighbour } from "../guest-state/neighbours.ts";
import type { LabModel } from "../model/lab-model.ts";
import type { LabState } from "../topology/lab-state.ts";
import { judgeSession } from "./bgp-session.ts";
import { type MakeCheck, type Outcome, passes } from "./check.ts";

const UP = "Full, or 2-Way between two that are neither designated router nor backup";

export const adjacency: MakeCheck<"adjacency"> = (claim, expectation, model) => {
  const { ends, state: wanted, protocol } = claim;
  const { atNs: momentNs } = expectation;
  return {
    momentNs,
    judge(played): Outcome {
      if (protocol === "bgp") return judgeSession(claim, played, momentNs, model);
      const [one, other] = ospfViews(
        played,
        momentNs,
        ends.map(({ node }) => node),
      ) as [OspfView, OspfView];
      const expected = `an OSPF adjacency of ${one.node} and ${other.node}: ${wanted ?? UP}`;
      const unknown = [one, other].filter(({ obstacle }) => obstacle !== undefined);
      if (unknown.length > 0) {
        const got = unknown.map(({ node, obstacle }) => `${node} ${obstacle}`).join("; ");
        const isUndecided = unknown.some((view) => view.isUnanswered);
        return { status: isUndecided ? "undecided" : "failed", expected, got };
      }
      const pairs = findPairs([one, other], ends, model);
      if (pairs.length === 0) {
        const got = `no link and no network that interfaces of OSPF on ${one.node} and ${other.node} share`;
        return { status: "failed", expected, got };
      }
      const looked = pairs.map((pair) => lookAt(pair, [one, other], wanted));
      const state = played.stateAt(momentNs);
      const got = looked.flatMap(({ isUp, words }, index) => [
        words,
        ...(isUp ? [] : reasonsFor(pairs[index] as PortPair, [one, other], model, state)),
      ]);
      return { status: passes(looked.every(({ isUp }) => isUp)), expected, got: got.join("\n") };
    },
  };
};

type Views = readonly [OspfView, OspfView];

function lookAt(
  pair: PortPair,
  [one, other]: Views,
  wanted: string | undefined,
): { readonly isUp: boolean; readonly words: string } {
  const [here, there] = pair.names;
  const seen = neighbourAt(one, here, other, pair);
  const seenBack = neighbourAt(other, there, one, pair);
  const words = (view: OspfView, port: string, own: OspfNeighbour | undefined, peer: OspfView): string =>
    `${view.node} ${port} shows ${own === undefined ? `no neighbour ${peer.node}` : `${own.state}${own.role ? `/${own.role}` : ""}`}`;
  const isFull = seen?.state === "Full" && seenBack?.state === "Full";
  // Two that are neither wait for the designated router, which both have to be full with.
  const isTwoWay =
    [seen, seenBack].every((each) => each?.state === "2-Way" && each.role === "DROther") &&
    isFullWithOne(one, here) &&
    isFullWithOne(other, there);
  const isWanted = [seen, seenBack].every((each) => (each?.state ?? "Down").toLowerCase() === wanted);
  return {
    isUp: wanted === undefined ? isFull || isTwoWay : isWanted,
    words: `${words(one, here, seen, other)}; ${words(other, there, seenBack, one)}`,
  };
}

const isFullWithOne = ({ neighbours }: OspfView, port: string): boolean =>
  neighbours.some((each) => each.port === port && each.state === "Full");

/** The neighbour at a port that is the other end. On a link between two, there is no other one. */
function neighbourAt(
  { neighbours }: OspfView,
  port: string,
  peer: OspfView,
  { isDirect }: PortPair,
): OspfNeighbour | undefined {
  const own = neighbours.filter((each) => each.port === port);
  if (isDirect) return own[0];
  const addresses = peer.ports.flatMap((each) => each.addresses.map((text) => text.split("/")[0]));
  return own.find(({ address }) => address !== undefined && addresses.includes(address));
}

function reasonsFor(
  { names, ends: [here, there], links }: PortPair,
  views: Views,
  model: LabModel,
  state: LabState,
): string[] {
  const absent = [here, there].flatMap((end, index) =>
    end === undefined ? [`OSPF does not run on ${views[index]?.node} ${names[index]}`] : [],
  );
  const refused = views.flatMap(({ node, refused: by }, index) => {
    const text = by?.get(names[index] as string);
    return text === undefined ? [] : [`${node} ${names[index]} has refused packets: ${text}`];
  });
  const cut = model.links.flatMap(({ name }) =>
    links.includes(name) && state.links.get(name)?.isDown ? [`the link ${name} is down`] : [],
  );
  return [
    ...cut,
    ...absent,
    ...(here === undefined || there === undefined ? [] : ospfDifferences(here, there)),
    ...refused,
  ];
}
