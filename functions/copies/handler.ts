import { bind } from "../shared/edge/bind.ts";
import { failureOf } from "../shared/edge/errors.ts";
import { SERVER_ERRORS } from "../shared/edge/own-errors/server.ts";
import { requestLedger } from "../shared/store/idempotency/idempotency.ts";
import { runPace } from "../shared/store/limits/pace.ts";
import { duplicateProject } from "./duplicate-project.ts";
import { group } from "./routes.ts";

export const handler = bind(
  group,
  {
    duplicateProject,
    loadProject: async () => {
      throw failureOf(SERVER_ERRORS, "server.not-local", {
        what: "load files of its own; import the project",
      });
    },
  },
  { ledger: requestLedger, pace: runPace },
);
