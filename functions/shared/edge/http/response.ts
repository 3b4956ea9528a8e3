/** Converts an operation's response, or an error, to the result that API Gateway expects of a function. */
import { Readable } from "node:stream";
import { ApiError } from "../errors.ts";
import type { ResponseSpec } from "../route.ts";

/** A function's result. The body is bytes, not text, so that no writer can split a character. */
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

/** Returns the result without its body; closes the source of a stream unread. */
export function withoutBody(result: ProxyResult): ProxyResult {
  if (result.body instanceof Readable) result.body.destroy();
  return { ...result, body: Buffer.alloc(0) };
}

/** Returns the error's code, message and status; for a fault of the service, also the request id, by which the log has the cause. */
export function toErrorResult(error: unknown, requestId: string): ProxyResult {
  if (!(error instanceof ApiError)) {
    return jsonResult(500, {
      code: "internal",
      message: "Internal server error",
      status: 500,
      request_id: requestId,
    });
  }
  const { code, message, status, problems, retryAfterS } = error;
  const body = {
    code,
    message,
    status,
    ...(problems && { errors: problems }),
    ...(status === 500 && { request_id: requestId }),
  };
  return jsonResult(status, body, {
    ...error.headers,
    ...(retryAfterS !== undefined && { "retry-after": String(retryAfterS) }),
  });
}

function jsonResult(statusCode: number, body: unknown, headers: Record<string, string> = {}): ProxyResult {
  return {
    statusCode,
    headers: { "content-type": "application/json", ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}
