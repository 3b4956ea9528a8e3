/** From an operation's answer, or an error, to what API Gateway expects of a function. */
import { Readable } from "node:stream";
import { ApiError } from "../errors.ts";
import type { ResponseSpec } from "../route.ts";

/** A buffered function answers text or base64; a streaming one text or a readable stream. */
export interface ProxyResult {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string | Readable;
  readonly isBase64Encoded?: boolean;
}

export interface AnyAnswer {
  readonly status: PropertyKey;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly contentType?: string;
}

export function toProxyResult(
  answer: AnyAnswer,
  spec: ResponseSpec | undefined,
  streaming: boolean,
): ProxyResult {
  const statusCode = Number(answer.status);
  if (answer.body === undefined) return { statusCode, headers: { ...answer.headers }, body: "" };
  const { body } = answer;
  if (!(body instanceof Uint8Array || body instanceof Readable))
    return jsonResult(statusCode, body, answer.headers);
  const contentType = answer.contentType ?? spec?.contentType ?? "application/octet-stream";
  const headers = { "content-type": contentType, ...answer.headers };
  return { statusCode, headers, ...encodeBytes(body, streaming) };
}

function encodeBytes(body: Uint8Array | Readable, streaming: boolean) {
  if (streaming) return { body: body instanceof Readable ? body : Readable.from([body]) };
  if (body instanceof Readable) throw new TypeError("a buffered function cannot answer a stream");
  return { body: Buffer.from(body).toString("base64"), isBase64Encoded: true };
}

/** A fault of ours is told by its request id alone; the cause is in the log. */
export function toErrorResult(error: unknown, requestId: string): ProxyResult {
  if (error instanceof ApiError) {
    const { message, status, problems } = error;
    const headers: Record<string, string> = status === 503 ? { "retry-after": "1" } : {};
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
