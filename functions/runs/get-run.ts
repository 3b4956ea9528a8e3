/** How far a run with guests is, and its outcome. */
import { failureOf } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { GUEST_ERRORS } from "../shared/edge/own-errors.ts";
import { toError } from "../shared/run/start-run.ts";
import { type Outcome, readOutcome, readProgress, readRequest, runFolder } from "../shared/run/stored-run.ts";
import type { LabRunState } from "../shared/schemas/run.ts";
import { executionState } from "../shared/store/base/executions.ts";
import { existingProject, getProject } from "../shared/store/project/project.ts";
import type { group } from "./routes.ts";

export const getRun: Operation<typeof group.routes.getRun> = async ({ access, params }) => {
  const { project_id, run_id } = params;
  existingProject(await getProject(access, project_id), project_id);
  const folder = runFolder(access, project_id, run_id);
  if ((await readRequest(folder)) === undefined) throw failureOf(GUEST_ERRORS, "run.not-found", { run_id });
  // Before the outcome, so that a run that has ended has it.
  const state = await executionState(run_id, "GUEST_MACHINE");
  const outcome = await readOutcome(folder);
  const elapsed = (await readProgress(folder))?.elapsed ?? 0;
  return { status: 200, body: { run_id, elapsed, ...shown(run_id, outcome, state === "running") } };
};

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
