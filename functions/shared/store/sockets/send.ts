/** Sends messages to WebSocket connections, through API Gateway's management API. */
import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GetConnectionCommand,
  GoneException,
  PostToConnectionCommand,
} from "@aws-sdk/client-apigatewaymanagementapi";
import { clientSettings } from "../base/client-settings.ts";
import { requiredEnv } from "../base/env.ts";
import { withoutLog } from "../base/without-log.ts";

/** The maximum size of a message: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const MESSAGE_MAX_BYTES = 128 * 1024;

const TIMEOUT_MS = 3_000;

let made: ApiGatewayManagementApiClient | undefined;

function client(): ApiGatewayManagementApiClient {
  made ??= withoutLog(
    new ApiGatewayManagementApiClient({
      ...clientSettings(TIMEOUT_MS),
      endpoint: requiredEnv("SOCKETS_ENDPOINT"),
    }),
  );
  return made;
}

/**
 * Sends a text message of at most 128 KiB.
 * @returns false when the connection is closed, or not open yet: API Gateway opens it after the function has accepted `$connect`.
 */
export const send = (connectionId: string, text: string): Promise<boolean> =>
  unlessGone(
    client().send(new PostToConnectionCommand({ ConnectionId: connectionId, Data: Buffer.from(text) })),
  );

/** Returns whether the connection can receive messages: see `send`. */
export const isOpen = (connectionId: string): Promise<boolean> =>
  unlessGone(client().send(new GetConnectionCommand({ ConnectionId: connectionId })));

/** @returns false when the connection was closed before. */
export const disconnect = (connectionId: string): Promise<boolean> =>
  unlessGone(client().send(new DeleteConnectionCommand({ ConnectionId: connectionId })));

async function unlessGone(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof GoneException) return false;
    throw error;
  }
}
