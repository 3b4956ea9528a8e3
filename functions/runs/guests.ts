/**
 * Carries out a request that runs a lab with Linux nodes, or plays a case of a sweep of such a lab file. State machines call it:
 * infra/guest-runs.ts, infra/lab-sweeps.ts.
 */
import type { Context } from "aws-lambda";
import { ApiError } from "../shared/edge/errors.ts";
import { type Later, load } from "../shared/edge/load.ts";
import { logger } from "../shared/edge/log.ts";
import type { BatchEvent } from "../shared/lab-file/stored-sweep.ts";
import { withGuests } from "../shared/run/guests.ts";
import {
  type Outcome,
  readRequest,
  type StoredAnswer,
  saveOutcome,
  saveProgress,
} from "../shared/run/stored-run.ts";
import type { LabFileRequest } from "./lab-file-guests.ts";
import { LabGuests } from "./lab-guests.ts";
import { RUNS } from "./runs.ts";
import { startProgressThread } from "./start-progress-thread.ts";

const PROGRESS_EVERY_MS = 2_000;

const { typeOnConsole, reportOnConsole } = load(
  () => import("./type-on-console.ts"),
  ["typeOnConsole", "reportOnConsole"],
);
const { runLabFile, playBatch } = load(() => import("./lab-file-guests.ts"), ["runLabFile", "playBatch"]);

const runWithProgress = async ({ run, elapsed, ...request }: LabFileRequest & Progressing) => {
  const thread = startProgressThread({ run, elapsed, everyMs: PROGRESS_EVERY_MS });
  const note = (seconds: number) => {
    elapsed[0] = seconds;
  };
  try {
    return await (await runLabFile.load())({ ...request, note });
  } finally {
    await thread.terminate();
  }
};

interface Progressing {
  /** Where the run is stored. */
  readonly run: string;
  /** Lab seconds, in memory that threads share. */
  readonly elapsed: Float64Array;
}

/** Its request was stored by the function that has bound the operation to a route, and has checked it. */
type StoredOperation = (request: never) => Promise<StoredAnswer>;

const OPERATIONS: Readonly<Record<string, Later<StoredOperation>>> = {
  ...load(() => import("./open.ts"), ["openProject"]),
  ...RUNS,
  runLabFile: { load: async () => runWithProgress },
  typeOnConsole,
};

/** By operation: what is done after the function has failed at it. A client that has the run's id reads that it has failed. */
const AFTER_FAILURE: typeof OPERATIONS = {
  typeOnConsole: reportOnConsole,
};

interface RunEvent {
  /** Where the run is stored. */
  readonly run: string;
  /** Present when the function has failed at the run: the error and its cause. */
  readonly failure?: object;
}

export async function handler(event: RunEvent | BatchEvent, context: Context): Promise<void> {
  const remainingTimeMs = () => context.getRemainingTimeInMillis();
  if ("run" in event) await carryOut(event, remainingTimeMs);
  else await (await playBatch.load())(event, remainingTimeMs);
}

async function carryOut({ run, failure }: RunEvent, remainingTimeMs: () => number): Promise<void> {
  const stored = await readRequest(run);
  if (stored === undefined) throw new Error(`There is no request at ${run}`);
  const operation = (failure ? AFTER_FAILURE : OPERATIONS)[stored.operation];
  if (operation === undefined) return;
  const perform = await operation.load();
  const guests = new LabGuests(stored.params.project_id!);
  const elapsed = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  const report = () => saveProgress(run, { elapsed: elapsed[0] || guests.elapsedSeconds }).catch(logProgress);
  const reporting = setInterval(report, PROGRESS_EVERY_MS);
  const request = {
    ...stored,
    run,
    elapsed,
    query: {},
    headers: {},
    signal: new AbortController().signal,
    remainingTimeMs,
  };
  try {
    await saveOutcome(run, await withGuests(guests, () => outcomeOf(perform(request as never))));
  } catch (error) {
    logger.error("a run with guests failed", { run, error: error as Error });
    throw error;
  } finally {
    clearInterval(reporting);
    await report();
    guests.close();
  }
}

async function outcomeOf(performed: Promise<StoredAnswer>): Promise<Outcome> {
  try {
    const { status, headers, body } = await performed;
    return { answer: { status, headers, body } };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, facts, problems } = error;
    return { error: { code, facts, problems } };
  }
}

const logProgress = (error: unknown): void => logger.warn("no progress stored", { error: error as Error });
