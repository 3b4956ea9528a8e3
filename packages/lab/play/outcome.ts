/** Figures of a played lab. */
import type { Played } from "./play.ts";

/** Fingerprint of all frames and all console text of the boot and the timeline. */
export const digestOf = ({ boot, timeline }: Played): string => `${boot.digest}${timeline.digest}`;

/** The switches and hubs between which packets looped, if a run ended at a limit for that. */
export const loopOf = ({ boot, timeline }: Played): readonly string[] | undefined =>
  boot.loop ?? timeline.loop;
