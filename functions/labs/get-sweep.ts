/** Sums up the batches of a sweep that have been played. */
import { failureOf } from "../shared/edge/errors.ts";
import { LAB_SWEEPS } from "../shared/edge/figures.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { SWEEP_ERRORS } from "../shared/edge/own-errors/sweep.ts";
import { type BatchResult, readInput, readResults, sweepFolder } from "../shared/lab-file/stored-sweep.ts";
import type { LabSweep } from "../shared/schemas/lab-sweep.ts";
import { type ExecutionState, executionState } from "../shared/store/base/executions.ts";
import type { group } from "./routes.ts";

const MOST_FAILING = 100;

export const getSweep: Operation<typeof group.routes.getSweep> = async ({ params, access }) => {
  const { sweep_id } = params;
  const folder = sweepFolder(access.caller.name, sweep_id);
  const input = await readInput(folder);
  if (input === undefined) throw failureOf(SWEEP_ERRORS, "sweep.not-found", { sweep_id });
  // Before the results, so that a sweep that has ended has all of them.
  const state = await executionState(sweep_id);
  const sums = sumUp(await readResults(folder));
  // Step Functions forgets executions, and a local stack forgets them when it ends; the results stay.
  const isFinished = sums.done === input.cases;
  const status = isFinished ? "finished" : state === "running" || state === "cancelled" ? state : "failed";
  const error = status === "failed" ? errorOf(state, sums.done, input.cases) : null;
  return { status: 200, body: { sweep_id, status, error, cases: input.cases, ...sums } };
};

function errorOf(state: ExecutionState, done: number, cases: number): string {
  const played = `after ${done} of ${cases} cases`;
  if (state === "timed-out")
    return `The time of a sweep, ${LAB_SWEEPS.seconds / 60} minutes, was over ${played}; sweep fewer seeds or failures at once`;
  // A local stack forgets the sweeps that run when it ends.
  const cause = state === "failed" ? ", because a case could not be played" : "";
  return `The sweep ended ${played}${cause}; start it again`;
}

function sumUp(results: readonly BatchResult[]): Omit<LabSweep, "sweep_id" | "status" | "error" | "cases"> {
  const sum = (count: "passed" | "failed" | "undecided") =>
    results.reduce((total, result) => total + result[count], 0);
  const [passed, failed, undecided] = [sum("passed"), sum("failed"), sum("undecided")];
  const failing = results.flatMap((result) => result.failing).slice(0, MOST_FAILING);
  return { done: passed + failed + undecided, passed, failed, undecided, failing };
}
