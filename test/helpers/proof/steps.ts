/** The commands for two PCs, step by step, and their results. */
import type { NotedFrame } from "./real-vpcs.ts";

export type PcName = "A" | "B";

export const PC_NAMES: readonly PcName[] = ["A", "B"];

/** Lines that are typed at the same time. */
export type Step = Readonly<Partial<Record<PcName, string>>>;

/** Before the first command: the frames that the PCs send when they are switched on. */
export const START: Step = {};

export interface StepRecord {
  readonly step: Step;
  /** The frames sent during this step, in order. */
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
