/** The events of the function: API Gateway's events of a WebSocket API, those of the publisher, and those of a schedule. */
import type { APIGatewayProxyEvent } from "aws-lambda";

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-mapping-template-reference.html */
export interface SocketEvent {
  readonly requestContext: {
    readonly eventType: "CONNECT" | "MESSAGE" | "DISCONNECT";
    readonly connectionId: string;
    readonly requestId: string;
    readonly requestTimeEpoch: number;
    readonly authorizer?: APIGatewayProxyEvent["requestContext"]["authorizer"];
    readonly identity: APIGatewayProxyEvent["requestContext"]["identity"];
    readonly disconnectStatusCode?: number;
  };
  /** Present in CONNECT; also in DISCONNECT, with fewer entries. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null;
  /** Present in MESSAGE. */
  readonly body?: string;
}

/** The publisher's event: connections that are opening. */
export interface OpenedEvent {
  readonly opened: readonly string[];
}

export interface ScheduledEvent {
  readonly source: "aws.events";
}

export interface SocketAnswer {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
