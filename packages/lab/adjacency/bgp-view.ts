/** What a node knows about BGP at a moment: the same for simulated routers and for guests. */
import type { BgpEnd } from "./bgp-end.ts";
import { canonical } from "./find-adjacencies.ts";

export interface BgpView {
  readonly node: string;
  /** Why nothing is known about the node, in words: `is off`. */
  readonly obstacle: string | undefined;
  /** Whether the obstacle leaves it open what the node knows. */
  readonly isUnanswered?: boolean;
  /** Its neighbours. */
  readonly ends: readonly BgpEnd[];
  /** All interfaces with their addresses, without prefix lengths. */
  readonly ports: readonly { readonly name: string; readonly addresses: readonly string[] }[];
}

export const unknownBgp = (node: string, obstacle: string, isUnanswered = false): BgpView => ({
  node,
  obstacle,
  isUnanswered,
  ends: [],
  ports: [],
});

/** One or both ends of a session. */
export type Session = readonly [BgpEnd | undefined, BgpEnd | undefined];

/** The sessions of two nodes, each end with an address of the other one. @param ports the interfaces whose addresses count; undefined for all. */
export function findSessions(
  [one, other]: readonly [BgpView, BgpView],
  [here, there]: readonly [string | undefined, string | undefined],
): readonly Session[] {
  const ends = endsTo(one, other, there);
  const back = endsTo(other, one, here);
  // The address that one end names may be another one than the other end uses: then their order pairs them.
  const pairs = ends.map((end): Session => [end, back.find((each) => isAnswer(end, each)) ?? undefined]);
  const left = back.filter((each) => !pairs.some(([, answer]) => answer === each));
  const joined = pairs.map(([end, answer]): Session => [end, answer ?? left.shift()]);
  return [...joined, ...left.map((each): Session => [undefined, each])];
}

const endsTo = (from: BgpView, to: BgpView, port: string | undefined): readonly BgpEnd[] => {
  const addresses = to.ports
    .filter(({ name }) => port === undefined || name === port)
    .flatMap((each) => each.addresses.map(canonical));
  return from.ends.filter(({ address }) => address !== undefined && addresses.includes(canonical(address)));
};

const isAnswer = (end: BgpEnd, answer: BgpEnd): boolean =>
  end.source === undefined || answer.source === undefined
    ? true
    : end.source === answer.address || answer.source === end.address;
