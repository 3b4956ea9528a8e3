/** Responds to requests that Node's HTTP parser rejects: they emit no `request` event. */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { GatewayFaultType } from "./gateway-response.ts";
import type { RenderedResponse } from "./mapping.ts";

interface ParserError extends Error {
  readonly code?: string;
  /** Only llhttp's errors have one. */
  readonly reason?: string;
}

/** @param message replaces the fault's default message. */
type Render = (type: GatewayFaultType, message?: string) => RenderedResponse;

const FAULTS: Readonly<Record<string, GatewayFaultType>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
};

export function answerClientErrors(server: Server, render: Render): void {
  const latest = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();
  server.on("request", (request, response) => latest.set(request.socket, { request, response }));
  server.on("clientError", (error: ParserError, socket) => {
    const exchange = latest.get(socket);
    const isOver = exchange?.request.complete && exchange.response.writableFinished;
    // A second response must not be written into an unfinished first one.
    if (!socket.writable || (exchange?.response.headersSent && !isOver)) {
      socket.destroy();
      return;
    }
    const type = FAULTS[error.code ?? ""];
    const rendered = type
      ? render(type)
      : render("MALFORMED_REQUEST", `The request is not valid HTTP/1.1: ${error.reason ?? error.message}`);
    socket.end(format(rendered), () => socket.destroy());
  });
}

function format({ status, headers, body }: RenderedResponse): string {
  const all = { ...headers, "content-length": Buffer.byteLength(body), connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}
