/**
 * A thread that stores how far a lab file is: the function's own thread simulates it without a pause, and stores nothing meanwhile.
 * infra/guest-files.ts bundles it.
 */
import { workerData } from "node:worker_threads";
import { logger } from "../shared/edge/log.ts";
import { saveProgress } from "../shared/run/stored-run.ts";

export interface ProgressSetup {
  /** Where the run is stored. */
  readonly run: string;
  /** Lab seconds, in memory that both threads have. */
  readonly elapsed: Float64Array;
  readonly everyMs: number;
}

const { run, elapsed, everyMs } = workerData as ProgressSetup;

setInterval(() => {
  saveProgress(run, { elapsed: elapsed[0]! }).catch((error: unknown) =>
    logger.warn("no progress stored", { error: error as Error }),
  );
}, everyMs);
