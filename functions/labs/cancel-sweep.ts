/** Stops a sweep; the batches that have been played stay readable. */
import { failureOf } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { SWEEP_ERRORS } from "../shared/edge/own-errors/sweep.ts";
import { readInput, sweepFolder } from "../shared/lab-file/stored-sweep.ts";
import { stopExecution } from "../shared/store/base/executions.ts";
import type { group } from "./routes.ts";

export const cancelSweep: Operation<typeof group.routes.cancelSweep> = async ({ params, access }) => {
  const { sweep_id } = params;
  if ((await readInput(sweepFolder(access.caller.name, sweep_id))) === undefined)
    throw failureOf(SWEEP_ERRORS, "sweep.not-found", { sweep_id });
  await stopExecution(sweep_id);
  return { status: 204 };
};
