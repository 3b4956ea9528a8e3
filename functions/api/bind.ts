/** Makes the Lambda handler of a route group: the one place that knows the middleware chain. */
import middy from "@middy/core";
import { executionModeStreamifyResponse } from "@middy/core/StreamifyResponse";
import httpHeaderNormalizer from "@middy/http-header-normalizer";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { ApiError } from "./errors.ts";
import { makeDispatcher } from "./http/dispatch.ts";
import { originOf, parseRequest } from "./http/request.ts";
import { type AnyAnswer, type ProxyResult, toErrorResult, toProxyResult } from "./http/response.ts";
import type { OperationRequest, Operations } from "./operation.ts";
import type { Route, RouteGroup } from "./route.ts";

/** Time kept back at the end of a function's life to answer that it is over. */
const TIMEOUT_EARLY_MS = 250;

/** No answer is to be sniffed, framed, or reached over plain HTTP. */
const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000",
} as const;

type UntypedOperation = (request: OperationRequest<Route>) => Promise<AnyAnswer>;

/**
 * All functions stream their responses: a buffered one could not answer more than 6 MB, and a list can grow past that.
 *
 * The chain, in the order in which a request passes it; middy runs `after` and `onError` in reverse:
 *
 *     header names to lower case -> dispatch, validation, operation
 *     security headers           <- error to JSON
 */
export function bind<const G extends RouteGroup>(group: G, operations: Operations<G>) {
  const dispatch = makeDispatcher(group);
  const handle = async (
    event: APIGatewayProxyEvent,
    context: Context,
    { signal }: { signal: AbortSignal },
  ) => {
    const { name, route, pathValues } = dispatch(event);
    const request = {
      ...parseRequest(route, pathValues, event),
      headers: event.headers,
      origin: originOf(event),
      signal,
      remainingTimeMs: () => context.getRemainingTimeInMillis(),
    };
    const operation = operations[name as keyof Operations<G>] as unknown as UntypedOperation;
    const answer = await operation(request as unknown as OperationRequest<Route>);
    return toProxyResult(answer, route.responses[Number(answer.status)]);
  };
  return middy({ timeoutEarlyInMillis: TIMEOUT_EARLY_MS, executionMode: executionModeStreamifyResponse })
    .use(httpHeaderNormalizer())
    .use({ after: addSecurityHeaders, onError: addSecurityHeaders })
    .use({ onError: answerError })
    .handler(handle as never);
}

interface MiddyRequest {
  readonly event: APIGatewayProxyEvent;
  readonly error: Error | null;
  response: ProxyResult | null;
}

function addSecurityHeaders(request: { response: ProxyResult | null }): void {
  if (request.response === null) return;
  request.response = {
    ...request.response,
    headers: { ...SECURITY_HEADERS, ...request.response.headers },
  };
}

function answerError(request: MiddyRequest): void {
  const { error } = request;
  const requestId = request.event.requestContext?.requestId ?? "unknown";
  if (!(error instanceof ApiError)) logFault(error, requestId);
  const result = toErrorResult(error, requestId);
  if (error instanceof ApiError && error.code === "route.method-not-allowed") {
    result.headers.allow = String(error.facts.allow);
  }
  request.response = result;
}

/** One line of JSON, once, here: nothing below catches to log. */
function logFault(error: Error | null, requestId: string): void {
  const cause = error?.cause instanceof Error ? error.cause.stack : undefined;
  console.error(JSON.stringify({ level: "error", request_id: requestId, stack: error?.stack, cause }));
}
