import { bind } from "../shared/edge/bind.ts";
import { requestLedger } from "../shared/store/base/idempotency.ts";
import { runPace } from "../shared/store/limits/pace.ts";
import { runConsole } from "./console.ts";
import * as power from "./power.ts";
import { group } from "./routes.ts";
import { runLab } from "./run.ts";

export const handler = bind(
  group,
  { runConsole, runLab, ...power },
  { ledger: requestLedger, pace: runPace },
);
