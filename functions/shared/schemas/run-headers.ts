/** Headers of responses without a run report, when the request ran the lab: the report's facts about a limit. */
export const RUN_HEADERS = {
  "X-Run-Limit": "The limit at which the run stopped; absent when it stopped at none",
  "X-Run-Loop":
    "Names of the switches and hubs in which a storm went round then, percent-encoded and separated by commas; at most 16",
} as const;
