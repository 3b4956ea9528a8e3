/** API Gateway's REST API on one machine: the stage's routes, limits, timeouts and answers, in front of the functions. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { type Authorize, makeAuthorize } from "./authorizer.ts";
import { isLoopback } from "./free-port.ts";
import { type GatewayFaultType, makeFaultRenderer, type RenderFault } from "./gateway-response.ts";
import { type Invocation, InvocationFailure } from "./lambda-instance.ts";
import type { LambdaPool } from "./lambda-pool.ts";
import { buildProxyEvent, type ReceivedRequest } from "./proxy-event.ts";
import { readBufferedResult, readStreamHead } from "./proxy-result.ts";
import { drain, readBody } from "./request-body.ts";
import { type FindRoute, makeRouteTree, type RouteMatch } from "./route-tree.ts";
import type { LocalTemplate } from "./template.ts";

const REQUEST_MAX_BYTES = 10 * 1024 * 1024;
/** Of a synchronous invocation's event and of its result, as JSON text. */
const LAMBDA_PAYLOAD_MAX_BYTES = 6_291_556;
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
}

/** @throws NodeJS.ErrnoException `EADDRINUSE` when the port is taken. */
export async function startGateway(
  template: LocalTemplate,
  pool: LambdaPool,
  options: GatewayOptions,
): Promise<Gateway> {
  const handler = new RequestHandler(template, pool, options);
  const server = createServer((request, response) => void handler.answer(request, response));
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
  readonly #renderFault: RenderFault;

  constructor(template: LocalTemplate, pool: LambdaPool, { ownNamesOnly = false }: GatewayOptions) {
    this.#template = template;
    this.#pool = pool;
    this.#findRoute = makeRouteTree(template.routes);
    this.#authorize = makeAuthorize(template.authorizers, pool);
    this.#ownNamesOnly = ownNamesOnly;
    this.#renderFault = makeFaultRenderer(template.gatewayResponses);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange: Exchange = {
      request,
      response,
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

  /** @returns the fault to answer, or null when the function's response has been sent. */
  async #handle(exchange: Exchange): Promise<GatewayFaultType | null> {
    const { request, fullPath } = exchange;
    if (this.#ownNamesOnly && !namesThisMachine(request.headers.host)) {
      drain(request);
      return "FOREIGN_NAME";
    }
    const path = this.#belowStage(fullPath);
    const match = path === null ? null : this.#findRoute(request.method ?? "GET", path);
    if (path === null || match === null) {
      drain(request);
      return "MISSING_AUTHENTICATION_TOKEN";
    }
    const admitted = await this.#admit(exchange, path, match);
    if (typeof admitted === "string") {
      drain(request);
      return admitted;
    }
    // The client has gone meanwhile.
    if (request.destroyed) return null;
    const body = await readBody(request, REQUEST_MAX_BYTES);
    if (body === null) return "REQUEST_TOO_LARGE";
    const { stage, binaryBodies } = this.#template;
    const event = buildProxyEvent(describe(exchange, path, body), match, stage, binaryBodies);
    if (event === null) return "BAD_REQUEST_PARAMETERS";
    event.requestContext.authorizer = admitted;
    const eventJson = JSON.stringify(event);
    if (Buffer.byteLength(eventJson) > LAMBDA_PAYLOAD_MAX_BYTES) return "REQUEST_TOO_LARGE";
    return this.#integrate(exchange, match, eventJson);
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

  /** @returns null for a path that is not this stage's. */
  #belowStage(fullPath: string): string | null {
    const prefix = `/${this.#template.stage}`;
    if (fullPath === prefix) return "/";
    return fullPath.startsWith(`${prefix}/`) ? fullPath.slice(prefix.length) : null;
  }

  async #integrate(
    { response, requestId }: Exchange,
    { route }: RouteMatch,
    event: string,
  ): Promise<GatewayFaultType | null> {
    const overdue = new AbortController();
    const timer = setTimeout(() => overdue.abort(), route.timeoutMs);
    try {
      const invocation = await unlessAborted(
        this.#pool.invoke(route.functionId, requestId, event),
        overdue.signal,
      );
      response.setHeader("x-amzn-requestid", requestId);
      if ((invocation.kind === "streamed") !== route.streaming) return discard(invocation);
      if (invocation.kind === "buffered") return sendBuffered(response, invocation.payload);
      return await sendStream(response, invocation.prelude, invocation.body, overdue.signal);
    } catch (error) {
      if (overdue.signal.aborted) return "INTEGRATION_TIMEOUT";
      if (!(error instanceof InvocationFailure)) throw error;
      return error.reason === "timeout" ? "INTEGRATION_TIMEOUT" : "FUNCTION_FAILURE";
    } finally {
      clearTimeout(timer);
    }
  }

  #refuse({ request, response, requestId, fullPath }: Exchange, type: GatewayFaultType): void {
    const rendered = this.#renderFault(type, {
      requestId,
      extendedRequestId: requestId,
      httpMethod: request.method ?? "",
      path: fullPath,
      stage: this.#template.stage,
      "identity.sourceIp": request.socket.remoteAddress ?? "",
    });
    const body = Buffer.from(rendered.body);
    response.setHeader("x-amzn-requestid", requestId);
    response.writeHead(rendered.status, { ...rendered.headers, "content-length": body.length }).end(body);
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
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

/** Whatever comes after the signal is thrown away; a stream that begins late is told that nobody listens. */
async function unlessAborted(invoking: Promise<Invocation>, signal: AbortSignal): Promise<Invocation> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  invoking.then(
    (invocation) => signal.aborted && discard(invocation),
    () => {},
  );
  return Promise.race([invoking, aborted]);
}

/** A function that streams where the method does not, or the other way round. */
function discard(invocation: Invocation): "FUNCTION_FAILURE" {
  if (invocation.kind === "streamed") invocation.body.destroy();
  return "FUNCTION_FAILURE";
}

function sendBuffered(response: ServerResponse, payload: string): "FUNCTION_FAILURE" | null {
  const result = Buffer.byteLength(payload) > LAMBDA_PAYLOAD_MAX_BYTES ? null : readBufferedResult(payload);
  if (result === null) return "FUNCTION_FAILURE";
  const hasBody = result.status !== 204 && result.status !== 304;
  response.writeHead(result.status, {
    ...result.headers,
    ...(hasBody && { "content-length": result.body.length }),
  });
  response.end(hasBody ? result.body : undefined);
  return null;
}

/** Once the head is out a failure can only be told by breaking the connection off. */
async function sendStream(
  response: ServerResponse,
  prelude: string | null,
  body: Readable,
  signal: AbortSignal,
): Promise<"FUNCTION_FAILURE" | null> {
  const head = prelude === null ? null : readStreamHead(prelude);
  if (head === null) return discard({ kind: "streamed", prelude, body });
  response.writeHead(head.status, head.headers);
  response.flushHeaders();
  await pipeline(body, response, { signal }).catch(() => response.destroy());
  return null;
}
