import { DROP, type LinkFilter } from "./link-filter.ts";

/** A suspended link: nothing gets through. */
export function makeSuspend(): LinkFilter {
  return { type: "suspend", decide: () => DROP, skip: () => {}, saveState: () => undefined };
}
