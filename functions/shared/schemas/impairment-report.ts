/** What the impairments of one direction of a link did in a run or replay. */
import * as z from "zod/mini";

const percentiles = z.nullable(
  z.object({ p50: z.number(), p90: z.number(), p99: z.number(), max: z.number() }),
);
const amount = z.object({ packets: z.int(), bytes: z.int() });

export const impairmentReport = z
  .object({
    counts: z
      .record(
        z.string(),
        z.object({
          seen: z.int(),
          dropped: z.int(),
          marked: z.int(),
          corrupted: z.int(),
          duplicated: z.int(),
          held: z.int(),
        }),
      )
      .check(z.describe("By impairment, in the order in which packets pass them")),
    duplicated: amount.check(z.describe("Copies that were added")),
    restored: amount.check(z.describe("Packets that an earlier run left on their way")),
    queue: z.optional(
      z.object({
        packets: z.int().check(z.describe("Packets in the queue at the end")),
        bytes: z.int(),
        length_packets: percentiles.check(
          z.describe("The length that a packet found when it joined the queue"),
        ),
        length_bytes: percentiles,
        sojourn_ms: percentiles.check(z.describe("Time in the queue")),
      }),
    ),
  })
  .check(z.meta({ id: "ImpairmentReport" }));
