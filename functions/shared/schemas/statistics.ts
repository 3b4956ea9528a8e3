/** Usage of the whole service, and the statistics of computes (docs/interface.md, section 6.4). */
import * as z from "zod/mini";
import { computeId } from "./ids.ts";

export const usage = z
  .object({
    projects: z.int(),
    nodes: z.int(),
    links: z.int(),
    captures: z.int(),
    running_captures: z.int(),
    stored_bytes: z
      .int()
      .check(
        z.describe(
          "Bytes of captured packets, without the files' headers, of files, snapshots, and guests of Linux nodes",
        ),
      ),
    symbols: z.int().check(z.describe("Uploaded symbols")),
    symbol_bytes: z.int(),
    runs: z.int().check(z.describe("Runs of the projects, and replays into captures")),
    complete: z
      .boolean()
      .check(z.describe("False if one request cannot count everything: the numbers are then lower bounds")),
  })
  .check(z.meta({ id: "Usage" }));
export type Usage = z.output<typeof usage>;

const percent = z.int();
const bytes = z.int();

/** The machine of a compute, at the time of the request. */
export const machine = z.object({
  memory_total: bytes,
  memory_free: bytes,
  memory_used: bytes,
  swap_total: bytes,
  swap_free: bytes,
  swap_used: bytes,
  cpu_usage_percent: percent,
  memory_usage_percent: percent,
  swap_usage_percent: percent,
  disk_usage_percent: percent,
  load_average_percent: z.array(percent).check(z.describe("In the last 1, 5 and 15 minutes")),
});
export type Machine = z.output<typeof machine>;

export const computeStatistics = z
  .object({ compute_id: computeId, compute_name: z.string(), statistics: machine })
  .check(z.meta({ id: "ComputeStatistics" }));
export type ComputeStatistics = z.output<typeof computeStatistics>;
