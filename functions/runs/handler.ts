import { bind } from "../shared/edge/bind.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { withGuestRuns } from "../shared/run/with-guest-runs.ts";
import { requestLedger } from "../shared/store/idempotency/idempotency.ts";
import { runPace } from "../shared/store/limits/pace.ts";
import { runConsole } from "./load-console.ts";
import * as power from "./power.ts";
import { group } from "./routes.ts";
import { runLab } from "./run.ts";

/** Loaded on first use: only runs with guests outlast their requests. */
const getRun: Operation<typeof group.routes.getRun> = async (request) =>
  (await import("./get-run.ts")).getRun(request);

export const handler = bind(
  group,
  { ...withGuestRuns({ runConsole, runLab, ...power }), getRun },
  { ledger: requestLedger, pace: runPace },
);
