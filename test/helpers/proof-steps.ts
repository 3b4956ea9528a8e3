/** What two PCs are told, step by step, and what they did. */
import type { NotedFrame } from "./real-vpcs.ts";

export type PcName = "A" | "B";

export const PC_NAMES: readonly PcName[] = ["A", "B"];

/** Lines that are typed at the same time. */
export type Step = Readonly<Partial<Record<PcName, string>>>;

/** Before anything is typed: what they send because they have been switched on. */
export const START: Step = {};

export interface StepRecord {
  readonly step: Step;
  /** Sent from this step's beginning to its end, in order. */
  readonly frames: readonly NotedFrame[];
  readonly printed: Readonly<Partial<Record<PcName, string>>>;
}

export const namedLines = (step: Step): (readonly [PcName, string])[] =>
  PC_NAMES.flatMap((name) => (step[name] === undefined ? [] : [[name, step[name]] as const]));

/** `A: ping 10.0.0.2, B: show arp` */
export const describeStep = (step: Step): string =>
  namedLines(step)
    .map(([name, line]) => `${name}: ${line}`)
    .join(", ") || "switched on";
