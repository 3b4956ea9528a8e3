/**
 * Logs one line for each request after its response has been sent: the route, the status, the duration, and the request's counters.
 * The line also carries the request's metrics.
 */
import { Readable } from "node:stream";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { ApiError } from "./errors.ts";
import type { ProxyResult } from "./http/response.ts";
import { logger } from "./log.ts";
import { countInto, embedMetrics, type Measured } from "./metrics.ts";

export interface LoggedRequest {
  readonly event: APIGatewayProxyEvent;
  readonly context: Context;
  readonly response: ProxyResult;
}

interface RequestRecord {
  readonly beginMs: number;
  readonly coldStart: boolean;
  readonly counts: Measured;
  route: string;
  /** When the first byte of the response was sent. */
  answeredMs?: number;
}

/** Keyed by event, which all steps of a request share. */
const records = new WeakMap<object, RequestRecord>();
let isFirst = true;

/** Returns the id that every response has, and the gateway's own log. */
export const requestIdOf = (event: APIGatewayProxyEvent): string =>
  event.requestContext?.requestId ?? "unknown";

export function beginRequest(event: APIGatewayProxyEvent): void {
  records.set(event, { beginMs: performance.now(), coldStart: isFirst, counts: {}, route: "none" });
  isFirst = false;
}

/** Handles a request whose route is known, and adds its counts to its log line. */
export function answerRoute<T>(event: APIGatewayProxyEvent, route: string, task: () => T): T {
  const record = records.get(event);
  if (record === undefined) return task();
  record.route = route;
  return countInto(record.counts, task);
}

/** Ends the request's duration here, because sending a followed capture may take minutes. */
export function noteAnswered(event: APIGatewayProxyEvent): void {
  const record = records.get(event);
  if (record) record.answeredMs = performance.now();
}

/** Logs a fault of the service once, with its cause; code below this level does not catch errors to log them. */
export function logFault(error: unknown, event: APIGatewayProxyEvent): void {
  if (error instanceof ApiError && error.cause === undefined) return;
  const fault = error instanceof Error ? error : new Error(String(error));
  const { route = "none" } = records.get(event) ?? {};
  logger.error("fault", { correlation_id: requestIdOf(event), route, error: fault });
}

export function endRequest({ event, context, response }: LoggedRequest): void {
  const record = records.get(event);
  if (record === undefined) return;
  const { beginMs, answeredMs = performance.now(), coldStart, counts, route } = record;
  const { statusCode: status, body } = response;
  const broken = body instanceof Readable && isFault(body.errored);
  if (broken) logFault(body.errored, event);
  const durationMs = answeredMs - beginMs;
  const failed = status >= 500 || broken ? { Errors: 1 } : {};
  logger.info("request", {
    correlation_id: requestIdOf(event),
    function_request_id: context.awsRequestId,
    cold_start: coldStart,
    method: event.httpMethod,
    path: event.path,
    status,
    total_ms: round(performance.now() - beginMs),
    ...callerOf(event),
    ...embedMetrics([
      { measured: { Requests: 1, ...failed }, by: { Route: route } },
      { measured: { ...failed, Duration: round(durationMs), ...counts } },
    ]),
  });
}

/** A client that stops reading a stream is not a fault. */
const isFault = (error: Error | null): boolean =>
  error !== null &&
  !["ERR_STREAM_PREMATURE_CLOSE", "ABORT_ERR"].includes((error as { code?: string }).code ?? "");

const round = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

/** Returns the caller that the gateway's authorizer has identified. */
function callerOf(event: APIGatewayProxyEvent): { caller?: string } {
  const { authorizer, identity } = event.requestContext ?? {};
  const caller: unknown = authorizer?.user ?? authorizer?.principalId ?? identity?.userArn;
  return typeof caller === "string" && caller !== "" ? { caller } : {};
}
