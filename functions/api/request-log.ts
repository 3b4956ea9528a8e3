/**
 * One line for each request, when its answer has been sent: which route, what came of it, how long it took, and what was
 * counted meanwhile. The line is the request's metrics, too.
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
  /** When the answer began to be sent. */
  answeredMs?: number;
}

/** By event: it is what all steps of a request have in common. */
const records = new WeakMap<object, RequestRecord>();
let isFirst = true;

/** The id that the caller is told with every answer, and that the gateway's own log has. */
export const requestIdOf = (event: APIGatewayProxyEvent): string =>
  event.requestContext?.requestId ?? "unknown";

export function beginRequest(event: APIGatewayProxyEvent): void {
  records.set(event, { beginMs: performance.now(), coldStart: isFirst, counts: {}, route: "none" });
  isFirst = false;
}

/** Answers a request whose route is known; what it counts goes into its line. */
export function answerRoute<T>(event: APIGatewayProxyEvent, route: string, task: () => T): T {
  const record = records.get(event);
  if (record === undefined) return task();
  record.route = route;
  return countInto(record.counts, task);
}

/** The time up to here is the request's duration: a capture that is followed may be sent for minutes. */
export function noteAnswered(event: APIGatewayProxyEvent): void {
  const record = records.get(event);
  if (record) record.answeredMs = performance.now();
}

/** A fault of ours, once, with its cause; nothing below catches to log. */
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

/** Whoever reads a stream may go away at any time: that is no fault. */
const isFault = (error: Error | null): boolean =>
  error !== null &&
  !["ERR_STREAM_PREMATURE_CLOSE", "ABORT_ERR"].includes((error as { code?: string }).code ?? "");

const round = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

/** Whom the gateway's authorizer has found the caller to be. */
function callerOf(event: APIGatewayProxyEvent): { caller?: string } {
  const { authorizer, identity } = event.requestContext ?? {};
  const caller: unknown = authorizer?.user ?? authorizer?.principalId ?? identity?.userArn;
  return typeof caller === "string" && caller !== "" ? { caller } : {};
}
