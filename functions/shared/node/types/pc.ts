/** The properties of PCs. */
import * as z from "zod/mini";
import type { ServiceType } from "../service-type.ts";
import { pick, usage } from "./mapping.ts";

const BASE_SCRIPT = { base_script_file: "vpcs_base_config.txt" };

export const pcType: ServiceType = {
  client: z.strictObject({
    usage,
    startup_script: z.optional(z.string().check(z.maxLength(16_384))),
    base_script_file: z.optional(z.string().check(z.maxLength(255))),
    /** Accepts packets with wrong checksums, as VPCS does. */
    ignore_checksums: z.optional(z.boolean()),
  }),
  /** It names a file on the client's server, which also ignores a missing file. */
  ignored: ["base_script_file"],
  ports: ["Ethernet0"],
  imported: (properties) => pick(properties, ["startup_script"]),
  isPrivate: true,
  template: BASE_SCRIPT,
  builtin: { properties: BASE_SCRIPT },
};
