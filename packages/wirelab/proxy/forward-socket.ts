/** Forwards WebSockets to the service, with the user's credentials. */
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { openSocket, type Service } from "../service/service.ts";
import { pathBelow, targetOf } from "./forward-http.ts";
import { type Rewrite, rewriteText } from "./rewrite-body.ts";

const EVENTS = /\/notifications\/ws$/;
const ABNORMAL = 1006;
const NO_STATUS = 1005;
const GOING_AWAY = 1001;

const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });

export function forwardSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  service: Service,
  rewrite: Rewrite,
): void {
  const target = targetOf(service, request.url ?? "/");
  const path = pathBelow(service, target);
  const remote = openSocket(service, `${path}${target.search}`);
  const early: [RawData, boolean][] = [];
  const keep = (data: RawData, isBinary: boolean) => early.push([data, isBinary]);
  // The service may send before the client's handshake has ended.
  remote.on("message", keep);
  socket.on("error", () => remote.terminate());
  remote.once("unexpected-response", (_request, { statusCode = 502 }) => refuse(socket, statusCode));
  remote.once("error", () => refuse(socket, 502));
  remote.once("open", () => {
    server.handleUpgrade(request, socket, head, (client) => {
      remote.off("message", keep);
      join(client, remote, early, EVENTS.test(path) ? rewrite : undefined);
    });
  });
}

/** Passes messages both ways, in their order. @param early messages of the service that have arrived already. */
function join(
  client: WebSocket,
  remote: WebSocket,
  early: readonly [RawData, boolean][],
  rewrite: Rewrite | undefined,
): void {
  let last: Promise<unknown> = Promise.resolve();
  const toClient = (data: RawData, isBinary: boolean): void => {
    last = last.then(async () => {
      const isText = rewrite !== undefined && !isBinary;
      const sent = isText ? await rewriteText(String(data), rewrite) : data;
      if (client.readyState === client.OPEN) client.send(sent, { binary: isBinary });
    });
  };
  for (const [data, isBinary] of early) toClient(data, isBinary);
  remote.on("message", toClient);
  // API Gateway closes a connection on which a client sends a binary message.
  client.on("message", (data) => remote.readyState === remote.OPEN && remote.send(String(data)));
  remote.once("close", (code) => void last.then(() => close(client, code)));
  client.once("close", () => remote.close());
  client.on("error", () => remote.close());
  remote.on("error", () => client.terminate());
}

/**
 * The desktop client does not come back after code 1001, with which API Gateway ends connections that are idle or two hours old; it does
 * when a connection breaks.
 */
function close(client: WebSocket, code: number): void {
  if (code === GOING_AWAY || code === ABNORMAL) client.terminate();
  else if (code === NO_STATUS) client.close();
  else client.close(code);
}

export function refuse(socket: Duplex, status: number): void {
  if (!socket.writable) return;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}
