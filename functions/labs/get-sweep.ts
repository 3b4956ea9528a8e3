/** Sums up the batches of a sweep that have been played. */
import { failureOf } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { SWEEP_ERRORS } from "../shared/edge/own-errors.ts";
import { type BatchResult, readInput, readResults, sweepFolder } from "../shared/lab-file/stored-sweep.ts";
import type { LabSweep } from "../shared/schemas/lab-sweep.ts";
import { executionState } from "../shared/store/base/executions.ts";
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
  const status =
    sums.done === input.cases ? "finished" : state === "finished" || state === "absent" ? "failed" : state;
  return { status: 200, body: { sweep_id, status, cases: input.cases, ...sums } };
};

function sumUp(results: readonly BatchResult[]): Omit<LabSweep, "sweep_id" | "status" | "cases"> {
  const sum = (count: "passed" | "failed" | "undecided") =>
    results.reduce((total, result) => total + result[count], 0);
  const [passed, failed, undecided] = [sum("passed"), sum("failed"), sum("undecided")];
  const failing = results.flatMap((result) => result.failing).slice(0, MOST_FAILING);
  return { done: passed + failed + undecided, passed, failed, undecided, failing };
}
