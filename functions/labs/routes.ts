import * as z from "zod/mini";
import { defineGroup } from "../shared/edge/route.ts";
import { uuid } from "../shared/schemas/ids.ts";
import { labReport } from "../shared/schemas/lab-report.ts";
import { labSweep, labSweepStart } from "../shared/schemas/lab-sweep.ts";
import { labRunState } from "../shared/schemas/run.ts";
import { RUN_BEGUN } from "../shared/schemas/run-headers.ts";

const FILE_MAX_BYTES = 262_144;

/** A query has text. */
const atMost = (most: number) =>
  z.optional(
    z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,4}$/, "is not a whole number")), z.transform(Number)),
      z.int().check(z.minimum(1), z.maximum(most)),
    ),
  );

export const group = defineGroup({
  name: "labs",
  description: "Labs as tests: a lab file in, a report out",
  routes: {
    runLabFile: {
      method: "POST",
      path: "/labs/run",
      paced: true,
      outlasts: true,
      summary: "Run a lab file",
      description:
        "Plays the lab and judges its expectations. The body is a lab file, YAML or JSON. No project is stored. The file can name no " +
        "other files (`topology`, `replay`, `from`) and no regular expressions (`matches`): use `contains`. Linux nodes start from the images of the service. Captures can be downloaded for 5 minutes " +
        "from the URLs of the report, and are deleted a day later.",
      query: z.strictObject({
        seed: z.optional(z.string().check(z.maxLength(255))).check(z.describe("Instead of the file's seed")),
        fail: z
          .optional(z.string().check(z.maxLength(4096)))
          .check(z.describe("Links and nodes that have failed when the timeline begins: `link:wan,node:r1`")),
        captures: z
          .optional(z.enum(["failed", "lab"]))
          .check(
            z.describe(
              "Stores a pcapng of each of the first five expectations that failed, or of the timeline",
            ),
          ),
      }),
      body: { kind: "raw", maxBytes: FILE_MAX_BYTES, contentType: "application/yaml" },
      responses: {
        200: { description: "The report, also if expectations failed", schema: labReport },
        202: RUN_BEGUN,
      },
      errors: ["run.too-many-guests", "run.too-much-memory", "run.guests-failed"],
    },
    getLabRun: {
      method: "GET",
      path: "/labs/run",
      summary: "Read the outcome of a lab file with Linux nodes",
      description:
        "A run can be read for a day, by the user who started it. The body of the answer is the report, with new URLs of its captures each " +
        "time.",
      query: z.strictObject({ run_id: uuid.check(z.describe("As `POST /labs/run` has returned it")) }),
      responses: { 200: { description: "The run", schema: labRunState } },
      errors: ["run.not-found"],
    },
    startSweep: {
      method: "POST",
      path: "/labs/sweep",
      paced: true,
      summary: "Start a sweep of a lab file",
      description:
        "Plays the lab without a failure, then with each combination of as many failed links, and of as many failed nodes, as the query " +
        "says; and all of it with each seed. At most 2,000 cases, or 200 of a lab with Linux nodes. The body is the lab file, as for " +
        "`/labs/run`. A user has one running sweep.",
      query: z.strictObject({
        seed: z.optional(z.string().check(z.maxLength(255))).check(z.describe("Instead of the file's seed")),
        seeds: atMost(1_000).check(z.describe("How many seeds: the seed, `SEED-2`, `SEED-3`, ...")),
        links: atMost(3).check(z.describe("How many links fail at once at most")),
        nodes: atMost(3).check(z.describe("How many nodes fail at once at most")),
      }),
      body: { kind: "raw", maxBytes: FILE_MAX_BYTES, contentType: "application/yaml" },
      responses: { 202: { description: "The sweep has started", schema: labSweepStart } },
      errors: ["sweep.running", "run.too-many-guests", "run.too-much-memory"],
    },
    getSweep: {
      method: "GET",
      path: "/labs/sweep/{sweep_id}",
      summary: "Read how far a sweep is, and which cases failed",
      description: "A sweep can be read for a day, by the user who started it.",
      responses: { 200: { description: "The sweep", schema: labSweep } },
      errors: ["sweep.not-found"],
    },
    cancelSweep: {
      method: "DELETE",
      path: "/labs/sweep/{sweep_id}",
      summary: "Stop a sweep",
      responses: { 204: { description: "The sweep has stopped; what was played can still be read" } },
      errors: ["sweep.not-found"],
    },
  },
});
