/** Emulates API Gateway's REST API in front of the functions: routes, limits, timeouts and error responses of the stage. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { type Authorize, makeAuthorize, methodArn } from "./authorizer.ts";
import { answerClientErrors } from "./client-errors.ts";
import { type GatewayFaultType, makeFaultRenderer, type RenderFault } from "./gateway-response.ts";
import { discard, type Invocation, InvocationFailure } from "./lambda-instance.ts";
import type { LambdaPool } from "./lambda-pool.ts";
import type { RenderedResponse, TemplateContext } from "./mapping.ts";
import { answerMock, type MockDefinition } from "./mock-integration.ts";
import { namesThisMachine } from "./own-names.ts";
import type { PresignedUrls } from "./presigned.ts";
import { buildProxyEvent, type ReceivedRequest } from "./proxy-event.ts";
import { hasBody, type ResponseHead, readBufferedResult, readStreamHead } from "./proxy-result.ts";
import { drain, readBody } from "./request-body.ts";
import { splitTarget } from "./request-target.ts";
import { type FindRoute, makeRouteTree, type RouteMatch } from "./route-tree.ts";
import type { SocketConnections } from "./socket-connections.ts";
import { acceptSockets, isWebSocket } from "./socket-gateway.ts";
import type { FunctionRoute } from "./template/routes.ts";
import type { LocalTemplate } from "./template/template.ts";

const REQUEST_MAX_BYTES = 10 * 1024 * 1024;
/** The maximum size of the event and of the result of a synchronous invocation, as JSON text. */
const LAMBDA_PAYLOAD_MAX_BYTES = 6_291_556;
/** The maximum size of a streamed response: https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html */
const LAMBDA_STREAM_MAX_BYTES = 200 * 1024 * 1024;
/** The gateway closes the connection if the whole request has not arrived by then. */
const RECEIVE_TIMEOUT_MS = 30_000;
const NO_BODY = Buffer.alloc(0);
/** The time for requests in progress to complete when the gateway stops. */
const STOP_GRACE_MS = 3000;
/**
 * How long a connection waits for its next request. A client that sends a request at the moment when the connection ends cannot know
 * whether it arrived, so this is longer than most clients keep a connection. API Gateway's own time is not documented.
 */
const KEEP_ALIVE_MS = 75_000;

export interface Gateway {
  readonly port: number;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  readonly host: string;
  readonly port: number;
  /** Accepts only requests whose Host header names this machine. Required without authentication; see `namesThisMachine`. */
  readonly ownNamesOnly?: boolean;
  /** Serves the presigned URLs, to which functions redirect, at this gateway. */
  readonly presigned?: PresignedUrls;
  /** Called after each request that has succeeded, with its path below the stage. */
  readonly onSuccess?: (method: string, path: string) => void;
  /** The maximum time in which a request must arrive. */
  readonly receiveTimeoutMs?: number;
  /** The open WebSockets; without them, the gateway ignores the header Upgrade. */
  readonly sockets?: SocketConnections;
}

/** @throws NodeJS.ErrnoException `EADDRINUSE` when the port is taken. */
export async function startGateway(
  template: LocalTemplate,
  pool: LambdaPool,
  options: GatewayOptions,
): Promise<Gateway> {
  const { receiveTimeoutMs = RECEIVE_TIMEOUT_MS, sockets } = options;
  const handler = new RequestHandler(template, pool, options);
  const server = createServer({
    requestTimeout: receiveTimeoutMs,
    headersTimeout: receiveTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: Math.min(receiveTimeoutMs, 1000),
    // The gateway checks the Host header: Node's response has no body.
    requireHostHeader: false,
    // A server may ignore the header Upgrade (RFC 9110, 7.8), such as curl's to HTTP/2.
    shouldUpgradeCallback: (request) => sockets !== undefined && isWebSocket(request),
  });
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void handler.answer(request, response);
  // A server may ignore an unknown expectation (RFC 9110, 10.1.1); by default Node rejects it with an empty 417.
  server.on("request", answer).on("checkExpectation", answer);
  if (sockets)
    acceptSockets(server, sockets, { template, pool, ...options, renderFault: handler.renderFault });
  answerClientErrors(server, (type, message) => handler.renderClientError(type, message));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, stop: () => stop(server, pool, sockets) };
}

/** Accepts no new requests, ends live streams, and closes the connections of requests that do not complete in time. */
async function stop(server: Server, pool: LambdaPool, sockets?: SocketConnections): Promise<void> {
  let closed = false;
  const closing = new Promise<void>((resolve) => server.close(() => resolve())).then(() => {
    closed = true;
  });
  pool.endStreams();
  const socketsClosed = sockets?.closeAll(STOP_GRACE_MS);
  const deadlineMs = Date.now() + STOP_GRACE_MS;
  while (!closed && Date.now() < deadlineMs) {
    server.closeIdleConnections();
    await Promise.race([closing, sleep(20)]);
  }
  server.closeAllConnections();
  await closing;
  await socketsClosed;
}

class RequestHandler {
  readonly #template: LocalTemplate;
  readonly #pool: LambdaPool;
  readonly #findRoute: FindRoute;
  readonly #authorize: Authorize;
  readonly #ownNamesOnly: boolean;
  readonly #presigned: PresignedUrls | undefined;
  readonly #onSuccess: GatewayOptions["onSuccess"];
  readonly renderFault: RenderFault;

  constructor(
    template: LocalTemplate,
    pool: LambdaPool,
    { ownNamesOnly = false, presigned, onSuccess }: GatewayOptions,
  ) {
    this.#template = template;
    this.#pool = pool;
    this.#findRoute = makeRouteTree(template.routes);
    this.#authorize = makeAuthorize(template.authorizers, pool);
    this.#ownNamesOnly = ownNamesOnly;
    this.#presigned = presigned;
    this.#onSuccess = onSuccess;
    this.renderFault = makeFaultRenderer(template.gatewayResponses);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const ending = new AbortController();
    response.once("close", () => response.writableFinished || ending.abort(CLIENT_GONE));
    const exchange: Exchange = {
      request,
      response,
      ending,
      requestId: randomUUID(),
      ...splitTarget(request.url ?? "/"),
    };
    try {
      const fault = await this.#handle(exchange);
      if (fault) this.#refuse(exchange, fault);
      else this.#noteSuccess(exchange);
    } catch (error) {
      // If the client disconnected while it sent the request, there is no fault to log.
      if (!request.errored) console.error(error);
      response.destroy();
    }
  }

  #noteSuccess({ request, response, fullPath }: Exchange): void {
    const path = this.#belowStage(fullPath);
    if (path !== null && response.statusCode < 300) this.#onSuccess?.(request.method ?? "GET", path);
  }

  /** @returns the fault to respond with, or null when the response has been sent or the client has disconnected. */
  async #handle(exchange: Exchange): Promise<GatewayFaultType | null> {
    const { request, response, ending, fullPath } = exchange;
    if (request.headers.host === undefined && request.httpVersion !== "1.0") {
      drain(request);
      return "MISSING_HOST";
    }
    if (this.#ownNamesOnly && !namesThisMachine(request.headers.host)) {
      drain(request);
      return "FOREIGN_NAME";
    }
    if (this.#presigned?.serve(request, response)) return null;
    const path = this.#belowStage(fullPath);
    const match = path === null ? null : this.#findRoute(request.method ?? "GET", path);
    if (path === null || match === null) {
      drain(request);
      const { authorization } = request.headers;
      return authorization === undefined ? "MISSING_AUTHENTICATION_TOKEN" : "INCOMPLETE_SIGNATURE";
    }
    const admitted = await this.#admit(exchange, path, match);
    if (typeof admitted === "string") {
      drain(request);
      return admitted;
    }
    if (ending.signal.aborted) return null;
    const body = await readBody(request, REQUEST_MAX_BYTES);
    if (body === null) return "REQUEST_TOO_LARGE";
    const { stage, binaryBodies } = this.#template;
    const { route } = match;
    if ("mock" in route) return this.#answerMock(exchange, route.mock);
    const event = buildProxyEvent(describe(exchange, path, body), match, stage, binaryBodies);
    if (event === null) return "BAD_REQUEST_PARAMETERS";
    event.requestContext.authorizer = admitted;
    const eventJson = JSON.stringify(event);
    if (Buffer.byteLength(eventJson) > LAMBDA_PAYLOAD_MAX_BYTES) return "REQUEST_TOO_LARGE";
    return this.#integrate(exchange, route, eventJson);
  }

  /** Runs before the body is read. @returns the authorizer context for the function's event, or a fault. */
  async #admit(
    exchange: Exchange,
    path: string,
    match: RouteMatch,
  ): Promise<APIGatewayProxyEvent["requestContext"]["authorizer"] | GatewayFaultType> {
    const { authorizerId } = match.route;
    if (authorizerId === undefined) return null;
    const event = buildProxyEvent(describe(exchange, path, NO_BODY), match, this.#template.stage, true);
    return event === null ? "BAD_REQUEST_PARAMETERS" : this.#authorize(authorizerId, event, methodArn(event));
  }

  /** Maps `/` to the stage's root, which redirects to the API page. @returns null for a path outside of the stage. */
  #belowStage(fullPath: string): string | null {
    const prefix = `/${this.#template.stage}`;
    if (fullPath === "/" || fullPath === prefix) return "/";
    return fullPath.startsWith(`${prefix}/`) ? fullPath.slice(prefix.length) : null;
  }

  /** If the client disconnects, the function still runs to its end, as in Lambda; the gateway discards its response. */
  async #integrate(
    exchange: Exchange,
    route: FunctionRoute,
    event: string,
  ): Promise<GatewayFaultType | null> {
    const { response, requestId, ending } = exchange;
    const timer = setTimeout(() => ending.abort(OVERDUE), route.timeoutMs);
    const { signal } = ending;
    try {
      const invocation = await unlessAborted(
        this.#pool.invoke(route.functionId, requestId, event, signal),
        signal,
      );
      try {
        response.setHeader("x-amzn-requestid", requestId);
        if ((invocation.kind !== "buffered") !== route.streaming) return "FUNCTION_FAILURE";
        if (invocation.kind === "buffered") return sendBuffered(response, invocation.payload);
        const head = invocation.prelude === null ? null : readStreamHead(invocation.prelude);
        if (head === null) return "FUNCTION_FAILURE";
        await this.#send(exchange, head, invocation);
        return null;
      } finally {
        discard(invocation);
      }
    } catch (error) {
      if (signal.aborted) return signal.reason === OVERDUE ? "INTEGRATION_TIMEOUT" : null;
      if (!(error instanceof InvocationFailure)) throw error;
      return error.reason === "timeout" ? "INTEGRATION_TIMEOUT" : "FUNCTION_FAILURE";
    } finally {
      clearTimeout(timer);
    }
  }

  async #send(
    { request, response, ending: { signal } }: Exchange,
    { status, headers }: ResponseHead,
    invocation: Extract<Invocation, { prelude: string | null }>,
  ): Promise<void> {
    const presigned = this.#presigned;
    const head = { status, headers: presigned?.publish(headers, request) ?? headers };
    // A function marks the bodies with presigned URLs in this way, which are then not compressed either.
    const hasUrls = presigned !== undefined && headers["content-encoding"] === "identity";
    if (invocation.kind === "whole") {
      const { body } = invocation;
      sendWhole(response, head, hasUrls ? presigned.publishIn(Buffer.from(body), request) : body);
    } else {
      const { body } = invocation;
      await sendStream(response, head, hasUrls ? body.compose(presigned.publishing(request)) : body, signal);
    }
  }

  #answerMock(exchange: Exchange, mock: MockDefinition): GatewayFaultType | null {
    const contentType = exchange.request.headers["content-type"];
    const { headers } = exchange.request;
    const parameter = (name: string): string => String(headers[name.toLowerCase()] ?? "");
    const context = this.#contextOf(exchange);
    const answer = answerMock(mock, contentType, this.#template.binaryBodies, context, parameter);
    if (typeof answer === "string") return answer;
    sendRendered(exchange, answer);
    return null;
  }

  #refuse(exchange: Exchange, type: GatewayFaultType): void {
    const { authorization = "" } = exchange.request.headers;
    const context = this.#contextOf(exchange);
    const echo = type === "INCOMPLETE_SIGNATURE" && { "error.message": describeSignature(authorization) };
    sendRendered(exchange, this.renderFault(type, { ...context, ...echo }));
  }

  /** @param message replaces the fault's default message. */
  renderClientError(type: GatewayFaultType, message?: string): RenderedResponse {
    const requestId = randomUUID();
    const rendered = this.renderFault(type, { requestId, ...(message && { "error.message": message }) });
    return { ...rendered, headers: { ...rendered.headers, "x-amzn-requestid": requestId } };
  }

  #contextOf({ request, requestId, fullPath }: Exchange): TemplateContext {
    return {
      requestId,
      extendedRequestId: requestId,
      httpMethod: request.method ?? "",
      path: fullPath,
      stage: this.#template.stage,
      "identity.sourceIp": request.socket.remoteAddress ?? "",
    };
  }
}

/** Abort reasons. Each is created once: an error for each request would cost as much as the rest of its parsing. */
const CLIENT_GONE = new Error("the client has gone");
const OVERDUE = new Error("the integration's time is over");

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborted when the client disconnects before it has the response, or when the integration times out. */
  readonly ending: AbortController;
  readonly requestId: string;
  readonly fullPath: string;
  readonly query: string;
}

function describe(exchange: Exchange, path: string, body: Buffer): ReceivedRequest {
  const { request, requestId, fullPath, query } = exchange;
  return {
    requestId,
    method: request.method ?? "GET",
    fullPath,
    path,
    query,
    rawHeaders: request.rawHeaders,
    body,
    sourceIp: request.socket.remoteAddress ?? "127.0.0.1",
    protocol: "http",
    port: request.socket.localPort ?? 80,
    receivedAtMs: Date.now(),
  };
}

/** Rejects with the signal's reason if that is aborted first, and discards an invocation that resolves later. */
function unlessAborted(invoking: Promise<Invocation>, signal: AbortSignal): Promise<Invocation> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    invoking.then((invocation) => {
      if (signal.aborted) discard(invocation);
      resolve(invocation);
    }, reject);
  });
}

/** Returns the message of AWS, which expects pairs such as `Credential=...` after the scheme. */
function describeSignature(authorization: string): string {
  const credentials = authorization.slice(authorization.indexOf(" ") + 1);
  return `'${credentials}' not a valid key=value pair (missing equal-sign) in Authorization header: '${authorization}'.`;
}

function sendRendered({ response, requestId }: Exchange, { status, headers, body }: RenderedResponse): void {
  const bytes = Buffer.from(body);
  response.setHeader("x-amzn-requestid", requestId);
  if (hasBody(status)) response.writeHead(status, { ...headers, "content-length": bytes.length }).end(bytes);
  else response.writeHead(status, headers).end();
}

function sendBuffered(response: ServerResponse, payload: string): "FUNCTION_FAILURE" | null {
  const result = Buffer.byteLength(payload) > LAMBDA_PAYLOAD_MAX_BYTES ? null : readBufferedResult(payload);
  if (result === null) return "FUNCTION_FAILURE";
  const { status, headers, body } = result;
  if (hasBody(status)) response.writeHead(status, { ...headers, "content-length": body.length }).end(body);
  else response.writeHead(status, headers).end();
  return null;
}

/** Uses chunked transfer encoding, as API Gateway does for a streamed response, in one write. */
function sendWhole(response: ServerResponse, { status, headers }: ResponseHead, body: Uint8Array): void {
  response.writeHead(status, headers).end(body);
}

/** After the headers are sent, closing the connection is the only way to report a failure. */
async function sendStream(
  response: ServerResponse,
  head: ResponseHead,
  body: Readable,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(head.status, head.headers);
  response.flushHeaders();
  let bytes = 0;
  body.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LAMBDA_STREAM_MAX_BYTES)
      body.destroy(new Error("the response is longer than Lambda streams"));
  });
  await pipeline(body, response, { signal }).catch(() => response.destroy());
}
