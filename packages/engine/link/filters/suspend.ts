import { DROP, type LinkFilter } from "./link-filter.ts";

/** Drops every packet of a suspended link. */
export function makeSuspend(): LinkFilter {
  return { type: "suspend", decide: () => DROP, skip: () => {}, saveState: () => undefined };
}
