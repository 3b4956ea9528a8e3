/** Options and report of a replay. */
import * as z from "zod/mini";
import { cutOff } from "./cut-off.ts";
import { uuid } from "./ids.ts";
import { impairmentReport } from "./impairment-report.ts";
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
      "Lab time of the first packet: seconds since 1970 or an RFC 3339 time in UTC; the current time if absent",
    ),
  );

export const replayQuery = z.object({
  from: z.optional(uuid).check(z.describe("Node at which the packets enter; the link's first end if absent")),
  seed: z
    .optional(z.string().check(z.minLength(1), z.maxLength(128)))
    .check(
      z.describe(
        "Seed of the random decisions; if absent, the project's variable `seed`, else a random seed, which the report contains",
      ),
    ),
  start: z.optional(startNs),
});

const count = z.int();
const milliseconds = z.nullable(z.number());

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
      .check(z.describe("Counts of each filter of the link, in the order in which packets pass them")),
    impairments: z.optional(impairmentReport),
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
    capture_id: z.nullable(uuid).check(z.describe("The capture that recorded the arrived packets")),
  })
  .check(z.meta({ id: "ReplayReport" }));
export type ReplayReport = z.output<typeof replayReport>;
