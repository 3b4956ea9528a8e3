/**
 * Pages of other sites. A browser sends what it keeps of HTTP Basic along with what such a page makes it send, and a form or
 * a simple fetch needs no leave of ours. What it answers the page cannot read, since no answer has headers of CORS; what it
 * changes has to be refused here. Browsers name the page's origin with every request but GET and HEAD; other clients do not.
 */
import type { APIGatewayProxyEvent } from "aws-lambda";
import { failure } from "./errors.ts";

/** @throws ApiError `access.cross-site` when the page of another origin wants to change something. */
export function refuseCrossSite({
  httpMethod,
  headers,
}: Pick<APIGatewayProxyEvent, "httpMethod" | "headers">) {
  const { origin, host } = headers;
  if (httpMethod === "GET" || httpMethod === "HEAD" || origin === undefined) return;
  // Behind a proxy the host may be another; browsers know themselves.
  if (headers["sec-fetch-site"] === "same-origin" || hostOf(origin) === host?.toLowerCase()) return;
  throw failure("access.cross-site");
}

/** The origin "null", of pages without one, has no host. */
const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);
