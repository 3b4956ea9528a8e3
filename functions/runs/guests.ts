/** Carries out a request that runs a lab with Linux nodes. A state machine calls it: infra/guest-runs.ts. */
import type { Context } from "aws-lambda";
import { ApiError } from "../shared/edge/errors.ts";
import { logger } from "../shared/edge/log.ts";
import type { OperationRequest } from "../shared/edge/operation.ts";
import type { Route } from "../shared/edge/route.ts";
import { withGuests } from "../shared/run/guests.ts";
import {
  type Outcome,
  readRequest,
  type StoredAnswer,
  saveOutcome,
  saveProgress,
} from "../shared/run/stored-run.ts";
import { runConsole } from "./console.ts";
import { LabGuests } from "./lab-guests.ts";
import * as power from "./power.ts";
import { runLab } from "./run.ts";

const PROGRESS_EVERY_MS = 2_000;

type UntypedOperation = (request: OperationRequest<Route>) => Promise<StoredAnswer>;

const OPERATIONS = { runConsole, runLab, ...power } as unknown as Readonly<Record<string, UntypedOperation>>;

interface RunEvent {
  /** Where the run is stored. */
  readonly run: string;
}

export async function handler({ run }: RunEvent, context: Context): Promise<void> {
  const stored = await readRequest(run);
  const perform = OPERATIONS[stored?.operation ?? ""];
  if (stored === undefined || perform === undefined) throw new Error(`There is no request at ${run}`);
  const guests = new LabGuests(stored.params.project_id!);
  const report = () => saveProgress(run, { elapsed: guests.elapsedSeconds }).catch(logProgress);
  const reporting = setInterval(report, PROGRESS_EVERY_MS);
  const request = {
    ...stored,
    query: {},
    headers: {},
    signal: new AbortController().signal,
    remainingTimeMs: () => context.getRemainingTimeInMillis(),
  } as unknown as OperationRequest<Route>;
  try {
    await saveOutcome(run, await withGuests(guests, () => outcomeOf(perform(request))));
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
