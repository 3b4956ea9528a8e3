/** Headers of answers that are not a report of a run, though one was made: what a report says of a limit. */
export const RUN_HEADERS = {
  "X-Run-Limit": "The limit at which the run stopped; absent when it stopped at none",
  "X-Run-Loop":
    "Names of the switches and hubs in which a storm went round then, percent-encoded and separated by commas; at most 16",
} as const;
