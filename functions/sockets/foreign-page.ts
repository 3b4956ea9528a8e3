/**
 * Rejects WebSockets that pages of other sites open. A browser sends its stored HTTP Basic credentials with them, and the same-origin
 * policy does not apply to WebSockets (RFC 6455, section 10.2). Browsers always send the page's origin; other clients send none. A page
 * that offers a token has it from its user, and no browser adds one, so it may come from any origin.
 */
import { isAllowedOrigin } from "../shared/edge/cors.ts";
import { failure } from "../shared/edge/errors.ts";
import { offeredToken } from "../shared/edge/subprotocol.ts";

/** The host of the REST API, which serves the page; without CloudFront the WebSocket API has another one. Set by infra/. */
const PAGE_HOST = "PAGE_HOST";

/**
 * @param headers with names in any case. `X-Forwarded-Host` has the address of the page behind CloudFront (infra/edge/viewer-request.js);
 *   a page cannot set it.
 * @throws ApiError `access.cross-site`
 */
export function refuseForeignPage(headers: Readonly<Record<string, string | undefined>>): void {
  const named = (wanted: string): string | undefined =>
    Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
  const origin = named("origin");
  if (origin === undefined || offeredToken(named("sec-websocket-protocol") ?? "") !== undefined) return;
  const host = URL.canParse(origin) ? new URL(origin).host : null;
  const own = [named("host"), named("x-forwarded-host"), process.env[PAGE_HOST]].map((each) =>
    each?.toLowerCase(),
  );
  if (host !== null && own.includes(host)) return;
  if (!isAllowedOrigin(origin)) throw failure("access.cross-site");
}
