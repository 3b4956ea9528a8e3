/** The outcome of a lab file. */
import * as z from "zod/mini";

const status = z.enum(["passed", "failed", "undecided"]);
const seconds = z.number();

const packet = z.object({
  at: seconds.check(z.describe("Lab seconds on the timeline")),
  link: z.string(),
  from: z.string(),
  to: z.string(),
  summary: z.string(),
  fate: z.string(),
});

export const labVerdict = z
  .object({
    name: z.string(),
    kind: z.string(),
    status,
    expected: z.string(),
    got: z.string(),
    place: z.nullable(z.object({ line: z.int(), column: z.int() })),
    evidence: z.nullable(
      z.object({
        packets: z.array(packet),
        death: z
          .nullable(z.object({ where: z.string(), why: z.string(), at: seconds }))
          .check(z.describe("The node or link at which the packet ended, and why")),
      }),
    ),
  })
  .check(z.meta({ id: "LabVerdict" }));

export const labReport = z
  .object({
    name: z.string(),
    seed: z.string(),
    status,
    verdicts: z.array(labVerdict).check(z.describe("One for each entry of `expect`, in order")),
    boot_seconds: seconds.check(z.describe("Lab seconds until the nodes have booted")),
    lab_seconds: seconds.check(z.describe("Lab seconds of the timeline")),
    events: z.int(),
    packets: z.int(),
    digest: z.string().check(z.describe("Fingerprint of all frames and console text; equal for equal labs")),
    fingerprint: z
      .string()
      .check(
        z.describe(
          "The fingerprint of all runs, with the runs of probes; two seeds that give the same runs have the same fingerprint",
        ),
      ),
    limit: z.nullable(z.string()),
    unsettled: z
      .optional(z.string())
      .check(z.describe("Why the lab has booted, or ended, although a routing protocol still changed")),
    loop: z.nullable(z.array(z.string())),
    failures: z.optional(z.array(z.string())),
    transcripts: z.array(z.object({ node: z.string(), at: seconds, output: z.string(), status: z.string() })),
    links: z.array(
      z.object({
        link: z.string(),
        from: z.string(),
        to: z.string(),
        entered: z.int(),
        delivered: z.int(),
        dropped: z.int(),
        corrupted: z.int(),
        in_flight: z.int(),
        delivered_bytes: z.int(),
      }),
    ),
    captures: z
      .optional(
        z.array(
          z.object({
            verdict: z
              .nullable(z.int())
              .check(z.describe("Position in `verdicts`; null for the capture of the lab")),
            url: z.string().check(z.describe("Of a pcapng; without credentials, for 5 minutes")),
            bytes: z.int(),
          }),
        ),
      )
      .check(z.describe("If the query has `captures`")),
  })
  .check(z.meta({ id: "LabReport" }));
export type LabReport = z.output<typeof labReport>;
