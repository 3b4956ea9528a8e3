/**
 * Every error a caller can be told, in one table: code -> status and public message.
 *
 * Operations and the store throw `failure(code, facts)`; the text is rendered here, and the middleware chain turns
 * it into `{"message", "status"}`. Messages that existing clients of this interface show or match keep the wording
 * those clients know.
 */

type Facts = Readonly<Record<string, string | number>>;

interface ErrorDefinition {
  readonly status: 400 | 403 | 404 | 405 | 409 | 413 | 503;
  readonly message: (facts: Facts) => string;
}

const define = (status: ErrorDefinition["status"], message: ErrorDefinition["message"]): ErrorDefinition => ({
  status,
  message,
});

export const ERRORS = {
  "request.invalid": define(400, (f) => `Invalid request: ${f.detail}`),
  "request.malformed-json": define(400, (f) => `Invalid JSON: ${f.detail}`),
  "request.too-large": define(413, (f) => `The body is larger than the limit of ${f.limit} bytes`),
  "route.not-found": define(404, (f) => `No such route: ${f.method} ${f.path}`),
  "route.method-not-allowed": define(405, (f) => `${f.method} is not allowed here; allowed: ${f.allow}`),
  "store.too-large": define(
    413,
    (f) => `The ${f.what} is larger than the ${f.limit} bytes of JSON that are kept of one`,
  ),
  "store.busy": define(503, () => "Too many concurrent changes to the same thing; try again"),

  "project.not-found": define(404, (f) => `Project ID ${f.project_id} doesn't exist`),
  "project.not-opened": define(403, () => "The project is not opened"),
  "project.name-taken": define(409, (f) => `Project "${f.name}" already exists`),
  "project.deleting": define(409, (f) => `Project ${f.project_id} is being deleted`),
  "project.path-refused": define(403, () => "The path is not allowed"),

  "node.not-found": define(404, (f) => `Node ID ${f.node_id} doesn't exist`),
  "node.type-not-runnable": define(
    409,
    (f) => `No compute can run a node of type ${f.node_type}; the types that run here are ${f.supported}`,
  ),
  "node.locked": define(409, (f) => `Node ${f.name} cannot be deleted because it is locked`),
  "node.port-in-use": define(409, (f) => `Port ${f.port} is in use by a link, so it cannot be removed`),

  "node.needs-compute": define(
    409,
    (f) => `Node ${f.name} cannot be started: a ${f.node_type} node needs a compute, and none is connected`,
  ),
  "node.not-started": define(409, (f) => `Node ${f.name} is ${f.status}; start it first`),
  "node.must-be-stopped": define(409, (f) => `Node ${f.name} must be stopped to change its ${f.what}`),
  "node.no-console": define(409, (f) => `A node of type ${f.node_type} has no console`),
  "node.port-not-wired": define(409, (f) => `No link is on port ${f.port} of ${f.name}`),
  "node.no-mac-table": define(409, (f) => `A node of type ${f.node_type} has no MAC table`),

  "lab.clock": define(
    409,
    (f) =>
      `The project's variable clock is no lab time: ${f.clock}; give seconds since 1970 or a UTC time before 2100`,
  ),
  "run.not-a-capture": define(400, (f) => `actions.${f.index}: not a usable capture file: ${f.detail}`),

  "link.not-found": define(404, (f) => `Link ID ${f.link_id} doesn't exist`),
  "link.port-not-found": define(404, (f) => `Port ${f.port} for ${f.name} not found`),
  "link.port-in-use": define(409, () => "Port is already used"),
  "link.same-node": define(409, () => "Cannot connect to itself"),
  "link.type-mismatch": define(
    409,
    (f) => `Connecting a ${f.first} interface to a ${f.second} interface is not allowed`,
  ),
  "link.id-taken": define(409, (f) => `Link ID ${f.link_id} already exists`),

  "capture.not-found": define(404, (f) => `Capture ID ${f.capture_id} doesn't exist`),
  "capture.link-type": define(
    409,
    (f) =>
      `A link of type ${f.link_type} carries DLT_EN10MB; its packets cannot be captured as ${f.data_link_type}`,
  ),
  "capture.not-running": define(409, () => "This link has no active packet capture"),
  "capture.running": define(409, (f) => `A capture is running on this link: ${f.detail}`),
  "capture.in-progress": define(409, () => "The capture is running; stop it before deleting it"),

  "replay.not-a-capture": define(400, (f) => `The body is not a usable capture file: ${f.detail}`),
  "replay.no-peer": define(409, (f) => `A replay needs a link with two ends; this one has ${f.ends}`),
  "replay.not-an-end": define(404, (f) => `Node ID ${f.node_id} is not an end of this link`),
  "replay.link-type": define(409, (f) => `The file has ${f.file}, the running capture records ${f.capture}`),

  "replay.bpf-link-type": define(
    409,
    (f) => `The link's bpf filter cannot judge the packets of this file: ${f.detail}`,
  ),

  "symbol.not-found": define(404, (f) => `Symbol ${f.symbol_id} doesn't exist`),
  "symbol.builtin": define(409, (f) => `${f.symbol_id} is a built-in symbol and cannot be overwritten`),
  "symbol.no-size": define(404, (f) => `The size of symbol ${f.symbol_id} cannot be told from its content`),

  "simvm.vm-not-found": define(409, (f) => `The ${f.engine} engine has no virtual machine named ${f.vmname}`),
  "simvm.engine-not-found": define(404, (f) => `Engine ${f.engine} doesn't exist`),

  "compute.not-found": define(404, (f) => `Compute ID ${f.compute_id} doesn't exist`),
  "compute.name-taken": define(409, (f) => `Compute name "${f.name}" already exists`),
  "compute.builtin": define(409, (f) => `Compute ${f.compute_id} is built in and cannot be changed`),
  "compute.not-connected": define(409, (f) => `Compute ${f.compute_id} is not connected`),
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

/** What is wrong with one field: `path` in dots from the part of the request (`body.nodes.0.node_id`). */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** An error that the caller is told. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly facts: Facts;
  readonly problems: readonly Problem[] | undefined;

  constructor(code: ErrorCode, facts: Facts, problems?: readonly Problem[]) {
    super(ERRORS[code].message(facts));
    this.name = "ApiError";
    this.code = code;
    this.status = ERRORS[code].status;
    this.facts = facts;
    this.problems = problems;
  }
}

export const failure = (code: ErrorCode, facts: Facts = {}): ApiError => new ApiError(code, facts);

/** A 400 that lists every problem; the message names the first ones, for callers that show nothing else. */
export function invalidRequest(problems: readonly Problem[]): ApiError {
  const shown = problems.slice(0, 3).map((p) => (p.path ? `${p.path}: ${p.message}` : p.message));
  const rest = problems.length - shown.length;
  const detail = shown.join("; ") + (rest > 0 ? `; and ${rest} more` : "");
  return new ApiError("request.invalid", { detail }, problems);
}
