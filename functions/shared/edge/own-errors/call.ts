import { define, type Facts } from "../error-definition.ts";

/** Errors of calls to registered computes: docs/computes.md. */
export const CALL_ERRORS = {
  "compute.console-closed": define(
    409,
    (f: Facts<"name" | "detail">) => `Compute ${f.name} opens no console for the node: ${f.detail}`,
  ),
  "compute.unreachable": define(
    503,
    (f: Facts<"name" | "address" | "detail">) =>
      `Compute ${f.name} (${f.address}) does not answer: ${f.detail}; try again when it runs`,
  ),
  "compute.address-refused": define(
    409,
    (f: Facts<"name" | "address">) =>
      `Compute ${f.name} is at ${f.address}, an address of the service itself or of its network; register another`,
  ),
  "compute.unauthorized": define(
    409,
    (f: Facts<"name">) =>
      `Compute ${f.name} does not accept the user and the password that are stored for it`,
  ),
  "compute.not-gns3": define(
    409,
    (f: Facts<"name" | "address">) => `The server ${f.name} (${f.address}) is not a GNS3 server`,
  ),
  "compute.bad-request": define(
    400,
    (f: Facts<"name" | "detail">) => `Bad request to compute ${f.name}: ${f.detail}`,
  ),
  "compute.forbidden": define(403, (f: Facts<"name" | "detail">) => `Compute ${f.name}: ${f.detail}`),
  "compute.missing": define(404, (f: Facts<"name" | "what">) => `${f.what} not found on compute ${f.name}`),
  "compute.refused": define(409, (f: Facts<"name" | "detail">) => `Compute ${f.name}: ${f.detail}`),
  "compute.no-common-subnet": define(
    409,
    (f: Facts<"first" | "second">) =>
      `Cannot get an IP address on same subnet: No common subnet for compute ${f.first} and ${f.second}`,
  ),
  "compute.image-missing": define(
    409,
    (f: Facts<"name" | "image">) => `The image ${f.image} is missing on compute ${f.name}; upload it there`,
  ),
} as const;
