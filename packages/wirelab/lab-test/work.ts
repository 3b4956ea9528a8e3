/** Labs that were read, and the cases to play. */
import type { LabModel } from "@wirelab/lab/model/lab-model";
import type { CaseSettings } from "./result.ts";

export interface ReadLab {
  readonly file: string;
  readonly name: string;
  readonly text: string;
  /** With the expectations that are judged; undefined for a file with a problem. */
  readonly model: LabModel | undefined;
  /** Positions in the file of the model's expectations. */
  readonly expectations: readonly number[];
  readonly problem: string | undefined;
  readonly cases: readonly CaseSettings[];
}

/** A lab that has cases. */
export type PlayedLab = ReadLab & { readonly model: LabModel };

export interface Work {
  /** The position of the lab in the list of labs. */
  readonly lab: number;
  readonly settings: CaseSettings;
}

export interface PlayOptions {
  readonly hasMatrix: boolean;
  /** Folder for files that labs collect from their nodes. */
  readonly captures: string;
  readonly isBailing: boolean;
  /** Number of threads. */
  readonly jobs: number;
  /** The service that plays the cases instead of this process. */
  readonly url?: string | undefined;
  readonly onProgress: (done: number, all: number) => void;
  /** Time in this thread before workers start; they take about that long to load. */
  readonly aloneMs?: number;
}
