/** The errors of each route that calls a registered compute. */
import type { ErrorCode } from "./errors.ts";

export const COMPUTE_ERRORS = [
  "compute.not-found",
  "compute.unreachable",
  "compute.address-refused",
  "compute.unauthorized",
  "compute.not-gns3",
  "compute.bad-request",
  "compute.forbidden",
  "compute.missing",
  "compute.refused",
  "compute.image-missing",
] as const satisfies ErrorCode[];
