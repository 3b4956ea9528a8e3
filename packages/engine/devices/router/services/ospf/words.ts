/** The words of FRR. */
import type { NeighbourState } from "../../../../routing/ospf/state.ts";

export const NEIGHBOUR_WORDS: Readonly<Record<NeighbourState, string>> = {
  down: "Down",
  attempt: "Attempt",
  init: "Init",
  "2-way": "2-Way",
  exstart: "ExStart",
  exchange: "Exchange",
  loading: "Loading",
  full: "Full",
};
