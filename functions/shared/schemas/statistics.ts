/** Usage of the whole service. */
import * as z from "zod/mini";

export const statistics = z
  .object({
    projects: z.int(),
    nodes: z.int(),
    links: z.int(),
    captures: z.int(),
    running_captures: z.int(),
    stored_bytes: z.int().check(z.describe("Of captured packets, without the files' headers")),
    symbols: z.int().check(z.describe("Uploaded ones")),
    symbol_bytes: z.int(),
    runs: z.int().check(z.describe("Runs and replays into captures that the projects have seen")),
    complete: z
      .boolean()
      .check(z.describe("False when there is more than one request counts: then there is at least so much")),
  })
  .check(z.meta({ id: "Statistics" }));
export type Statistics = z.output<typeof statistics>;
