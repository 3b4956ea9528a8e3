/** Requests that a registered compute answers: what may be asked of it, and how its answer is returned. */
import { failureOf } from "../shared/edge/errors.ts";
import { EMULATOR_ERRORS } from "../shared/edge/own-errors/emulator.ts";

/**
 * Emulators and the machine itself. Other parts of a compute's interface, such as `projects`, belong to the labs of all users, which this
 * service drives.
 */
const FORWARDED: ReadonlySet<string> = new Set([
  "docker",
  "dynamips",
  "iou",
  "network",
  "qemu",
  "traceng",
  "virtualbox",
  "vmware",
  "vpcs",
]);

/**
 * Returns the path below `/v2/compute` of the compute.
 * @param action as the client wrote it, decoded: `images/router.img`
 * @throws ApiError `compute.action-not-found` for paths that are not forwarded.
 */
export function forwardedPath(emulator: string, action: string): string {
  const segments = action.split("/");
  const isPlain = segments.every((segment) => segment !== "" && segment !== "." && segment !== "..");
  if (!FORWARDED.has(emulator) || !isPlain)
    throw failureOf(EMULATOR_ERRORS, "compute.action-not-found", { path: `${emulator}/${action}` });
  return `/${[emulator, ...segments].map(encodeURIComponent).join("/")}`;
}
