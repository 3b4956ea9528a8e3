/** Calls routes of the API. */
import { runPauses } from "@wirelab/lab/run-pauses";
import { authorization, currentAuthorization, signInAgain } from "./session.ts";
import type { LabRunState } from "./types.ts";

const BASE = "/v2";

/** What is wrong with one value of a request. */
export interface FieldProblem {
  /** `body.both.delay`. */
  readonly path: string;
  readonly message: string;
}

/** The response of a failed call, in words that a user can read. */
export class ApiProblem extends Error {
  /** The HTTP status; 0 if no response arrived. */
  readonly status: number;
  /** The service's code of the error, such as `project.not-found`. */
  readonly code: string;
  /** Empty if the problem is not with values of the request. */
  readonly problems: readonly FieldProblem[];

  constructor(status: number, code: string, message: string, problems: readonly FieldProblem[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.problems = problems;
  }
}

export interface CallOptions {
  /** Sent as JSON, unless it is bytes. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * How often, and after how many milliseconds at least, a call is repeated that the service was too busy for (503 and 429). A POST may have
 * been carried out, unless the gateway could not check the credentials.
 */
const REPEAT_AFTER_MS = [300, 1000, 3000];
const LONGEST_WAIT_S = 10;
const NOT_CARRIED_OUT = "gateway.undecided";

/**
 * Sends a request and returns the response.
 * @param path below the version prefix: `/projects`.
 * @throws ApiProblem when the service cannot be reached or refuses.
 */
export async function send(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  for (const waitMs of [...REPEAT_AFTER_MS, null]) {
    const response = await sendWithCredentials(method, path, options);
    if (response.ok) return response;
    const isBusy = response.status === 503 || response.status === 429;
    const problem = await problemOf(response);
    const mayRepeat = method !== "POST" || problem.code === NOT_CARRIED_OUT;
    if (waitMs === null || !isBusy || !mayRepeat) throw problem;
    const named = Math.min(Number(response.headers.get("retry-after") ?? 0), LONGEST_WAIT_S) * 1000;
    await new Promise((resolve) => setTimeout(resolve, Math.max(waitMs, named)));
  }
  throw new Error("unreachable");
}

/**
 * Calls a route whose response is JSON, or empty. A run of a lab with Linux nodes outlasts its request: the call lasts until the run has
 * ended, and returns what the run returns.
 */
export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const response = await send(method, path, options);
  const text = await response.text();
  const json: unknown = text === "" ? undefined : JSON.parse(text);
  const run = response.status === 202 ? response.headers.get("location") : null;
  return (run === null ? json : await outcomeOf(run, options)) as T;
}

/** @param address as `Location` has it: with the version prefix. @throws ApiProblem that of the run. */
async function outcomeOf(address: string, { signal }: CallOptions): Promise<unknown> {
  const path = address.replace(BASE, "");
  for (const pauses = runPauses(); ; ) {
    const { value: pauseMs } = pauses.next();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const { answer, error } = await call<LabRunState>("GET", path, signal && { signal });
    if (error) throw new ApiProblem(error.status, error.code, error.message);
    if (answer) return answer.body ?? undefined;
  }
}

async function sendWithCredentials(method: string, path: string, options: CallOptions): Promise<Response> {
  const sent = await currentAuthorization();
  const response = await sendOnce(method, path, options, sent);
  if (response.status !== 401) return response;
  // The user has signed in, or a token was renewed, while this request was under way. The service did not carry it out.
  const isOld = authorization.value !== null && authorization.value !== sent;
  const second = isOld ? await sendOnce(method, path, options, authorization.value) : response;
  if (second.status !== 401 || !(await signInAgain(options.signal))) return second;
  return sendWithCredentials(method, path, options);
}

async function sendOnce(
  method: string,
  path: string,
  { body, signal }: CallOptions,
  authorization: string | null,
): Promise<Response> {
  const isBytes = body instanceof Blob || body instanceof ArrayBuffer || body instanceof Uint8Array;
  const headers = new Headers();
  if (authorization !== null) headers.set("authorization", authorization);
  if (body !== undefined)
    headers.set("content-type", isBytes ? "application/octet-stream" : "application/json");
  const init: RequestInit = { method, headers, credentials: "omit", signal: signal ?? null };
  if (body !== undefined) init.body = isBytes ? (body as BodyInit) : JSON.stringify(body);
  try {
    return await fetch(BASE + path, init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiProblem(
      0,
      "offline",
      "The service cannot be reached. Check the network; the page tries again.",
    );
  }
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const { status } = response;
  const json = await response.json().catch(() => ({}));
  // With IAM, a request without a signature gets 403.
  if (status === 403 && json.code === "access.credentials") void signInAgain();
  const message = json.message ?? `The service answered with status ${status}.`;
  return new ApiProblem(status, json.code ?? "", String(message), json.errors ?? []);
}
