/** Has the function `guests` carry out a request, and waits for its outcome for as long as the client prefers. */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, ERRORS, failureOf } from "../edge/errors.ts";
import type { OperationRequest } from "../edge/operation.ts";
import { GUEST_ERRORS } from "../edge/own-errors/guest.ts";
import { preferredWait } from "../edge/prefer.ts";
import type { Route } from "../edge/route.ts";
import type { LabRunState } from "../schemas/run.ts";
import { executionState, startExecution } from "../store/base/executions.ts";
import {
  LAB_FILES,
  type Outcome,
  readOutcome,
  readRequest,
  runFolder,
  type StoredAnswer,
  type StoredError,
  saveRequest,
} from "./stored-run.ts";

/** The gateway waits for 29 s. */
const LONGEST_WAIT_S = 20;
const LOOK_AGAIN_MS = 150;
/** Outcomes are looked for more often than the execution's state. */
const LOOKS_PER_STATE = 10;

/**
 * @param operation the name of the route.
 * @returns 202 with the run's address; or the answer of the route, if the run ends while the client prefers to wait.
 * @throws ApiError an error of the route, or `run.guests-failed`, if the run fails while this function waits.
 */
export async function startRun(operation: string, request: OperationRequest<Route>): Promise<StoredAnswer> {
  const { access, body, headers, origin, receipt } = request;
  const params = request.params as Readonly<Record<string, string>>;
  // The same for each attempt at a request with a key.
  const run_id = receipt?.origin ?? crypto.randomUUID();
  const folder = runFolder(access, params.project_id!, run_id);
  // A request that is repeated with its key has begun the run before.
  const isBegun = receipt !== undefined && (await readRequest(folder)) !== undefined;
  if (!isBegun) await saveRequest(folder, { operation, params, body, origin, access });
  if (!isBegun || (await executionState(run_id, "GUEST_MACHINE")) === "absent")
    await startExecution(run_id, { run: folder }, "GUEST_MACHINE");
  const waitS = preferredWait(headers.prefer, LONGEST_WAIT_S);
  const applied: Record<string, string> =
    waitS === undefined ? {} : { "preference-applied": `wait=${waitS}` };
  const outcome = await waitFor(run_id, folder, (waitS ?? 0) * 1_000);
  if (outcome === undefined) {
    const location = addressOf(params.project_id!, run_id);
    return { status: 202, headers: { location, ...applied }, body: unfinished(run_id) };
  }
  if ("error" in outcome) throw toError(outcome.error);
  return { ...outcome.answer, headers: { ...outcome.answer.headers, ...applied } };
}

/** The path of the run, with the stage of the service. */
const addressOf = (projectId: string, runId: string): string =>
  projectId === LAB_FILES ? `/v2/labs/run?run_id=${runId}` : `/v2/projects/${projectId}/runs/${runId}`;

const unfinished = (run_id: string): LabRunState => ({
  run_id,
  status: "running",
  elapsed: 0,
  answer: null,
  error: null,
});

async function waitFor(runId: string, folder: string, waitMs: number): Promise<Outcome | undefined> {
  const untilMs = Date.now() + waitMs;
  for (let looks = 1; Date.now() < untilMs; looks++) {
    await sleep(LOOK_AGAIN_MS);
    const outcome = await readOutcome(folder);
    if (outcome !== undefined) return outcome;
    if (looks % LOOKS_PER_STATE !== 0) continue;
    const state = await executionState(runId, "GUEST_MACHINE");
    if (state !== "failed" && state !== "timed-out") continue;
    // It may have stored the outcome meanwhile.
    const last = await readOutcome(folder);
    if (last !== undefined) return last;
    throw failureOf(GUEST_ERRORS, "run.guests-failed", { run_id: runId });
  }
  return undefined;
}

const TABLE = { ...ERRORS, ...GUEST_ERRORS };

export const toError = ({ code, facts, problems }: StoredError): ApiError =>
  new ApiError(code, TABLE[code as keyof typeof TABLE], facts, problems);
