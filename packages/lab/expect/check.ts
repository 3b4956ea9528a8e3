/** A claim that is prepared for one run: what it watches, and how it judges. */
import type { Observer } from "@wirelab/engine/simulation/observer";
import type { Claim, Expectation } from "../model/expectation.ts";
import type { LabModel } from "../model/lab-model.ts";
import type { Played } from "../play/play.ts";
import type { Evidence, Status } from "../report/report.ts";

export interface Outcome {
  readonly status: Status;
  readonly expected: string;
  readonly got: string;
  readonly evidence?: Evidence | undefined;
}

export interface Check {
  /** Watches the timeline. */
  readonly observer?: Observer;
  /** A moment at which the check needs the lab's state; undefined at the end. */
  readonly momentNs?: number | undefined;
  /** Whether the check sends probes from that moment. */
  readonly probes?: true;
  judge(played: Played): Outcome;
}

export type ClaimOf<K extends Claim["kind"]> = Extract<Claim, { kind: K }>;
export type MakeCheck<K extends Claim["kind"]> = (
  claim: ClaimOf<K>,
  expectation: Expectation,
  model: LabModel,
) => Check;

export const passes = (isTrue: boolean): Status => (isTrue ? "passed" : "failed");
