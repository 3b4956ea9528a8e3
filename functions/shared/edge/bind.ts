/** Makes the Lambda handler of a route group. Only this module knows the middleware chain. */
import middy from "@middy/core";
import httpHeaderNormalizer from "@middy/http-header-normalizer";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { admit } from "./access.ts";
import { corsHeaders, variesByOrigin } from "./cors.ts";
import { refuseCrossSite } from "./cross-site.ts";
import { failure } from "./errors.ts";
import { cachedAnswer } from "./http/cached-answer.ts";
import { compress } from "./http/compress.ts";
import { makeDispatcher } from "./http/dispatch.ts";
import { originOf, parseRequest } from "./http/request.ts";
import {
  type AnyAnswer,
  type ProxyResult,
  toErrorResult,
  toProxyResult,
  withoutBody,
} from "./http/response.ts";
import { streamAnswer } from "./http/stream-answer.ts";
import { carryOutOnce, fingerprintOf, type Receipt, type RequestLedger, readKey } from "./idempotency.ts";
import type { Later } from "./load.ts";
import type { BoundOperations, OperationRequest } from "./operation.ts";
import { keepPace, type Pace } from "./pace.ts";
import { callerOf } from "./principal.ts";
import { answerRoute, beginRequest, endRequest, logFault, noteAnswered, requestIdOf } from "./request-log.ts";
import type { Route, RouteGroup } from "./route.ts";

/** Time reserved at the end of a function's life for the response that reports the timeout. */
const TIMEOUT_EARLY_MS = 250;

/** By default browsers must not sniff, frame or fetch a response over plain HTTP, and caches must not store it; a route may override. */
const SECURITY_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000",
} as const;

type UntypedOperation = (request: OperationRequest<Route>) => Promise<AnyAnswer>;

/** Stores that the handler needs before it calls an operation. */
interface Stores {
  /** Stores idempotency keys. */
  readonly ledger?: RequestLedger;
  /** Counts a user's runs. */
  readonly pace?: Pace;
}

/** @throws Error when a group has routes that need a store, and its handler passed none. */
function checkStores({ name, routes }: RouteGroup, { ledger, pace }: Stores): void {
  const all: readonly Route[] = Object.values(routes);
  if (!ledger && all.some((route) => route.idempotent)) throw new Error(`The group ${name} has no ledger`);
  if (!pace && all.some((route) => route.paced)) throw new Error(`The group ${name} has no pace`);
}

/**
 * Makes the handler of a group. It streams its response: Lambda limits a buffered one to 6 MB, and a list can be longer.
 *
 * The chain, in the order in which a request passes it; middy runs `after` and `onError` in reverse:
 *
 *     header names to lower case -> dispatch, role, validation, idempotency key,
 *                                   pace and loading of the operation, operation
 *     its other headers, gzip    <- error to JSON
 *
 * After the response is sent, the request is logged in one line.
 *
 * @param stores needed by groups that have idempotent or paced routes.
 */
export function bind<const G extends RouteGroup>(
  group: G,
  operations: BoundOperations<G>,
  stores: Stores = {},
) {
  const dispatch = makeDispatcher(group);
  const { ledger, pace } = stores;
  checkStores(group, stores);
  const handle = async (
    event: APIGatewayProxyEvent,
    context: Context,
    { signal }: { signal: AbortSignal },
  ) => {
    const { name, route, pathValues } = dispatch(event);
    return answerRoute(event, `${group.name}.${name}`, async () => {
      refuseCrossSite(event);
      const access = admit(route, callerOf(event));
      const request = {
        access,
        ...parseRequest(route, pathValues, event),
        headers: event.headers,
        origin: originOf(event),
        headOnly: isHead(event),
        signal,
        remainingTimeMs: () => context.getRemainingTimeInMillis(),
      };
      const operation = operations[name as keyof G["routes"]] as unknown as
        | UntypedOperation
        | Later<UntypedOperation>;
      const perform = async (receipt?: Receipt) => {
        const [carryOut] = await Promise.all([
          typeof operation === "function" ? operation : operation.load(),
          pace && route.paced && keepPace(pace, access.caller),
        ]);
        return carryOut({ ...request, receipt } as unknown as OperationRequest<Route>);
      };
      const specOf = (status: number) => route.responses[status];
      const key = route.idempotent ? readKey(event.headers) : null;
      const answer =
        !ledger || key === null
          ? await perform()
          : await carryOutOnce(
              ledger,
              { key, user: access.caller.name, fingerprint: fingerprintOf(event) },
              specOf,
              perform,
              (error) => logFault(error, event),
            );
      const { cacheSeconds } = route;
      const sent = cacheSeconds ? cachedAnswer(answer, cacheSeconds, event.headers["if-none-match"]) : answer;
      return toProxyResult(sent, specOf(Number(sent.status)));
    });
  };
  const answer = middy({
    timeoutEarlyInMillis: TIMEOUT_EARLY_MS,
    timeoutEarlyResponse: () => {
      throw failure("request.out-of-time");
    },
  })
    .use(httpHeaderNormalizer())
    .use({ after: completeHead, onError: completeHead })
    .use({ onError: answerError })
    .handler(handle as never) as unknown as Answer;
  return awslambda.streamifyResponse<APIGatewayProxyEvent>(async (event, stream, context) => {
    beginRequest(event);
    const response = await answer(event, context);
    await streamAnswer(response, stream).finally(() => endRequest({ event, context, response }));
  });
}

type Answer = (event: APIGatewayProxyEvent, context: Context) => Promise<ProxyResult>;

interface MiddyRequest {
  readonly event: APIGatewayProxyEvent;
  readonly error: Error | null;
  response: ProxyResult | null;
}

function completeHead(request: Pick<MiddyRequest, "event" | "response">): void {
  noteAnswered(request.event);
  if (request.response === null) return;
  const { event } = request;
  const whole = compress(request.response, event.headers["accept-encoding"]);
  const response = isHead(event) ? withoutBody(whole) : whole;
  const { vary, ...own } = response.headers;
  const varies = [...(vary ? [vary] : []), ...(variesByOrigin() ? ["origin"] : [])].join(", ");
  const headers = {
    ...SECURITY_HEADERS,
    "x-request-id": requestIdOf(event),
    ...own,
    ...(varies && { vary: varies }),
  };
  request.response = { ...response, headers: { ...headers, ...corsHeaders(event.headers.origin, headers) } };
}

const isHead = ({ httpMethod }: APIGatewayProxyEvent): boolean => httpMethod === "HEAD";

function answerError(request: MiddyRequest): void {
  const { error, event } = request;
  logFault(error, event);
  request.response = toErrorResult(error, requestIdOf(event));
}
