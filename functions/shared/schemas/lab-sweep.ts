/** A sweep of a lab file: the same lab with failures of links and nodes, or with other seeds. */
import * as z from "zod/mini";

const verdict = z.object({ name: z.string(), status: z.string(), expected: z.string(), got: z.string() });

const failingCase = z.object({
  failures: z
    .array(z.string())
    .check(z.describe("Links and nodes that have failed when the timeline begins: `link:wan`")),
  seed: z.string(),
  status: z.enum(["failed", "undecided"]),
  verdicts: z.array(verdict).check(z.describe("Up to five expectations that did not pass")),
});
export type FailingCase = z.output<typeof failingCase>;

export const labSweepStart = z
  .object({ sweep_id: z.uuid(), cases: z.int() })
  .check(z.meta({ id: "LabSweepStart" }));

export const labSweep = z
  .object({
    sweep_id: z.uuid(),
    status: z
      .enum(["running", "finished", "failed", "cancelled"])
      .check(z.describe("`failed`: the sweep ended before all cases were played")),
    error: z.nullable(z.string()).check(z.describe("Why the sweep has failed, and what to do")),
    cases: z.int(),
    done: z.int().check(z.describe("Cases that have been played")),
    passed: z.int(),
    failed: z.int(),
    undecided: z.int().check(z.describe("Cases that reached a limit")),
    failing: z
      .array(failingCase)
      .check(z.describe("The first 100 cases that did not pass, in the order of the cases")),
  })
  .check(z.meta({ id: "LabSweep" }));
export type LabSweep = z.output<typeof labSweep>;
