/** Stops a sweep; the batches that have been played stay readable. */
import { failure } from "../shared/edge/errors.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { stopExecution } from "../shared/store/base/executions.ts";
import type { group } from "./routes.ts";
import { readInput, sweepFolder } from "./stored-sweep.ts";

export const cancelSweep: Operation<typeof group.routes.cancelSweep> = async ({ params, access }) => {
  const { sweep_id } = params;
  if ((await readInput(sweepFolder(access.caller.name, sweep_id))) === undefined)
    throw failure("sweep.not-found", { sweep_id });
  await stopExecution(sweep_id);
  return { status: 204 };
};
