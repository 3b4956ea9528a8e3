/** Errors of registered computes and the helper virtual machine, which functions load with the code that calls them. */
import { define, type Facts } from "./error-definition.ts";

/** Errors of the helper virtual machine. */
export const SIMVM_ERRORS = {
  "simvm.vm-not-found": define(
    409,
    (f: Facts<"engine" | "vmname">) => `The ${f.engine} engine has no virtual machine named ${f.vmname}`,
  ),
  "simvm.refused": define(409, (f: Facts<"words">) => `${f.words}`),
  "simvm.unavailable": define(503, (f: Facts<"words">) => `${f.words}`),
  "simvm.engine-not-found": define(404, (f: Facts<"engine">) => `Engine ${f.engine} doesn't exist`),
} as const;

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

/** Errors of the routes of emulators and computes. */
export const EMULATOR_ERRORS = {
  "compute.name-taken": define(409, (f: Facts<"name">) => `Compute name "${f.name}" already exists`),
  "compute.builtin": define(
    409,
    (f: Facts<"compute_id">) => `Compute ${f.compute_id} is built in and cannot be changed`,
  ),
  "compute.action-not-found": define(404, (f: Facts<"path">) => `/compute/${f.path} not found`),
  "compute.not-emulated": define(
    409,
    (f: Facts<"emulator" | "compute_id">) => `Compute ${f.compute_id} does not run ${f.emulator}`,
  ),
} as const;

/** Errors of links between nodes of registered computes. */
export const REAL_LINK_ERRORS = {
  "link.real": define(
    409,
    (f: Facts<"link_id" | "what">) => `Link ${f.link_id} joins nodes of computes: Wirelab cannot ${f.what}`,
  ),
  "link.real-and-virtual": define(
    409,
    (f: Facts<"real" | "simulated">) =>
      `Node ${f.real} runs on a compute, and node ${f.simulated} is simulated: no link can join them`,
  ),
  "capture.no-running-node": define(409, () => "There is no running device on this link"),
} as const;
