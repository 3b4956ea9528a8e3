/** Headers of responses to requests that ran the lab but return no run report: the report's `limit` and `loop`. */
export const RUN_HEADERS = {
  "X-Run-Limit": "The limit at which the run stopped; absent if the run reached no limit",
  "X-Run-Loop":
    "If the limit was caused by a packet loop, the names of its switches and hubs, percent-encoded, separated by commas; at most 16",
} as const;
