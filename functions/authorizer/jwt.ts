/**
 * Authorizes requests with a token of an OpenID Connect issuer: `Authorization: Bearer <JWT>`, or a subprotocol of a WebSocket
 * (functions/shared/edge/subprotocol.ts).
 */
import type { APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import { offeredToken } from "../shared/edge/subprotocol.ts";
import { makeHandler } from "./make-handler.ts";
import { soleHeader } from "./sole-header.ts";
import { makeTokenReader, settingsFrom } from "./token.ts";

const readToken = makeTokenReader(settingsFrom(process.env));

const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const HEADER = /^Bearer +(\S+) *$/i;

export const handler = makeHandler(async (event) => {
  const token = tokenOf(event);
  return token === undefined || !TOKEN.test(token) ? "malformed" : readToken(token);
});

function tokenOf(event: APIGatewayRequestAuthorizerEvent): string | undefined {
  const header = soleHeader(event, "authorization");
  if (header !== "" || !isHandshake(event)) return HEADER.exec(header)?.[1];
  return offeredToken(soleHeader(event, "sec-websocket-protocol"));
}

/** Whether a client opens a WebSocket; other requests have no `eventType`. */
const isHandshake = ({ requestContext }: APIGatewayRequestAuthorizerEvent): boolean =>
  (requestContext as { eventType?: string }).eventType === "CONNECT";
