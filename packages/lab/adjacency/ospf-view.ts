/** What a node knows about OSPF at a moment: the same for simulated routers and for guests. */
import type { OspfNeighbour } from "../guest-state/neighbours.ts";
import type { OspfEnd } from "./ospf-end.ts";

export interface OspfView {
  readonly node: string;
  /** Why nothing is known about the node, in words: `is off`. */
  readonly obstacle: string | undefined;
  /** Whether the obstacle leaves it open what the node knows. */
  readonly isUnanswered?: boolean;
  /** The interfaces on which OSPF runs. */
  readonly ends: readonly OspfEnd[];
  readonly neighbours: readonly OspfNeighbour[];
  /** All interfaces with their addresses. */
  readonly ports: readonly { readonly name: string; readonly addresses: readonly string[] }[];
  /** In words, by interface, which packets were refused, and how many; absent where the daemon does not count them. */
  readonly refused?: ReadonlyMap<string, string>;
}

export const unknownView = (node: string, obstacle: string, isUnanswered = false): OspfView => ({
  node,
  obstacle,
  isUnanswered,
  ends: [],
  neighbours: [],
  ports: [],
});
