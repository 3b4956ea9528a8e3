import { bind } from "../shared/edge/bind.ts";
import { load } from "../shared/edge/load.ts";
import { requestLedger } from "../shared/store/idempotency/idempotency.ts";
import { runPace } from "../shared/store/limits/pace.ts";
import { listCounters } from "./list-counters.ts";
import { getLink, listImpairments, listLinks } from "./read-link.ts";
import { group } from "./routes.ts";

export const handler = bind(
  group,
  {
    listLinks,
    listCounters,
    listImpairments,
    getLink,
    ...load(
      () => import("./change-links.ts"),
      ["createLink", "updateLink", "deleteLink", "listAvailableFilters"],
    ),
    ...load(() => import("./impairments.ts"), ["getImpairments", "putImpairments", "deleteImpairments"]),
    ...load(() => import("./capture.ts"), ["startCapture", "stopCapture"]),
    ...load(() => import("./replay.ts"), ["replay"]),
  },
  { ledger: requestLedger, pace: runPace },
);
