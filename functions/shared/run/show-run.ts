/** How far a run with guests is, and its outcome. */
import type { Access } from "../edge/access.ts";
import { failureOf } from "../edge/errors.ts";
import { GUEST_ERRORS } from "../edge/own-errors/guest.ts";
import type { LabRunState } from "../schemas/run.ts";
import { executionState } from "../store/base/executions.ts";
import { toError } from "./start-run.ts";
import { type Outcome, readOutcome, readProgress, readRequest, runFolder } from "./stored-run.ts";

/** @throws ApiError `run.not-found` */
export async function showRun(access: Access, projectId: string, run_id: string): Promise<LabRunState> {
  const folder = runFolder(access, projectId, run_id);
  if ((await readRequest(folder)) === undefined) throw failureOf(GUEST_ERRORS, "run.not-found", { run_id });
  // Before the outcome, so that a run that has ended has it.
  const state = await executionState(run_id, "GUEST_MACHINE");
  const outcome = await readOutcome(folder);
  const elapsed = (await readProgress(folder))?.elapsed ?? 0;
  return { run_id, elapsed, ...shown(run_id, outcome, state === "running") };
}

function shown(
  run_id: string,
  outcome: Outcome | undefined,
  isRunning: boolean,
): Pick<LabRunState, "status" | "answer" | "error"> {
  if (outcome === undefined && isRunning) return { status: "running", answer: null, error: null };
  if (outcome !== undefined && "answer" in outcome) {
    const { status, body = null } = outcome.answer;
    return { status: "finished", answer: { status, body }, error: null };
  }
  const { code, message, status } =
    outcome === undefined ? failureOf(GUEST_ERRORS, "run.guests-failed", { run_id }) : toError(outcome.error);
  return { status: "failed", answer: null, error: { code, message, status } };
}
