/** Where a WebSocket of the service is, and what the page offers with it. */
const BASE = "/v2";

/**
 * Browsers send no header of their choice with a WebSocket, and an address would be in logs, so the page offers its token as a
 * subprotocol (functions/shared/edge/subprotocol.ts).
 */
export const subprotocols = (authorization: string | null): string[] => {
  const [, token] = /^Bearer (.+)$/.exec(authorization ?? "") ?? [];
  return token === undefined ? [] : ["wirelab", `wirelab.token.${token}`];
};

/**
 * @param sockets the address of a WebSocket API of its own, which takes the path as its query; undefined if WebSockets have the page's.
 * @param path below the version prefix, with its query.
 */
export function socketAddress(origin: string, sockets: string | undefined, path: string): string {
  if (sockets === undefined) return `${origin.replace(/^http/, "ws")}${BASE}${path}`;
  const { pathname, searchParams } = new URL(BASE + path, origin);
  return `${sockets}?${new URLSearchParams([["path", pathname], ...searchParams])}`;
}
