import { bind } from "../shared/edge/bind.ts";
import { load } from "../shared/edge/load.ts";
import { requestLedger } from "../shared/store/idempotency/idempotency.ts";
import { runPace } from "../shared/store/limits/pace.ts";
import { createSnapshot } from "./create-snapshot.ts";
import { deleteSnapshot, listSnapshots } from "./list-and-delete.ts";
import { group } from "./routes.ts";

export const handler = bind(
  group,
  {
    listSnapshots,
    createSnapshot,
    deleteSnapshot,
    ...load(() => import("./restore-snapshot.ts"), ["restoreSnapshot"]),
    ...load(() => import("./delete-parts.ts"), ["deleteParts"]),
    ...load(() => import("./undo-deletion.ts"), ["undoDeletion"]),
    ...load(() => import("./list-deletions.ts"), ["listDeletions"]),
  },
  { ledger: requestLedger, pace: runPace },
);
