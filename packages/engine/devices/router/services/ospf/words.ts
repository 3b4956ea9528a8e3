/** The words of FRR. */
import type { Interface, Neighbour, NeighbourState } from "../../../../routing/ospf/state.ts";

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

/** @returns undefined at a link without roles. */
export function roleOf(
  { config, designated, backup }: Interface,
  { address }: Neighbour,
): "DR" | "Backup" | "DROther" | undefined {
  if (config.network === "point-to-point") return undefined;
  if (address === designated) return "DR";
  return address === backup ? "Backup" : "DROther";
}
