/** The properties of NAT nodes. */
import * as z from "zod/mini";
import type { ServiceType } from "../service-type.ts";
import { pick, usage } from "./mapping.ts";

/** The one port; a mapping in the request names its interface, which other programs use. */
const PORT = { interface: "nat0", name: "nat0", port_number: 0, type: "ethernet" };
const mapping = z.array(z.object({ interface: z.string().check(z.minLength(1), z.maxLength(255)) }));

function portsOf(given: unknown): readonly object[] {
  const named = mapping.safeParse(given);
  return [{ ...PORT, ...(named.success && named.data[0]) }];
}

export const natType: ServiceType = {
  client: z.strictObject({
    usage,
    ports_mapping: z._default(z.pipe(z.unknown(), z.transform(portsOf)), () => [PORT]),
  }),
  /** With the addresses that hosts get without one. */
  stored: (spec) => (spec.type === "nat" ? { internet: spec.internet } : {}),
  imported: (properties) => pick(properties, ["internet", "ports_mapping"]),
};
