import { labRunState } from "./run.ts";

/** Headers of responses to requests that ran the lab but return no run report: the report's `limit`, `unsettled` and `loop`. */
export const RUN_HEADERS = {
  "X-Run-Limit": "The limit at which the run stopped; absent if the run reached no limit",
  "X-Run-Loop":
    "If the limit was caused by a packet loop, the names of its switches and hubs, percent-encoded, separated by commas; at most 16",
  "X-Run-Unsettled":
    "Percent-encoded, why the nodes have booted although a routing protocol still changed; absent if none did",
} as const;

/** The response to a request whose lab has Linux nodes, while its run has not ended. */
export const RUN_BEGUN = {
  description: "The lab has Linux nodes, and still runs: read the run at the address that `Location` has",
  schema: labRunState,
  headers: {
    Location: "The address of the run, relative to the service: a path",
    "Preference-Applied":
      "`wait=N`: the seconds for which the request has waited; absent without `Prefer: wait`",
  },
} as const;
