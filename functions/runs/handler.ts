import { bind } from "../shared/edge/bind.ts";
import { withGuestRuns } from "../shared/run/with-guest-runs.ts";
import { requestLedger } from "../shared/store/idempotency/idempotency.ts";
import { runPace } from "../shared/store/limits/pace.ts";
import { getRun } from "./get-run.ts";
import { group } from "./routes.ts";
import { RUNS } from "./runs.ts";

export const handler = bind(
  group,
  { ...withGuestRuns(RUNS), getRun },
  { ledger: requestLedger, pace: runPace },
);
