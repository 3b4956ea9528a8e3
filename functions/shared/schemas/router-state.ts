/** What a router reports: segments of VXLAN. */
import * as z from "zod/mini";

const learned = z.object({
  mac: z.string(),
  interface: z.optional(z.string()).check(z.describe("The bridged interface behind which the address is")),
  remote: z.optional(z.string()).check(z.describe("The remote end behind which it is")),
  age: z.number().check(z.describe("Lab seconds since its last frame")),
});

const segment = z.object({
  name: z.string().check(z.describe("That of the interface")),
  vni: z.int(),
  local: z.string(),
  remotes: z.array(z.string()),
  members: z.array(z.string()),
  macs: z.array(learned),
});

export const routerState = z.object({ vxlan: z.array(segment) }).check(z.meta({ id: "RouterState" }));
