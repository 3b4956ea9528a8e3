import * as z from "zod/mini";
import { defineGroup } from "../shared/edge/route.ts";
import { labReport } from "../shared/schemas/lab-report.ts";

const FILE_MAX_BYTES = 262_144;

export const group = defineGroup({
  name: "labs",
  description: "Labs as tests: a lab file in, a report out",
  routes: {
    runLabFile: {
      method: "POST",
      path: "/labs/run",
      paced: true,
      summary: "Run a lab file",
      description:
        "Plays the lab and judges its expectations. The body is a lab file, YAML or JSON. No project is stored. The file can name no " +
        "other files (`topology`, `replay`) and no regular expressions (`matches`): use `contains`. Captures can be downloaded for 5 minutes " +
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
      responses: { 200: { description: "The report, also if expectations failed", schema: labReport } },
      errors: [],
    },
  },
});
