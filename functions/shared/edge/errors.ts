/**
 * The errors that most functions answer: code -> status and public message. The folder own-errors/ has the errors of few functions: each table
 * is a file, because a bundle has the whole of each file that it uses.
 *
 * Operations and the store throw `failure(code, facts)`; the middleware chain turns it into `{"code", "message", "status"}`.
 * Messages that existing clients of this interface show or match keep the wording that those clients know.
 */

import { define, type ErrorDefinition, type Facts, some } from "./error-definition.ts";
import type { CALL_ERRORS } from "./own-errors/call.ts";
import type { DELETION_ERRORS } from "./own-errors/deletion.ts";
import type { DRAWING_ERRORS } from "./own-errors/drawing.ts";
import type { EMULATOR_ERRORS } from "./own-errors/emulator.ts";
import type { GUEST_ERRORS } from "./own-errors/guest.ts";
import type { IMPORT_ERRORS } from "./own-errors/import.ts";
import type { LINK_ERRORS } from "./own-errors/link.ts";
import type { MOVE_ERRORS } from "./own-errors/move.ts";
import type { NAMESPACE_ERRORS } from "./own-errors/namespace.ts";
import type { NODE_ERRORS } from "./own-errors/node.ts";
import type { PORT_ERRORS } from "./own-errors/port.ts";
import type { REAL_LINK_ERRORS } from "./own-errors/real-link.ts";
import type { REPLAY_ERRORS } from "./own-errors/replay.ts";
import type { SERVER_ERRORS } from "./own-errors/server.ts";
import type { SIMVM_ERRORS } from "./own-errors/simvm.ts";
import type { SNAPSHOT_ERRORS } from "./own-errors/snapshot.ts";
import type { STREAM_ERRORS } from "./own-errors/stream.ts";
import type { SWEEP_ERRORS } from "./own-errors/sweep.ts";
import type { SYMBOL_ERRORS } from "./own-errors/symbol.ts";
import type { TEMPLATE_ERRORS } from "./own-errors/template.ts";
import type { TOKEN_ERRORS } from "./own-errors/token.ts";

interface Counted {
  readonly count: unknown;
  readonly amount: unknown;
}

/** What the project has; where a request adds several, what it would have. */
const counted = ({ count, amount }: Counted, thing: string): string =>
  Number(amount) > 1
    ? `would have ${some(Number(count) + Number(amount), thing)}`
    : `has ${some(count, thing)}`;

export const ERRORS = {
  "request.invalid": define(400, (f: Facts<"detail">) => `Invalid request: ${f.detail}`),
  "request.malformed-json": define(400, (f: Facts<"detail">) => `Invalid JSON: ${f.detail}`),
  "request.no-upgrade": define(
    400,
    () => "This path is a WebSocket; the header Upgrade: websocket is missing",
  ),
  "request.too-many": define(
    429,
    (f: Facts<"user" | "limit" | "retry_after_s">) =>
      `${f.user} has sent ${f.limit} requests in this minute that run labs or change projects; retry in ${f.retry_after_s} s`,
  ),
  "request.too-large": define(
    413,
    (f: Facts<"limit">) => `The body is larger than the limit of ${f.limit} bytes`,
  ),
  "request.encoded": define(
    415,
    (f: Facts<"encoding">) =>
      `A body in the Content-Encoding ${f.encoding} is not taken; send it as it is, or in gzip`,
  ),
  "route.not-found": define(404, (f: Facts<"method" | "path">) => `No such route: ${f.method} ${f.path}`),
  "route.method-not-allowed": define(
    405,
    (f: Facts<"method" | "allow">) => `${f.method} is not allowed here; allowed: ${f.allow}`,
  ),
  "access.role": define(
    403,
    (f: Facts<"needed" | "role">) => `This takes the role ${f.needed}; yours is ${f.role}`,
  ),
  "access.cross-site": define(403, () => "Pages of other sites may change nothing here"),
  "access.read-only": define(403, () => "The project is shared with you to read only"),
  "store.too-large": define(
    413,
    (f: Facts<"what" | "limit">) =>
      `The ${f.what} is larger than the ${f.limit} bytes of JSON that are kept of one`,
  ),
  "store.busy": define(503, () => "Too many concurrent changes to the same thing; try again"),
  "store.unavailable": define(503, () => "Storage is temporarily unavailable; try again"),
  "store.missing": define(
    503,
    (f: Facts<"what" | "name">) =>
      `The ${f.what} ${f.name} does not exist; deploy the stack again, or restart \`npm start\``,
  ),
  "store.damaged": define(
    500,
    (f: Facts<"what" | "detail">) => `The data in the ${f.what} are damaged (${f.detail}); restore them`,
  ),
  "request.out-of-time": define(503, () => "The request has taken longer than it may; try again"),

  "idempotency.key-reused": define(422, () => "This Idempotency-Key belongs to another request"),
  "idempotency.in-progress": define(
    409,
    () => "The request with this Idempotency-Key is still being carried out; try again",
  ),
  "idempotency.answer-not-kept": define(
    409,
    () => "The request with this Idempotency-Key was carried out, and its answer was not kept",
  ),

  "version.mismatch": define(
    409,
    (f: Facts<"client" | "version">) =>
      `Client version ${f.client} is not the same as server version ${f.version}`,
  ),

  "project.not-found": define(404, (f: Facts<"project_id">) => `Project ID ${f.project_id} doesn't exist`),
  "project.not-opened": define(403, () => "The project is not opened"),
  "project.name-taken": define(409, (f: Facts<"name">) => `Project "${f.name}" already exists`),
  "project.id-taken": define(409, (f: Facts<"project_id">) => `Project ID ${f.project_id} is taken`),
  "project.not-owner": define(403, () => "Only the project's owner or an admin decides who shares it"),
  "project.deleting": define(
    409,
    (f: Facts<"project_id">) => `Project ${f.project_id} is being deleted; a DELETE finishes it`,
  ),

  "quota.projects": define(
    409,
    (f: Facts<"user" | "limit">) => `${f.user} has ${f.limit} projects, which is the quota; delete one first`,
  ),
  "quota.nodes": define(
    409,
    (f: Facts<"count" | "amount" | "limit">) =>
      `The project ${counted(f, "node")}, and its quota is ${f.limit}`,
  ),
  "quota.links": define(
    409,
    (f: Facts<"count" | "amount" | "limit">) =>
      `The project ${counted(f, "link")}, and its quota is ${f.limit}`,
  ),
  "quota.snapshots": define(
    409,
    (f: Facts<"count" | "amount" | "limit">) =>
      `The project ${counted(f, "snapshot")}, and its quota is ${f.limit}; delete one first`,
  ),
  "quota.drawings": define(
    409,
    (f: Facts<"count" | "amount" | "limit">) =>
      `The project ${counted(f, "drawing")}, and its quota is ${f.limit}`,
  ),
  "quota.captures": define(
    409,
    (f: Facts<"count" | "amount" | "limit">) =>
      `The project ${counted(f, "capture")}, and its quota is ${f.limit}; delete those that are done with`,
  ),
  "quota.files": define(
    409,
    (f: Facts<"count" | "amount" | "limit">) =>
      `The project ${counted(f, "file")}, and its quota is ${f.limit}`,
  ),
  "quota.stored-bytes": define(
    409,
    (f: Facts<"count" | "amount" | "limit">) =>
      `The project stores ${f.count} bytes, and ${f.amount} more would pass its quota of ${f.limit}: nothing was recorded and ` +
      "nothing has happened; delete captures, files or snapshots",
  ),
  "quota.user-stored-bytes": define(
    409,
    (f: Facts<"user" | "count" | "amount" | "limit">) =>
      `All projects of ${f.user} store ${f.count} bytes, and ${f.amount} more would pass the quota of ${f.limit}: nothing was recorded ` +
      "and nothing has happened; delete captures, files or snapshots",
  ),

  "node.not-found": define(404, (f: Facts<"node_id">) => `Node ID ${f.node_id} doesn't exist`),
  "node.type-not-runnable": define(
    409,
    (f: Facts<"node_type" | "supported">) =>
      `No compute can run a node of type ${f.node_type}; the types that run here are ${f.supported}`,
  ),
  "node.locked": define(409, (f: Facts<"name">) => `Node ${f.name} cannot be deleted because it is locked`),
  "node.running": define(
    409,
    (f: Facts<"name">) => `Cannot duplicate node data while the node is running: stop ${f.name} first`,
  ),
  "node.type-not-emulated": define(
    409,
    (f: Facts<"name" | "node_type" | "needed">) =>
      `Node ${f.name} has the type ${f.node_type}; this needs a ${f.needed} node, and that type is not emulated here`,
  ),

  "node.on-compute": define(
    409,
    (f: Facts<"name" | "compute_id">) =>
      `Node ${f.name} runs on compute ${f.compute_id}, and is no part of runs in virtual time`,
  ),
  "node.needs-compute": define(
    409,
    (f: Facts<"name" | "what">) =>
      `Node ${f.name} cannot be started: a ${f.what} needs a compute, and it is on none`,
  ),
  "lab.on-computes": define(
    409,
    (f: Facts<"name" | "what">) => `Node ${f.name} runs on a compute: Wirelab cannot ${f.what}`,
  ),
  "node.not-started": define(
    409,
    (f: Facts<"name" | "status">) => `Node ${f.name} is ${f.status}; start it first`,
  ),
  "node.must-be-stopped": define(
    409,
    (f: Facts<"name" | "what">) => `Node ${f.name} must be stopped to change its ${f.what}`,
  ),
  "node.no-console": define(409, (f: Facts<"node_type">) => `A node of type ${f.node_type} has no console`),

  "lab.clock-over": define(
    409,
    () => "The lab's clock has reached the year 2100, where lab time ends; make a new project",
  ),
  "lab.clock": define(
    409,
    (f: Facts<"clock">) =>
      `The project's variable clock is no lab time: ${f.clock}; give seconds since 1970 or a UTC time before 2100`,
  ),
  "run.not-a-capture": define(
    400,
    (f: Facts<"index" | "detail">) => `actions.${f.index}: not a usable capture file: ${f.detail}`,
  ),

  // The Ansible collection looks for "Not Found" in the message for a file of a project, and for "not found" in that of a node.
  "file.not-found": define(404, (f: Facts<"path">) => `Not Found: the project has no file ${f.path}`),
  "node.file-not-found": define(404, (f: Facts<"path">) => `File ${f.path} not found`),

  "link.not-found": define(404, (f: Facts<"link_id">) => `Link ID ${f.link_id} doesn't exist`),

  "capture.not-found": define(404, (f: Facts<"capture_id">) => `Capture ID ${f.capture_id} doesn't exist`),
  "capture.not-running": define(409, () => "This link has no active packet capture"),
  "capture.in-progress": define(409, () => "The capture is running; stop it before deleting it"),
  "capture.lost": define(
    500,
    (f: Facts<"capture_id">) => `The packets of capture ${f.capture_id} are missing from storage`,
  ),

  // The words come from functions/shared/machine and store/ec2, so that other functions do not load them.

  "compute.not-found": define(404, (f: Facts<"compute_id">) => `Compute ID ${f.compute_id} doesn't exist`),
} as const;

export type ErrorCode = keyof (typeof ERRORS &
  typeof SYMBOL_ERRORS &
  typeof LINK_ERRORS &
  typeof PORT_ERRORS &
  typeof TOKEN_ERRORS &
  typeof NAMESPACE_ERRORS &
  typeof NODE_ERRORS &
  typeof IMPORT_ERRORS &
  typeof REAL_LINK_ERRORS &
  typeof MOVE_ERRORS &
  typeof SNAPSHOT_ERRORS &
  typeof DELETION_ERRORS &
  typeof DRAWING_ERRORS &
  typeof STREAM_ERRORS &
  typeof SERVER_ERRORS &
  typeof SIMVM_ERRORS &
  typeof CALL_ERRORS &
  typeof EMULATOR_ERRORS &
  typeof TEMPLATE_ERRORS &
  typeof SWEEP_ERRORS &
  typeof REPLAY_ERRORS &
  typeof GUEST_ERRORS);

/** The problem of one field: `path` in dots from the part of the request (`body.nodes.0.node_id`). */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

type Table = Partial<Readonly<Record<ErrorCode, ErrorDefinition<never>>>>;
type FactsOf<Definition> = Definition extends ErrorDefinition<infer Needed> ? Needed : never;

/** An error with a public code and message; its `cause`, if any, is for the log alone. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** What the message names: the table of errors has their names. */
  readonly facts: Facts<string>;
  readonly problems: readonly Problem[] | undefined;
  /** When the caller may send the request again; undefined where a repetition alone does not help. */
  readonly retryAfterS: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    definition: ErrorDefinition<never>,
    facts: Facts<string>,
    problems?: readonly Problem[],
    options?: FailureOptions,
  ) {
    super((definition.message as (facts: Facts<string>) => string)(facts), options);
    this.name = "ApiError";
    this.code = code;
    this.status = definition.status;
    this.facts = facts;
    this.problems = problems;
    const passing = this.status === 503 || code === "idempotency.in-progress";
    this.retryAfterS = options?.retryAfterS ?? (passing ? 1 : undefined);
    this.headers = options?.headers ?? {};
  }
}

interface FailureOptions extends ErrorOptions {
  readonly retryAfterS?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

type Rest<Needed> = object extends Needed
  ? [facts?: Needed, options?: FailureOptions]
  : [facts: Needed, options?: FailureOptions];

export function failure<Code extends keyof typeof ERRORS>(
  code: Code,
  ...[facts, options]: Rest<FactsOf<(typeof ERRORS)[Code]>>
): ApiError {
  return new ApiError(code, ERRORS[code], (facts ?? {}) as Facts<string>, undefined, options);
}

/** An error of a table that only some functions load (own-errors/). */
export function failureOf<Of extends Table, Code extends keyof Of & ErrorCode>(
  table: Of,
  code: Code,
  ...[facts, options]: Rest<FactsOf<Of[Code]>>
): ApiError {
  const definition = table[code] as ErrorDefinition<never>;
  return new ApiError(code, definition, (facts ?? {}) as Facts<string>, undefined, options);
}

/** An answer is not to be longer than the request that it refuses: names and numbers of problems are the caller's. */
const MOST_PROBLEMS = 100;
const PROBLEM_CHARACTERS = 500;

const cut = (text: string): string =>
  text.length > PROBLEM_CHARACTERS ? `${text.slice(0, PROBLEM_CHARACTERS).toWellFormed()}…` : text;

/** A 400 that lists the problems; the message names the first ones, for callers that show nothing else. */
export function invalidRequest(all: readonly Problem[]): ApiError {
  const problems = all.map(({ path, message }) => ({ path: cut(path), message: cut(message) }));
  const shown = problems.slice(0, 3).map((p) => (p.path ? `${p.path}: ${p.message}` : p.message));
  const rest = all.length - shown.length;
  const detail = shown.join("; ") + (rest > 0 ? `; and ${rest} more` : "");
  return new ApiError(
    "request.invalid",
    ERRORS["request.invalid"],
    { detail },
    problems.slice(0, MOST_PROBLEMS),
  );
}

/** Returns the error of a request whose problems have paths below a place: `body.filters`. */
export const invalidAt = (
  place: string,
  problems: readonly { readonly path: readonly (string | number)[]; readonly message: string }[],
): ApiError =>
  invalidRequest(problems.map(({ path, message }) => ({ path: [place, ...path].join("."), message })));
