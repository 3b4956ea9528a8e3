/**
 * API Gateway's Lambda authorizers of type REQUEST. A request without an identity source is rejected. For other requests
 * the function returns a policy, which is cached by the values of the identity sources.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html
 */
import type { APIGatewayProxyEvent } from "aws-lambda";
import type { GatewayFaultType } from "./gateway-response.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "./intrinsics.ts";
import { discard, InvocationFailure } from "./lambda-instance.ts";
import type { LambdaPool } from "./lambda-pool.ts";
import type { AuthorizerDefinition } from "./template/authorizers.ts";

/** The value of `requestContext.authorizer` in a function's event. */
type AuthorizerContext = Readonly<Record<string, unknown>>;

/** The parts of a request's event that identity sources refer to, and that the authorizer's function gets. */
interface AuthorizedEvent {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly queryStringParameters: Readonly<Record<string, string | undefined>> | null;
  readonly requestContext: object;
}

/** @returns the authorizer context of an allowed request, or the fault to answer a rejected one with. */
export type Authorize = (
  authorizerId: string,
  event: AuthorizedEvent,
  methodArn: string,
) => Promise<AuthorizerContext | GatewayFaultType>;

interface Policy {
  readonly principalId: string;
  readonly policyDocument: { readonly Statement: readonly Statement[] };
  readonly context?: Readonly<Record<string, string | number | boolean>>;
}

interface Statement {
  readonly Effect: "Allow" | "Deny";
  readonly Resource: string | readonly string[];
}

/** The maximum number of cached policies; the oldest is evicted first. */
const CACHE_SIZE = 10_000;

export function makeAuthorize(
  authorizers: Readonly<Record<string, AuthorizerDefinition>>,
  pool: LambdaPool,
  nowMs: () => number = Date.now,
): Authorize {
  const cache = new Map<string, { readonly policy: Policy; readonly untilMs: number }>();

  const keep = (key: string, policy: Policy, ttlMs: number): void => {
    cache.delete(key);
    cache.set(key, { policy, untilMs: nowMs() + ttlMs });
    if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value!);
  };

  return async (authorizerId, event, methodArn) => {
    const authorizer = authorizers[authorizerId];
    if (authorizer === undefined) return "AUTHORIZER_CONFIGURATION_ERROR";
    const identity = authorizer.identitySources.map((source) => readSource(source, event));
    if (identity.some((value) => !value)) return "UNAUTHORIZED";
    const key = JSON.stringify([authorizerId, ...identity]);
    const kept = cache.get(key);
    if (kept !== undefined && nowMs() < kept.untilMs) return apply(kept.policy, methodArn);
    const answer = await ask(pool, authorizer.functionId, event, methodArn);
    if (typeof answer === "string") return answer;
    if (authorizer.ttlMs > 0) keep(key, answer, authorizer.ttlMs);
    return apply(answer, methodArn);
  };
}

/** @param source `method.request.header.Authorization`, `context.identity.sourceIp`, ... */
function readSource(source: string, event: AuthorizedEvent): string | undefined {
  const [, place, name] =
    /^(?:(?:method|route)\.request\.(header|querystring)|context)\.(.+)$/.exec(source) ?? [];
  if (name === undefined) return undefined;
  if (place === "querystring") return event.queryStringParameters?.[name];
  if (place === "header") {
    const wanted = name.toLowerCase();
    return Object.entries(event.headers).find(([header]) => header.toLowerCase() === wanted)?.[1];
  }
  const value = name
    .split(".")
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | null)?.[key], event.requestContext);
  return typeof value === "string" ? value : undefined;
}

export const methodArn = ({
  httpMethod,
  path,
  requestContext: { apiId, stage },
}: APIGatewayProxyEvent): string => `${stageArn(apiId, stage)}/${httpMethod}${path}`;

export const stageArn = (apiId: string, stage: string): string =>
  `arn:aws:execute-api:${LOCAL_REGION}:${LOCAL_ACCOUNT}:${apiId}/${stage}`;

/** An authorizer returns a policy for rejected requests, too: an exception is a fault of the authorizer. */
async function ask(
  pool: LambdaPool,
  functionId: string,
  {
    body: _body,
    isBase64Encoded: _isBase64Encoded,
    ...request
  }: AuthorizedEvent & {
    readonly body?: unknown;
    readonly isBase64Encoded?: unknown;
  },
  methodArn: string,
): Promise<Policy | GatewayFaultType> {
  try {
    const event = JSON.stringify({ type: "REQUEST", methodArn, ...request });
    const invocation = await pool.invoke(functionId, crypto.randomUUID(), event);
    if (invocation.kind === "buffered") return readPolicy(invocation.payload);
    discard(invocation);
    return "AUTHORIZER_CONFIGURATION_ERROR";
  } catch (error) {
    if (!(error instanceof InvocationFailure)) throw error;
    return "AUTHORIZER_FAILURE";
  }
}

function readPolicy(payload: string): Policy | GatewayFaultType {
  const answer = JSON.parse(payload) as Partial<Policy> | null;
  const isPolicy = typeof answer?.principalId === "string" && Array.isArray(answer.policyDocument?.Statement);
  return isPolicy ? (answer as Policy) : "AUTHORIZER_CONFIGURATION_ERROR";
}

/** An explicit deny takes precedence over an allow; without a matching statement access is denied. */
function apply({ principalId, policyDocument, context }: Policy, methodArn: string) {
  const effects = policyDocument.Statement.filter(({ Resource }) =>
    [Resource].flat().some((pattern) => matches(pattern, methodArn)),
  ).map(({ Effect }) => Effect);
  if (effects.includes("Deny") || !effects.includes("Allow")) return "ACCESS_DENIED";
  // API Gateway passes numbers and booleans to the function as strings.
  const asText = Object.entries(context ?? {}).map(([name, value]) => [name, String(value)]);
  return { principalId, ...Object.fromEntries(asText) } as AuthorizerContext;
}

/** IAM's wildcards: `*` matches any text, `?` any character. */
function matches(pattern: string, arn: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "s").test(arn);
}
