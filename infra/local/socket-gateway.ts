/**
 * Emulates API Gateway's WebSocket API in front of the functions, on the port of the REST API.
 *
 *     client's handshake   -> authorizer -> $connect -> 101, or the status that refuses
 *     client's message     -> $default
 *     end of a connection  -> $disconnect
 *
 * A handshake at the stage's path has the path of the interface in its query, as on AWS; a handshake at any other path gets that query
 * here, as CloudFront makes it (infra/edge/viewer-request.js).
 */
import { randomBytes, randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { type Authorize, makeAuthorize, stageArn } from "./authorizer.ts";
import type { GatewayFaultType, RenderFault } from "./gateway-response.ts";
import { discard } from "./lambda-instance.ts";
import type { LambdaPool } from "./lambda-pool.ts";
import { namesThisMachine } from "./own-names.ts";
import { parseQuery } from "./proxy-event.ts";
import { type BufferedResponse, readBufferedResult } from "./proxy-result.ts";
import { splitTarget } from "./request-target.ts";
import { CLOSE, FRAME_MAX_BYTES, MESSAGE_MAX_BYTES, type SocketConnections } from "./socket-connections.ts";
import {
  connectEvent,
  disconnectEvent,
  messageEvent,
  type Query,
  type SocketIdentity,
} from "./socket-event.ts";
import { watchFrames } from "./socket-frames.ts";
import { SocketInbox } from "./socket-inbox.ts";
import type { SocketsDefinition } from "./template/sockets.ts";
import type { LocalTemplate } from "./template/template.ts";

interface SocketGatewayParts {
  readonly template: LocalTemplate;
  readonly pool: LambdaPool;
  readonly renderFault: RenderFault;
  readonly ownNamesOnly?: boolean;
}

/** Whether a request asks for a WebSocket (RFC 6455, section 4.2.1). */
export const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === "GET" && headers.upgrade?.toLowerCase() === "websocket";

export function acceptSockets(
  server: Server,
  connections: SocketConnections,
  parts: SocketGatewayParts,
): void {
  const gateway = new SocketGateway(connections, parts);
  server.on("upgrade", (request, socket, head) => void gateway.accept(request, socket, head));
}

/** The answer to a handshake that is refused. */
interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number | string[] | undefined>>;
  readonly body: string | Uint8Array;
}

/** The authorizer's faults with AWS's texts: the gateway responses of the stack are those of the REST API. */
const AUTHORIZER_REFUSALS: Readonly<Partial<Record<GatewayFaultType, { status: number; message: string }>>> =
  {
    UNAUTHORIZED: { status: 401, message: "Unauthorized" },
    ACCESS_DENIED: { status: 403, message: "Forbidden" },
  };
const FUNCTION_FAILED = { status: 502, message: "Internal server error" };
const AUTHORIZER_FAILED = { status: 500, message: "Internal server error" };

class SocketGateway {
  readonly #connections: SocketConnections;
  readonly #parts: SocketGatewayParts;
  readonly #authorize: Authorize;
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MESSAGE_MAX_BYTES,
    // As on AWS, the function selects the subprotocol.
    handleProtocols: (_offered, request) => this.#subprotocols.get(request) ?? false,
  });
  readonly #subprotocols = new WeakMap<IncomingMessage, string | false>();

  constructor(connections: SocketConnections, parts: SocketGatewayParts) {
    this.#connections = connections;
    this.#parts = parts;
    this.#authorize = makeAuthorize(parts.template.authorizers, parts.pool);
  }

  async accept(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    // The client may leave while the functions decide.
    stream.on("error", () => stream.destroy());
    const { sockets, stage } = this.#parts.template;
    const identity = identify(request, stage);
    const query = this.#readQuery(request);
    try {
      if (typeof query === "string") return refuse(stream, this.#renderFault(query));
      if (sockets === undefined) return refuse(stream, this.#renderFault("MISSING_AUTHENTICATION_TOKEN"));
      const refusal = await this.#connect(sockets, identity, request, query);
      if (refusal) return refuse(stream, refusal);
      this.#open(sockets, identity, { request, stream, head });
    } catch (error) {
      console.error(error);
      stream.destroy();
    }
  }

  #readQuery(request: IncomingMessage): Query | GatewayFaultType {
    const { stage } = this.#parts.template;
    if (request.headers.host === undefined) return "MISSING_HOST";
    if (this.#parts.ownNamesOnly && !namesThisMachine(request.headers.host)) return "FOREIGN_NAME";
    if (!isComplete(request)) return "MALFORMED_REQUEST";
    const { fullPath, query: text } = splitTarget(request.url ?? "/");
    const query = parseQuery(text);
    if (query === null) return "BAD_REQUEST_PARAMETERS";
    if (fullPath === `/${stage}`) return query;
    if (!fullPath.startsWith(`/${stage}/`)) return "MISSING_AUTHENTICATION_TOKEN";
    query.set("path", { name: "path", values: [fullPath] });
    return query;
  }

  async #connect(
    sockets: SocketsDefinition,
    identity: SocketIdentity,
    request: IncomingMessage,
    query: Query,
  ): Promise<Refusal | undefined> {
    const handshake = {
      rawHeaders: request.rawHeaders,
      sourceIp: identity.sourceIp,
      protocol: "http",
      port: request.socket.localPort ?? 80,
    };
    const event = connectEvent(identity, handshake, query);
    if (sockets.authorizerId !== undefined) {
      const arn = `${stageArn("local", identity.stage)}/$connect`;
      const admitted = await this.#authorize(sockets.authorizerId, event, arn);
      if (typeof admitted === "string")
        return explain(AUTHORIZER_REFUSALS[admitted] ?? AUTHORIZER_FAILED, identity);
      identity.authorizer = admitted;
      Object.assign(event.requestContext, { authorizer: admitted });
    }
    const payload = await this.#invoke(sockets.connect, event);
    const result = payload === undefined ? null : readBufferedResult(payload);
    if (result === null) return explain(FUNCTION_FAILED, identity);
    if (result.status >= 300) return result;
    this.#subprotocols.set(request, subprotocolOf(result));
    return undefined;
  }

  #open(
    sockets: SocketsDefinition,
    identity: SocketIdentity,
    { request, stream, head }: { request: IncomingMessage; stream: Duplex; head: Buffer },
  ): void {
    const end = async (code: number, reason: string) => {
      await this.#invoke(sockets.disconnect, disconnectEvent(identity, code, reason));
    };
    // A client that has left has no connection, and the function does not know.
    if (stream.destroyed || !stream.writable) return void end(1006, "");
    this.#server.handleUpgrade(request, stream, head, (socket) => {
      this.#connections.add(identity, socket, end);
      this.#listen(sockets, identity, socket, stream);
    });
  }

  #listen(sockets: SocketsDefinition, identity: SocketIdentity, socket: WebSocket, stream: Duplex): void {
    let isRefused = false;
    const inbox = new SocketInbox((text) => this.#receive(sockets, identity, text), socket);
    const refuseWith = (code: number, reason: string) => {
      isRefused = true;
      socket.close(code, reason);
    };
    watchFrames(stream, FRAME_MAX_BYTES, () => refuseWith(CLOSE.messageTooBig, "Frame too long"));
    // `ws` has closed the connection with the code that fits the error.
    socket.on("error", () => {});
    socket.on("ping", () => this.#connections.touch(identity.connectionId));
    socket.on("message", (data: RawData, isBinary) => {
      if (isRefused) return;
      if (isBinary) return refuseWith(CLOSE.unsupportedData, "Binary messages are not accepted");
      this.#connections.touch(identity.connectionId);
      inbox.add(data.toString());
    });
  }

  /** As on AWS, messages of a connection may be handled at the same time. Never rejects. */
  async #receive(sockets: SocketsDefinition, identity: SocketIdentity, text: string): Promise<void> {
    const payload = await this.#invoke(sockets.message, messageEvent(identity, text));
    if (payload === undefined)
      await this.#connections.send(identity.connectionId, explain(FUNCTION_FAILED, identity).body as string);
  }

  /** @returns undefined when the function failed; it has logged its error. */
  async #invoke(functionId: string, event: object): Promise<string | undefined> {
    try {
      const invocation = await this.#parts.pool.invoke(functionId, randomUUID(), JSON.stringify(event));
      if (invocation.kind === "buffered") return invocation.payload;
      discard(invocation);
      return undefined;
    } catch {
      return undefined;
    }
  }

  #renderFault(type: GatewayFaultType): Refusal {
    return this.#parts.renderFault(type, { requestId: randomUUID() });
  }
}

/** @returns false if the function has selected no subprotocol. */
function subprotocolOf({ headers }: BufferedResponse): string | false {
  const value = headers["sec-websocket-protocol"];
  return value === undefined ? false : String(value);
}

function identify(request: IncomingMessage, stage: string): SocketIdentity {
  const { host = "localhost", "user-agent": userAgent = null } = request.headers;
  return {
    // As on AWS, an id holds characters that paths escape.
    connectionId: `${randomBytes(11).toString("base64url")}=`,
    connectedAtMs: Date.now(),
    lastEventMs: 0,
    stage,
    sourceIp: request.socket.remoteAddress ?? "127.0.0.1",
    userAgent,
    domainName: host,
  };
}

/** Checks what `ws` would refuse after `$connect`. */
const isComplete = ({ headers }: IncomingMessage): boolean =>
  /^[+/0-9A-Za-z]{22}==$/.test(headers["sec-websocket-key"] ?? "") &&
  headers["sec-websocket-version"] === "13";

const explain = (
  { status, message }: { status: number; message: string },
  { connectionId }: SocketIdentity,
): Refusal => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ message, connectionId, requestId: randomUUID() }),
});

function refuse(stream: Duplex, { status, headers = {}, body }: Refusal): void {
  const bytes = Buffer.from(body);
  const all = { ...headers, "content-length": bytes.length, connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  stream.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`);
  stream.end(bytes, () => stream.destroy());
}
