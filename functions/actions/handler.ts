import { bind } from "../shared/edge/bind.ts";
import { requestLedger } from "../shared/store/idempotency/idempotency.ts";
import { duplicateNode } from "./duplicate-node.ts";
import { findIdlePc, listIdlePcs, resizeDisk } from "./on-emulator.ts";
import { resetAllConsoles, resetConsole } from "./reset-console.ts";
import { group } from "./routes.ts";

export const handler = bind(
  group,
  { duplicateNode, resetConsole, resetAllConsoles, findIdlePc, listIdlePcs, resizeDisk },
  { ledger: requestLedger },
);
