import { bind } from "../shared/edge/bind.ts";
import { requestLedger } from "../shared/store/idempotency/idempotency.ts";
import { runPace } from "../shared/store/limits/pace.ts";
import { createLink } from "./create-link.ts";
import { deleteLink } from "./delete-link.ts";
import { listAvailableFilters } from "./filters.ts";
import { getLink, listImpairments, listLinks } from "./read-link.ts";
import { group } from "./routes.ts";
import { updateLink } from "./update-link.ts";

export const handler = bind(
  group,
  {
    listLinks,
    listCounters: async (request) => (await import("./list-counters.ts")).listCounters(request),
    listImpairments,
    createLink,
    getLink,
    updateLink,
    deleteLink,
    listAvailableFilters,
    // Loaded on first use: most requests read or change links.
    getImpairments: async (request) => (await import("./impairments.ts")).getImpairments(request),
    putImpairments: async (request) => (await import("./impairments.ts")).putImpairments(request),
    deleteImpairments: async (request) => (await import("./impairments.ts")).deleteImpairments(request),
    startCapture: async (request) => (await import("./capture.ts")).startCapture(request),
    stopCapture: async (request) => (await import("./capture.ts")).stopCapture(request),
    // Loaded on first use: the engine is large, and few requests are replays.
    replay: async (request) => (await import("./replay.ts")).replay(request),
  },
  { ledger: requestLedger, pace: runPace },
);
