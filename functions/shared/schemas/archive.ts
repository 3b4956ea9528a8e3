/** Archives of projects: the queries of their export and import. */
import * as z from "zod/mini";
import { name } from "./common.ts";

export const ARCHIVE_CONTENT_TYPE = "application/gns3project";

/** Existing clients send `yes` or `no`, in either case; another value means no. */
const answer = z.optional(z.string().check(z.toLowerCase()));

const COMPRESSIONS = ["zip", "none"];

export const exportQuery = z.object({
  include_snapshots: answer.check(
    z.describe("`yes` adds the snapshots, each an archive in the folder `snapshots`"),
  ),
  include_images: answer.check(z.describe("Accepted without effect: there are no images")),
  reset_mac_addresses: answer.check(z.describe("`yes` leaves out the MAC addresses in properties")),
  keep_compute_ids: answer.check(z.describe("`yes` keeps the nodes' `compute_id`; otherwise it is `local`")),
  compression: z
    .optional(
      z.string().check(
        z.toLowerCase(),
        z.refine((value) => COMPRESSIONS.includes(value), "is not supported; supported are zip and none"),
      ),
    )
    .check(z.describe("`zip` (the default) or `none`")),
});

export const importQuery = z.object({
  name: z
    .optional(name)
    .check(
      z.describe("The project's name; by default the one in the archive. A number is added if it is taken"),
    ),
  missing: z
    .optional(z.enum(["keep", "refuse"]))
    .check(
      z.describe(
        "Nodes of types that do not run here: `keep` (the default) imports them as placeholders, `refuse` refuses the archive",
      ),
    ),
  path: z.optional(z.string()).check(z.describe("Rejected: projects have no place of their own")),
});
