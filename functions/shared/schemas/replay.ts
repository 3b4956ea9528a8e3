/** Options and report of a replay. */
import * as z from "zod/mini";
import { uuid } from "./ids.ts";
import { parseLabTime } from "./lab-time.ts";

/** Parses `1700000000`, `1700000000.25` or `2026-11-21T10:00:00.25Z`, to the nanosecond. */
const startNs = z
  .pipe(
    z.string(),
    z.transform((text, context) => {
      const parsed = parseLabTime(text);
      if (parsed === undefined) {
        context.issues.push({
          code: "custom",
          input: text,
          message:
            "is neither seconds since 1970 (with up to nine decimals) nor a UTC time such as 2026-11-21T10:00:00Z, both before 2100",
        });
        return z.NEVER;
      }
      return parsed;
    }),
  )
  .check(
    z.describe(
      "Lab time of the first packet: seconds since 1970 or an RFC 3339 time in UTC; the present when absent",
    ),
  );

export const replayQuery = z.object({
  from: z
    .optional(uuid)
    .check(z.describe("Node at which the packets enter; the link's first end when absent")),
  seed: z
    .optional(z.string().check(z.minLength(1), z.maxLength(128)))
    .check(
      z.describe(
        "Names the random choices; when absent, the project's variable `seed`, or a seed that is drawn and reported",
      ),
    ),
  start: z.optional(startNs),
});

const count = z.int();
const milliseconds = z.nullable(z.number());
export const cutOff = z
  .nullable(z.string())
  .check(
    z.describe("Where the file is cut off, in the middle of a packet; the packets before that were sent"),
  );

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
      .check(z.describe("What each filter of the link saw and did, in the order in which packets pass them")),
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
    started_at: z.string().check(z.describe("Lab time of the first packet")),
    duration_s: z
      .number()
      .check(z.describe("Lab time from the first packet's entry to the last one's arrival")),
    cut_off: cutOff,
    capture_id: z.nullable(uuid).check(z.describe("The capture that recorded what arrived")),
  })
  .check(z.meta({ id: "ReplayReport" }));
export type ReplayReport = z.output<typeof replayReport>;
