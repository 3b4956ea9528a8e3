/** Checks a function's result, and converts it to an HTTP response as API Gateway does. */
import type { OutgoingHttpHeaders } from "node:http";
import { validateHeaderName, validateHeaderValue } from "node:http";

export interface ResponseHead {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
}

export interface BufferedResponse extends ResponseHead {
  readonly body: Buffer;
}

/** Headers that the gateway sets; it ignores a function's values. */
const DROPPED = new Set(["content-length", "keep-alive", "te", "transfer-encoding"]);

/** Headers that API Gateway renames: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html */
const REMAPPED = new Set([
  "authorization",
  "connection",
  "content-md5",
  "date",
  "expect",
  "host",
  "max-forwards",
  "proxy-authenticate",
  "server",
  "trailer",
  "upgrade",
  "user-agent",
  "www-authenticate",
]);

/** @returns null for a result that API Gateway rejects as a malformed Lambda proxy response. */
export function readBufferedResult(payload: string): BufferedResponse | null {
  const result = asObject(JSON.parse(payload));
  const head = readHead(result);
  if (result === null || head === null) return null;
  const body = result.body ?? "";
  if (typeof body !== "string") return null;
  return { ...head, body: Buffer.from(body, result.isBase64Encoded === true ? "base64" : "utf8") };
}

/** @param prelude the metadata of a streamed response as JSON text: status, headers, cookies. */
export function readStreamHead(prelude: string): ResponseHead | null {
  return readHead(asObject(JSON.parse(prelude)));
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-6.4.1 */
export const hasBody = (status: number): boolean => status !== 204 && status !== 304;

function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

function readHead(result: Record<string, unknown> | null): ResponseHead | null {
  if (result === null) return null;
  const status = Number(result.statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) return null;
  const single = asObject(result.headers ?? {});
  const multiple = asObject(result.multiValueHeaders ?? {});
  if (single === null || multiple === null) return null;
  try {
    const headers = mergeHeaders(single, multiple, result.cookies);
    if (hasBody(status)) headers["content-type"] ??= "application/json";
    return { status, headers };
  } catch {
    return null;
  }
}

/** Collects the values of each name; a value in both `single` and `multiple` is sent once. */
function mergeHeaders(
  single: Record<string, unknown>,
  multiple: Record<string, unknown>,
  cookies: unknown,
): OutgoingHttpHeaders {
  const merged: Record<string, string[]> = {};
  const add = (name: string, value: unknown) => {
    const key = name.toLowerCase();
    if (DROPPED.has(key) || value === null || value === undefined) return;
    const target = REMAPPED.has(key) ? `x-amzn-remapped-${key}` : key;
    validateHeaderName(target);
    validateHeaderValue(target, String(value));
    merged[target] ??= [];
    if (!merged[target].includes(String(value))) merged[target].push(String(value));
  };
  for (const [name, values] of Object.entries(multiple))
    for (const value of values as unknown[]) add(name, value);
  for (const [name, value] of Object.entries(single)) add(name, value);
  for (const value of Array.isArray(cookies) ? cookies : []) add("set-cookie", value);
  return Object.fromEntries(
    Object.entries(merged).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}
