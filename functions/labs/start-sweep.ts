/** Stores a sweep and starts the state machine that plays its cases in batches. */
import { failureOf, invalidRequest } from "../shared/edge/errors.ts";
import { LAB_SWEEPS } from "../shared/edge/figures.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { SWEEP_ERRORS } from "../shared/edge/own-errors/sweep.ts";
import { checkGuests } from "../shared/lab-file/check-guests.ts";
import { ANY_IMAGE, hasGuests } from "../shared/lab-file/lab-guests.ts";
import { readModel } from "../shared/lab-file/read-model.ts";
import { BATCH_CASES, GUEST_BATCH_CASES, saveInput, sweepFolder } from "../shared/lab-file/stored-sweep.ts";
import { countCases } from "../shared/lab-file/sweep-cases.ts";
import { executionState, startExecution } from "../shared/store/base/executions.ts";
import {
  leaveSweepPlace,
  readSweepPlace,
  type SweepPlace,
  takeSweepPlace,
} from "../shared/store/limits/sweep-place.ts";
import { refuseForService } from "./refuse-for-service.ts";
import type { group } from "./routes.ts";

/** More than the time between taking the place and the start of the execution. */
const START_SECONDS = 15;

export const startSweep: Operation<typeof group.routes.startSweep> = async ({ body, query, access }) => {
  const model = readModel(body, ANY_IMAGE);
  refuseForService(model);
  const guests = hasGuests(model);
  if (guests) await checkGuests(body);
  const { links, nodes, seeds = 1, seed = model.seed } = query;
  const settings = { links, nodes, seeds, seed };
  const cases = countCases(model, settings);
  refuseTooMany(cases, guests);
  const user = access.caller.name;
  const sweep_id = crypto.randomUUID();
  const forS = LAB_SWEEPS.seconds;
  const before = await readSweepPlace(user, forS);
  if (before && (await isRunning(before)))
    throw failureOf(SWEEP_ERRORS, "sweep.running", { sweep_id: before.sweep_id });
  const sweep = sweepFolder(user, sweep_id);
  await saveInput(sweep, { file: new TextDecoder().decode(body), settings, cases });
  if (!(await takeSweepPlace(user, sweep_id, { forS, after: before?.sweep_id }))) {
    const taken = await readSweepPlace(user, forS);
    throw failureOf(SWEEP_ERRORS, "sweep.running", { sweep_id: taken?.sweep_id ?? sweep_id });
  }
  const batchCases = guests ? GUEST_BATCH_CASES : BATCH_CASES;
  const batches = Array.from({ length: Math.ceil(cases / batchCases) }, (_, batch) => batch);
  try {
    await startExecution(sweep_id, { sweep, batches, ...(guests && { guests }) });
  } catch (error) {
    await leaveSweepPlace(user, sweep_id);
    throw error;
  }
  return { status: 202, body: { sweep_id, cases } };
};

function refuseTooMany(cases: number, guests: boolean): void {
  const most = guests ? LAB_SWEEPS.guestCases : LAB_SWEEPS.cases;
  if (cases <= most) return;
  const message = `makes ${cases} cases; the limit is ${most}${guests ? " for a lab with Linux nodes" : ""}`;
  throw invalidRequest([{ path: "query", message }]);
}

/** Runs, or has the place and will start. */
async function isRunning({ sweep_id, ageS }: SweepPlace): Promise<boolean> {
  const state = await executionState(sweep_id);
  return state === "running" || (state === "absent" && ageS < START_SECONDS);
}
