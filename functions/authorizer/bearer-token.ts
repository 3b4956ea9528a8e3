/**
 * Reads the token of a request: `Authorization: Bearer <token>`, or a subprotocol of a WebSocket's handshake
 * (functions/shared/edge/subprotocol.ts).
 */
import type { APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import { offeredToken } from "../shared/edge/subprotocol.ts";
import { soleHeader } from "./sole-header.ts";

/** The compact form of a signed token (RFC 7515). */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const HEADER = /^Bearer +(\S+) *$/i;

/** @returns undefined without a well-formed token. */
export function bearerToken(event: APIGatewayRequestAuthorizerEvent): string | undefined {
  const header = soleHeader(event, "authorization");
  const token =
    header !== "" || !isHandshake(event)
      ? HEADER.exec(header)?.[1]
      : offeredToken(soleHeader(event, "sec-websocket-protocol"));
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Whether a client opens a WebSocket; other requests have no `eventType`. */
export const isHandshake = ({ requestContext }: APIGatewayRequestAuthorizerEvent): boolean =>
  (requestContext as { eventType?: string }).eventType === "CONNECT";
