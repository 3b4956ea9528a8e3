/**
 * Pages of other origins that may use the service (https://fetch.spec.whatwg.org/#http-cors-protocol). The stack's setting
 * `cors_origins` lists them; by default there are none. The gateway answers their preflight requests: infra/cors.ts.
 */

/** Returns whether the setting lists the origin, exactly as the browser sends it. */
export const isAllowedOrigin = (origin: string | undefined): origin is string =>
  origin !== undefined && allowedOrigins().includes(origin);

const allowedOrigins = (): readonly string[] => (process.env.CORS_ORIGINS ?? "").split(",").filter(Boolean);

/** Returns the headers with which the browser lets a page of an allowed origin read a response with these headers. */
export function corsHeaders(
  origin: string | undefined,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  if (!isAllowedOrigin(origin)) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": Object.keys(headers).join(", "),
  };
}

/** Responses differ by origin only if there are allowed ones; caches must know. */
export const variesByOrigin = (): boolean => allowedOrigins().length > 0;
