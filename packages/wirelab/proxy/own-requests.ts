/** Which requests a proxy on the loopback interface accepts: it adds the user's credentials, so web pages must not reach it. */
import type { IncomingHttpHeaders } from "node:http";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;

/**
 * Returns why a request is refused, undefined if it is accepted. A page whose host name resolves to this machine cannot change the Host
 * header (DNS rebinding), and a page of another site cannot change its Origin.
 */
export function refusalOf({
  host = "",
  origin,
  "sec-fetch-site": site,
}: IncomingHttpHeaders): string | undefined {
  if (!LOOPBACK.test(host)) return `The host ${host} is not this machine`;
  if (site === "cross-site") return "Pages of other sites may not use this proxy";
  if (origin === undefined) return undefined;
  const named = URL.canParse(origin) ? new URL(origin).host : "";
  return LOOPBACK.test(named) ? undefined : `Pages of ${origin} may not use this proxy`;
}
