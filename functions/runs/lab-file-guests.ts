/** Plays lab files with Linux nodes, and cases of their sweeps. */
import { RESERVE_MS } from "../shared/edge/figures.ts";
import { playCases } from "../shared/lab-file/play-cases.ts";
import { type PlayQuery, playLabFile } from "../shared/lab-file/play-lab-file.ts";
import {
  type BatchEvent,
  GUEST_BATCH_CASES,
  readBatchInput,
  saveResult,
} from "../shared/lab-file/stored-sweep.ts";
import { casesOfBatch } from "../shared/lab-file/sweep-cases.ts";
import type { StoredAnswer } from "../shared/run/stored-run.ts";
import { withFileGuests } from "./with-file-guests.ts";

type RemainingTimeMs = () => number;

export interface LabFileRequest {
  readonly body: { readonly file: string; readonly query: PlayQuery };
  readonly remainingTimeMs: RemainingTimeMs;
  /** Gets the lab time that has been simulated. */
  readonly note: (elapsedSeconds: number) => void;
}

/** The body of the answer is the report as it is stored: functions/labs/run-lab-file.ts, functions/labs/get-lab-run.ts. */
export const runLabFile = ({
  body: { file, query },
  remainingTimeMs,
  note,
}: LabFileRequest): Promise<StoredAnswer> =>
  withFileGuests(file, async (model) => ({
    status: 200,
    body: await playLabFile(model, query, remainingTimeMs, note),
  }));

/** The state machine of sweeps calls the function with this event: infra/lab-sweeps.ts. */
export async function playBatch(event: BatchEvent, remainingTimeMs: RemainingTimeMs): Promise<void> {
  const { file, settings } = await readBatchInput(event);
  const result = await withFileGuests(file, (model) =>
    playCases(model, casesOfBatch(model, settings, event.batch, GUEST_BATCH_CASES), {
      hasNoTime: () => remainingTimeMs() < RESERVE_MS,
    }),
  );
  await saveResult(event, result);
}
