/** From an operation's answer, or an error, to what API Gateway expects of a function. */
import { Readable } from "node:stream";
import { ApiError } from "../errors.ts";
import type { ResponseSpec } from "../route.ts";

/** What a streaming function answers: text, or a stream of bytes. */
export interface ProxyResult {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string | Readable;
}

export interface AnyAnswer {
  readonly status: PropertyKey;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly contentType?: string;
}

export function toProxyResult(answer: AnyAnswer, spec: ResponseSpec | undefined): ProxyResult {
  const statusCode = Number(answer.status);
  const { body } = answer;
  if (body === undefined) return { statusCode, headers: { ...answer.headers }, body: "" };
  if (!(body instanceof Uint8Array || body instanceof Readable))
    return jsonResult(statusCode, body, answer.headers);
  const contentType = answer.contentType ?? spec?.contentType ?? "application/octet-stream";
  const headers = { "content-type": contentType, ...answer.headers };
  return { statusCode, headers, body: body instanceof Readable ? body : Readable.from([body]) };
}

/** A fault of ours is told by its request id alone; the cause is in the log. */
export function toErrorResult(error: unknown, requestId: string): ProxyResult {
  if (error instanceof ApiError) {
    const { message, status, problems } = error;
    const passing = status === 503 || error.code === "idempotency.in-progress";
    const retryAfterS = error.facts.retry_after_s ?? (passing ? 1 : undefined);
    const headers: Record<string, string> =
      retryAfterS === undefined ? {} : { "retry-after": String(retryAfterS) };
    return jsonResult(status, { message, status, ...(problems && { errors: problems }) }, headers);
  }
  return jsonResult(500, { message: "Internal server error", status: 500, request_id: requestId });
}

function jsonResult(statusCode: number, body: unknown, headers: Record<string, string> = {}): ProxyResult {
  return {
    statusCode,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}
