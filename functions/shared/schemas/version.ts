/** The version of the interface and of the service (docs/interface.md, section 8). */
import * as z from "zod/mini";

const VERSION_MAX_CHARACTERS = 64;

export const version = z
  .object({
    local: z.boolean().check(z.describe("Whether paths of the client's machine have a meaning here: never")),
    version: z.string().check(z.describe("The interface's version, which clients compare with their own")),
    wirelab: z.string().check(z.describe("The service's own version")),
  })
  .check(z.meta({ id: "Version" }));

export const versionCheck = z
  .strictObject({
    version: z.string().check(z.maxLength(VERSION_MAX_CHARACTERS)),
    local: z.optional(z.boolean()),
  })
  .check(z.meta({ id: "VersionCheck" }));

export const sameVersion = z.object({ version: z.string() }).check(z.meta({ id: "SameVersion" }));
