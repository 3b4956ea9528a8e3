/** A replay's options and its report. */
import * as z from "zod";
import { uuid } from "./ids.ts";
import { parseLabTime } from "./lab-time.ts";

/** `1700000000`, `1700000000.25` or `2026-11-21T10:00:00.25Z`, to the nanosecond. */
const startNs = z
  .string()
  .transform((text, context) => {
    const parsed = parseLabTime(text);
    if (parsed === undefined) {
      context.addIssue({
        code: "custom",
        message:
          "is neither seconds since 1970 (with up to nine decimals) nor a UTC time such as 2026-11-21T10:00:00Z, both before 2100",
      });
      return z.NEVER;
    }
    return parsed;
  })
  .describe(
    "Lab time of the first packet: seconds since 1970 or an RFC 3339 time in UTC; the present when absent",
  );

export const replayQuery = z.object({
  from: uuid.optional().describe("Node at which the packets enter; the link's first end when absent"),
  seed: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe("Names the random choices; drawn and reported when absent"),
  start: startNs.optional(),
});

const count = z.int();
const milliseconds = z.number().nullable();

export const replayReport = z
  .object({
    packets_in: count,
    packets_delivered: count,
    packets_dropped: count,
    packets_corrupted: count,
    bytes_in: count,
    bytes_delivered: count,
    filters: z
      .record(z.string(), z.object({ seen: count, dropped: count, corrupted: count }))
      .describe("What each filter of the link saw and did, in the order in which packets pass them"),
    delay_ms: z.object({
      min: milliseconds,
      mean: milliseconds,
      p50: milliseconds,
      p90: milliseconds,
      p99: milliseconds,
      max: milliseconds,
    }),
    from: uuid,
    to: uuid,
    seed: z.string(),
    started_at: z.string().describe("Lab time of the first packet"),
    duration_s: z.number().describe("Lab time from the first packet's entry to the last one's arrival"),
    capture_id: uuid.nullable().describe("The capture that recorded what arrived"),
  })
  .meta({ id: "ReplayReport" });
export type ReplayReport = z.output<typeof replayReport>;
