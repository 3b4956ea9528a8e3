import { define, type Facts } from "../error-definition.ts";

export const LINK_ERRORS = {
  "capture.link-type": define(
    409,
    (f: Facts<"link_type" | "data_link_type">) =>
      `A link of type ${f.link_type} carries DLT_EN10MB; its packets cannot be captured as ${f.data_link_type}`,
  ),
  "capture.running": define(409, (f: Facts<"detail">) => `A capture is running on this link: ${f.detail}`),
  "link.port-not-found": define(404, (f: Facts<"port" | "name">) => `Port ${f.port} for ${f.name} not found`),
  "link.port-in-use": define(409, () => "Port is already used"),
  "link.same-node": define(409, () => "Cannot connect to itself"),
  "link.type-mismatch": define(
    409,
    (f: Facts<"first" | "second">) =>
      `Connecting a ${f.first} interface to a ${f.second} interface is not allowed`,
  ),
  "link.id-taken": define(409, (f: Facts<"link_id">) => `Link ID ${f.link_id} already exists`),
} as const;
