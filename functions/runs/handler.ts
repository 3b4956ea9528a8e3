import { bind } from "../api/bind.ts";
import { requestLedger } from "../store/idempotency.ts";
import { runPace } from "../store/pace.ts";
import { runConsole } from "./console.ts";
import * as power from "./power.ts";
import { group } from "./routes.ts";
import { runLab } from "./run.ts";

export const handler = bind(
  group,
  { runConsole, runLab, ...power },
  { ledger: requestLedger, pace: runPace },
);
