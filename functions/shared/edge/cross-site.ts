/**
 * Rejects changes by pages of other sites. A browser adds its stored HTTP Basic credentials to requests that such a page causes, and
 * sends those of forms and simple fetches without a CORS preflight. The page cannot read the response, which has no CORS headers for
 * it, but the change would happen. Browsers send the page's origin with every request except GET and HEAD; other clients send none.
 */
import type { APIGatewayProxyEvent } from "aws-lambda";
import { isAllowedOrigin } from "./cors.ts";
import { failure } from "./errors.ts";

/** @throws ApiError `access.cross-site` when a page of another origin requests a change. */
export function refuseCrossSite({
  httpMethod,
  headers,
}: Pick<APIGatewayProxyEvent, "httpMethod" | "headers">) {
  const { origin, host } = headers;
  if (httpMethod === "GET" || httpMethod === "HEAD" || origin === undefined) return;
  // Behind a proxy the Host header may differ from the page's host; Sec-Fetch-Site is reliable there. CloudFront sets X-Forwarded-Host
  // (infra/edge/viewer-request.js), and a page cannot.
  const own = [host, headers["x-forwarded-host"]].map((each) => each?.toLowerCase());
  if (headers["sec-fetch-site"] === "same-origin" || own.includes(hostOf(origin) ?? "null")) return;
  if (isAllowedOrigin(origin)) return;
  throw failure("access.cross-site");
}

/** The origin "null", which browsers send for pages without an origin, has no host. */
const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);
