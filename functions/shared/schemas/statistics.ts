/** Usage of the whole service. */
import * as z from "zod/mini";

export const statistics = z
  .object({
    projects: z.int(),
    nodes: z.int(),
    links: z.int(),
    captures: z.int(),
    running_captures: z.int(),
    stored_bytes: z
      .int()
      .check(z.describe("Bytes of captured packets, without the files' headers, and of files")),
    symbols: z.int().check(z.describe("Uploaded symbols")),
    symbol_bytes: z.int(),
    runs: z.int().check(z.describe("Runs of the projects, and replays into captures")),
    complete: z
      .boolean()
      .check(z.describe("False if one request cannot count everything: the numbers are then lower bounds")),
  })
  .check(z.meta({ id: "Statistics" }));
export type Statistics = z.output<typeof statistics>;
