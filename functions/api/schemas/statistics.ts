/** What there is in the whole service. */
import * as z from "zod";

export const statistics = z
  .object({
    projects: z.int(),
    nodes: z.int(),
    links: z.int(),
    captures: z.int(),
    running_captures: z.int(),
    stored_bytes: z.int().describe("Of captured packets, without the files' headers"),
    symbols: z.int().describe("Uploaded ones"),
    symbol_bytes: z.int(),
    runs: z.int().describe("Runs and replays into captures that the projects have seen"),
    complete: z
      .boolean()
      .describe("False when there is more than one request counts: then there is at least so much"),
  })
  .meta({ id: "Statistics" });
export type Statistics = z.output<typeof statistics>;
