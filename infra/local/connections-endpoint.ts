/**
 * API Gateway's management API of WebSocket connections, with which functions send messages. It listens on the loopback interface.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-how-to-call-websocket-api-connections.html
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { EmbeddedServer } from "./embedded-server.ts";
import { readBody } from "./request-body.ts";
import { MESSAGE_MAX_BYTES, type SocketConnections } from "./socket-connections.ts";

/** @param stage the path of the endpoint, as on AWS. */
export async function startConnectionsEndpoint(
  host: string,
  stage: string,
  connections: SocketConnections,
): Promise<EmbeddedServer> {
  const server = createServer((request, response) => {
    answer(request, response, stage, connections).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    endpoint: `http://${host}:${(server.address() as AddressInfo).port}/${stage}`,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  stage: string,
  connections: SocketConnections,
): Promise<void> {
  const prefix = `/${stage}/@connections/`;
  const [path = ""] = decodeURIComponent(request.url ?? "").split("?");
  const body = await readBody(request, MESSAGE_MAX_BYTES);
  if (!path.startsWith(prefix)) return refuse(response, 403, "ForbiddenException");
  const id = path.slice(prefix.length);
  switch (request.method) {
    case "POST":
      if (body === null) return refuse(response, 413, "PayloadTooLargeException");
      return (await connections.send(id, body.toString())) ? succeed(response, 200) : gone(response);
    case "GET": {
      const found = connections.describe(id);
      return found === undefined ? gone(response) : succeed(response, 200, found);
    }
    case "DELETE":
      return connections.close(id) ? succeed(response, 204) : gone(response);
    default:
      return refuse(response, 403, "ForbiddenException");
  }
}

function succeed(response: ServerResponse, status: number, body?: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(body && JSON.stringify(body));
}

const gone = (response: ServerResponse): void => refuse(response, 410, "GoneException");

function refuse(response: ServerResponse, status: number, type: string): void {
  response.writeHead(status, { "content-type": "application/json", "x-amzn-errortype": type });
  response.end(JSON.stringify({ message: type }));
}
