/** API Gateway's REST API on one machine: the stage's routes, limits, timeouts and answers, in front of the functions. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { type Authorize, makeAuthorize } from "./authorizer.ts";
import { answerClientErrors } from "./client-errors.ts";
import { isLoopback } from "./free-port.ts";
import { type GatewayFaultType, makeFaultRenderer, type RenderFault } from "./gateway-response.ts";
import { discard, type Invocation, InvocationFailure } from "./lambda-instance.ts";
import type { LambdaPool } from "./lambda-pool.ts";
import type { RenderedResponse, TemplateContext } from "./mapping.ts";
import { answerMock, type MockDefinition } from "./mock-integration.ts";
import type { PresignedUrls } from "./presigned.ts";
import { buildProxyEvent, type ReceivedRequest } from "./proxy-event.ts";
import { hasBody, type ResponseHead, readBufferedResult, readStreamHead } from "./proxy-result.ts";
import { drain, readBody } from "./request-body.ts";
import { type FindRoute, makeRouteTree, type RouteMatch } from "./route-tree.ts";
import type { FunctionRoute, LocalTemplate } from "./template.ts";

const REQUEST_MAX_BYTES = 10 * 1024 * 1024;
/** Of a synchronous invocation's event and of its result, as JSON text. */
const LAMBDA_PAYLOAD_MAX_BYTES = 6_291_556;
/** Of a streamed response: https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html */
const LAMBDA_STREAM_MAX_BYTES = 200 * 1024 * 1024;
/** A client that sends more slowly is cut off. */
const RECEIVE_TIMEOUT_MS = 30_000;
const NO_BODY = Buffer.alloc(0);
/** What requests under way get to complete when the gateway stops. */
const STOP_GRACE_MS = 3000;

export interface Gateway {
  readonly port: number;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  readonly host: string;
  readonly port: number;
  /** Takes requests for names of this machine only: for a service that asks nobody who they are. */
  readonly ownNamesOnly?: boolean;
  /** Publishes the presigned URLs to which functions redirect at this gateway. */
  readonly presigned?: PresignedUrls;
  /** How long a request may take to arrive. */
  readonly receiveTimeoutMs?: number;
}

/** @throws NodeJS.ErrnoException `EADDRINUSE` when the port is taken. */
export async function startGateway(
  template: LocalTemplate,
  pool: LambdaPool,
  options: GatewayOptions,
): Promise<Gateway> {
  const { receiveTimeoutMs = RECEIVE_TIMEOUT_MS } = options;
  const handler = new RequestHandler(template, pool, options);
  const server = createServer({
    requestTimeout: receiveTimeoutMs,
    headersTimeout: receiveTimeoutMs,
    connectionsCheckingInterval: Math.min(receiveTimeoutMs, 1000),
    // The gateway checks it: Node's own response has no body.
    requireHostHeader: false,
  });
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void handler.answer(request, response);
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); by default Node refuses it with an empty 417.
  server.on("request", answer).on("checkExpectation", answer);
  answerClientErrors(server, (type, message) => handler.renderClientError(type, message));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, stop: () => stop(server, pool) };
}

/** No new requests; live streams end; what is under way may complete, and is then cut off. */
async function stop(server: Server, pool: LambdaPool): Promise<void> {
  let closed = false;
  const closing = new Promise<void>((resolve) => server.close(() => resolve())).then(() => {
    closed = true;
  });
  pool.endStreams();
  const deadlineMs = Date.now() + STOP_GRACE_MS;
  while (!closed && Date.now() < deadlineMs) {
    server.closeIdleConnections();
    await Promise.race([closing, sleep(20)]);
  }
  server.closeAllConnections();
  await closing;
}

class RequestHandler {
  readonly #template: LocalTemplate;
  readonly #pool: LambdaPool;
  readonly #findRoute: FindRoute;
  readonly #authorize: Authorize;
  readonly #ownNamesOnly: boolean;
  readonly #presigned: PresignedUrls | undefined;
  readonly #renderFault: RenderFault;

  constructor(
    template: LocalTemplate,
    pool: LambdaPool,
    { ownNamesOnly = false, presigned }: GatewayOptions,
  ) {
    this.#template = template;
    this.#pool = pool;
    this.#findRoute = makeRouteTree(template.routes);
    this.#authorize = makeAuthorize(template.authorizers, pool);
    this.#ownNamesOnly = ownNamesOnly;
    this.#presigned = presigned;
    this.#renderFault = makeFaultRenderer(template.gatewayResponses);
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
    } catch (error) {
      // A client that broke off while it sent is no fault, and there is nobody to answer.
      if (!request.errored) console.error(error);
      response.destroy();
    }
  }

  /** @returns the fault to answer, or null when the response has been sent or the client has gone. */
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

  /** Of who is not let in, not even the body is read. @returns what the functions are told of the caller. */
  async #admit(
    exchange: Exchange,
    path: string,
    match: RouteMatch,
  ): Promise<APIGatewayProxyEvent["requestContext"]["authorizer"] | GatewayFaultType> {
    const { authorizerId } = match.route;
    if (authorizerId === undefined) return null;
    const event = buildProxyEvent(describe(exchange, path, NO_BODY), match, this.#template.stage, true);
    return event === null ? "BAD_REQUEST_PARAMETERS" : this.#authorize(authorizerId, event);
  }

  /** The host's root is the stage's, which leads to the API page. @returns null for a path that is not this stage's. */
  #belowStage(fullPath: string): string | null {
    const prefix = `/${this.#template.stage}`;
    if (fullPath === "/" || fullPath === prefix) return "/";
    return fullPath.startsWith(`${prefix}/`) ? fullPath.slice(prefix.length) : null;
  }

  /** A function whose client has gone runs to its end, as in Lambda; what it answers is discarded. */
  async #integrate(
    exchange: Exchange,
    route: FunctionRoute,
    event: string,
  ): Promise<GatewayFaultType | null> {
    const { request, response, requestId, ending } = exchange;
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
        const headers = this.#presigned?.publish(head.headers, request) ?? head.headers;
        if (invocation.kind === "whole") sendWhole(response, { ...head, headers }, invocation.body);
        else await sendStream(response, { ...head, headers }, invocation.body, signal);
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

  #answerMock(exchange: Exchange, mock: MockDefinition): GatewayFaultType | null {
    const contentType = exchange.request.headers["content-type"];
    const answer = answerMock(mock, contentType, this.#template.binaryBodies, this.#contextOf(exchange));
    if (typeof answer === "string") return answer;
    sendRendered(exchange, answer);
    return null;
  }

  #refuse(exchange: Exchange, type: GatewayFaultType): void {
    const { authorization = "" } = exchange.request.headers;
    const context = this.#contextOf(exchange);
    const echo = type === "INCOMPLETE_SIGNATURE" && { "error.message": describeSignature(authorization) };
    sendRendered(exchange, this.#renderFault(type, { ...context, ...echo }));
  }

  /** @param message in place of the fault's own. */
  renderClientError(type: GatewayFaultType, message?: string): RenderedResponse {
    const requestId = randomUUID();
    const rendered = this.#renderFault(type, { requestId, ...(message && { "error.message": message }) });
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

/** Reasons of aborts. Each is made once: an error for each request would cost as much as the rest of its parsing. */
const CLIENT_GONE = new Error("the client has gone");
const OVERDUE = new Error("the integration's time is over");

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborted when the client closes the connection before it has the response, or the integration's time is over. */
  readonly ending: AbortController;
  readonly requestId: string;
  readonly fullPath: string;
  readonly query: string;
}

/**
 * A page whose own name was made to lead here is of the same origin to its browser, so that it may do what it likes with a
 * service that asks nobody who they are. It cannot change the name.
 */
function namesThisMachine(host: string | undefined): boolean {
  const name = host?.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  return name === undefined || isLoopback(name.toLowerCase());
}

/** The target is the path, or a whole URL when the client takes this for a proxy. */
function splitTarget(target: string): { fullPath: string; query: string } {
  const local = target.replace(/^https?:\/\/[^/?]*/i, "") || "/";
  const mark = local.indexOf("?");
  return mark < 0
    ? { fullPath: local, query: "" }
    : { fullPath: local.slice(0, mark), query: local.slice(mark + 1) };
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

/** Rejects with the signal's reason when it is aborted first; an invocation that begins to answer later is discarded. */
function unlessAborted(invoking: Promise<Invocation>, signal: AbortSignal): Promise<Invocation> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    invoking.then((invocation) => {
      if (signal.aborted) discard(invocation);
      resolve(invocation);
    }, reject);
  });
}

/** As AWS has it: what follows the scheme has to be pairs such as `Credential=...`. */
function describeSignature(authorization: string): string {
  const credentials = authorization.slice(authorization.indexOf(" ") + 1);
  return `'${credentials}' not a valid key=value pair (missing equal-sign) in Authorization header: '${authorization}'.`;
}

function sendRendered({ response, requestId }: Exchange, { status, headers, body }: RenderedResponse): void {
  const bytes = Buffer.from(body);
  response.setHeader("x-amzn-requestid", requestId);
  response.writeHead(status, { ...headers, "content-length": bytes.length }).end(bytes);
}

function sendBuffered(response: ServerResponse, payload: string): "FUNCTION_FAILURE" | null {
  const result = Buffer.byteLength(payload) > LAMBDA_PAYLOAD_MAX_BYTES ? null : readBufferedResult(payload);
  if (result === null) return "FUNCTION_FAILURE";
  const { status, headers, body } = result;
  if (hasBody(status)) response.writeHead(status, { ...headers, "content-length": body.length }).end(body);
  else response.writeHead(status, headers).end();
  return null;
}

/** In chunks, as API Gateway sends a streamed response; in one write. */
function sendWhole(response: ServerResponse, { status, headers }: ResponseHead, body: Uint8Array): void {
  response.writeHead(status, headers).end(body);
}

/** Once the head is out, breaking the connection off is the only way to report a failure. */
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
