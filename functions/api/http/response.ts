/** From an operation's answer, or an error, to what API Gateway expects of a function. */
import { Readable } from "node:stream";
import { ApiError } from "../errors.ts";
import type { ResponseSpec } from "../route.ts";

/** What a function answers; bytes, not text, so that no writer can cut a character in two. */
export interface ProxyResult {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | Readable;
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
  if (body === undefined) return { statusCode, headers: { ...answer.headers }, body: Buffer.alloc(0) };
  if (!(body instanceof Uint8Array || body instanceof Readable))
    return jsonResult(statusCode, body, answer.headers);
  const contentType = answer.contentType ?? spec?.contentType ?? "application/octet-stream";
  const headers = { "content-type": contentType, ...answer.headers };
  return { statusCode, headers, body };
}

/** A fault of ours is identified by its request id, and a known one by its code; the cause is in the log. */
export function toErrorResult(error: unknown, requestId: string): ProxyResult {
  if (error instanceof ApiError) {
    const { message, status, problems } = error;
    const passing = status === 503 || error.code === "idempotency.in-progress";
    const retryAfterS = error.facts.retry_after_s ?? (passing ? 1 : undefined);
    const headers: Record<string, string> =
      retryAfterS === undefined ? {} : { "retry-after": String(retryAfterS) };
    const fault = status === 500 && { code: error.code, request_id: requestId };
    return jsonResult(status, { message, status, ...(problems && { errors: problems }), ...fault }, headers);
  }
  return jsonResult(500, { message: "Internal server error", status: 500, request_id: requestId });
}

function jsonResult(statusCode: number, body: unknown, headers: Record<string, string> = {}): ProxyResult {
  return {
    statusCode,
    headers: { "content-type": "application/json", ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}
