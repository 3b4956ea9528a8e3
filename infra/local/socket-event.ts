/**
 * Builds the events of a WebSocket API.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-mapping-template-reference.html
 */
import { randomUUID } from "node:crypto";
import {
  allOfEach,
  collectHeaders,
  formatRequestTime,
  lastOfEach,
  type ReceivedRequest,
} from "./proxy-event.ts";

/** API Gateway passes `Upgrade` and its companions on. */
const NOT_PASSED_ON = new Set(["x-forwarded-port", "x-forwarded-proto", "x-amzn-trace-id"]);

/** What stays the same during a connection. */
export interface SocketIdentity {
  readonly connectionId: string;
  readonly connectedAtMs: number;
  readonly stage: string;
  readonly sourceIp: string;
  readonly userAgent: string | null;
  readonly domainName: string;
  /** The time of the last event. Times increase, so that they state the order of messages that arrive within a millisecond. */
  lastEventMs: number;
  /** Set by the authorizer, after it has admitted the client. */
  authorizer?: Readonly<Record<string, unknown>>;
}

export type Handshake = Pick<ReceivedRequest, "rawHeaders" | "sourceIp" | "port" | "protocol">;
export type Query = NonNullable<Parameters<typeof lastOfEach>[0]>;

export function connectEvent(identity: SocketIdentity, handshake: Handshake, query: Query) {
  const headers = collectHeaders(handshake, NOT_PASSED_ON);
  return {
    headers: lastOfEach(headers) ?? {},
    multiValueHeaders: allOfEach(headers) ?? {},
    queryStringParameters: lastOfEach(query),
    multiValueQueryStringParameters: allOfEach(query),
    requestContext: contextOf(identity, "CONNECT", "$connect"),
    isBase64Encoded: false,
  };
}

export const messageEvent = (identity: SocketIdentity, body: string) => ({
  requestContext: { ...contextOf(identity, "MESSAGE", "$default"), messageId: randomUUID() },
  body,
  isBase64Encoded: false,
});

/** @param code the status of the close frame; 1006 without one. */
export const disconnectEvent = (identity: SocketIdentity, code: number, reason: string) => ({
  headers: { Host: identity.domainName },
  multiValueHeaders: { Host: [identity.domainName] },
  requestContext: {
    ...contextOf(identity, "DISCONNECT", "$disconnect"),
    disconnectStatusCode: code,
    disconnectReason: reason,
  },
  isBase64Encoded: false,
});

function contextOf(identity: SocketIdentity, eventType: string, routeKey: string) {
  const { connectionId, connectedAtMs, stage, sourceIp, userAgent, domainName, authorizer } = identity;
  identity.lastEventMs = Math.max(Date.now(), identity.lastEventMs + 1);
  const nowMs = identity.lastEventMs;
  const requestId = randomUUID();
  return {
    routeKey,
    ...(authorizer && { authorizer }),
    eventType,
    extendedRequestId: requestId,
    requestTime: formatRequestTime(nowMs),
    messageDirection: "IN",
    stage,
    connectedAt: connectedAtMs,
    requestTimeEpoch: nowMs,
    identity: { userAgent, sourceIp },
    requestId,
    domainName,
    connectionId,
    apiId: "local",
  };
}
