/** Counts the packets that an interface refuses, by reason, for `show`. */
import type { Interface } from "./state.ts";

/** What differs at the two ends of a link, or is wrong in a packet. */
export type Refusal =
  | "area"
  | "authentication"
  | "dead interval"
  | "destination"
  | "duplicate router id"
  | "hello interval"
  | "malformed"
  | "mask"
  | "MTU"
  | "neighbour unknown"
  | "source"
  | "stub area";

export function refuse({ refused }: Interface, reason: Refusal): void {
  refused.set(reason, (refused.get(reason) ?? 0) + 1);
}
