/**
 * The subprotocols of a WebSocket (RFC 6455, section 1.9). Browsers set no header of their choice with a WebSocket, so a page offers its
 * token as a subprotocol, beside the one that the service selects.
 *
 *     Sec-WebSocket-Protocol: wirelab, wirelab.token.<token>    ->      Sec-WebSocket-Protocol: wirelab
 */
export const SUBPROTOCOL = "wirelab";
const TOKEN_PREFIX = `${SUBPROTOCOL}.token.`;

/** @param header the value of `Sec-WebSocket-Protocol` in a client's handshake. */
export const offered = (header: string): string[] => header.split(",").map((each) => each.trim());

/** @returns undefined without a token, or with several. */
export function offeredToken(header: string): string | undefined {
  const tokens = offered(header).filter((each) => each.startsWith(TOKEN_PREFIX));
  return tokens.length === 1 ? tokens[0]!.slice(TOKEN_PREFIX.length) : undefined;
}
