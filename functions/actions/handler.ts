import { bind } from "../shared/edge/bind.ts";
import { load } from "../shared/edge/load.ts";
import { requestLedger } from "../shared/store/idempotency/idempotency.ts";
import { resetAllConsoles, resetConsole } from "./reset-console.ts";
import { group } from "./routes.ts";

export const handler = bind(
  group,
  {
    resetConsole,
    resetAllConsoles,
    ...load(() => import("./duplicate-node.ts"), ["duplicateNode"]),
    ...load(() => import("./on-emulator.ts"), ["findIdlePc", "listIdlePcs", "resizeDisk"]),
  },
  { ledger: requestLedger },
);
