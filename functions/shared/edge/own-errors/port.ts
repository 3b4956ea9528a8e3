import { define, type Facts } from "../error-definition.ts";

export const PORT_ERRORS = {
  "node.port-repeated": define(
    409,
    (f: Facts<"what">) => `Two entries of ports_mapping have the ${f.what}; give each port its own`,
  ),
  "node.port-moved": define(
    409,
    (f: Facts<"port" | "other">) =>
      `The change puts port ${f.other} at the place of port ${f.port}, which has a cable; remove its link first, or keep the ports before it`,
  ),
} as const;
