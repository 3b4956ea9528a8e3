/**
 * API Gateway's own responses in the service's error format. The texts are fixed: API Gateway's default message for a malformed
 * signature contains the Authorization header.
 */
import type { GatewayResponse } from "./api/document.ts";
import type { AuthMode } from "./auth.ts";

export interface GatewayAnswer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Name -> text in single quotes. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The response for a path without a route. */
export const NO_SUCH_ROUTE: GatewayAnswer = {
  status: 404,
  code: "route.not-found",
  message: "No such route",
};

const REJECTED_SIGNATURE: GatewayAnswer = {
  status: 403,
  code: "gateway.signature",
  message: "The request's SigV4 signature is incomplete, wrong or too old",
};

const UNAUTHENTICATED: GatewayAnswer = {
  status: 401,
  code: "access.credentials",
  message: "Credentials are missing or wrong",
};

const TOO_MANY: GatewayAnswer = {
  status: 429,
  code: "gateway.throttled",
  message: "Too many requests; retry later",
};

/** By API Gateway's type: https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html */
const ANSWERS: Readonly<Record<string, GatewayAnswer>> = {
  // API Gateway reports an unknown method of a path as MISSING_AUTHENTICATION_TOKEN.
  MISSING_AUTHENTICATION_TOKEN: NO_SUCH_ROUTE,
  RESOURCE_NOT_FOUND: NO_SUCH_ROUTE,
  // Only mock integrations depend on the media type: infra/api/fixed-answer.ts.
  UNSUPPORTED_MEDIA_TYPE: NO_SUCH_ROUTE,
  REQUEST_TOO_LARGE: {
    status: 413,
    code: "request.too-large",
    message: "The request is larger than the 10 MB that API Gateway accepts",
  },
  BAD_REQUEST_BODY: { status: 400, code: "gateway.body", message: "API Gateway cannot read the body" },
  BAD_REQUEST_PARAMETERS: {
    status: 400,
    code: "gateway.path",
    message: "API Gateway cannot read the path or the query; check their percent-encoding",
  },
  UNAUTHORIZED: UNAUTHENTICATED,
  ACCESS_DENIED: { status: 403, code: "access.denied", message: "The caller may not use this API" },
  EXPIRED_TOKEN: REJECTED_SIGNATURE,
  INVALID_SIGNATURE: REJECTED_SIGNATURE,
  WAF_FILTERED: { status: 403, code: "gateway.firewall", message: "The firewall rejected the request" },
  THROTTLED: TOO_MANY,
  QUOTA_EXCEEDED: TOO_MANY,
  INTEGRATION_TIMEOUT: {
    status: 504,
    code: "gateway.timeout",
    message: "The request took too long; it may still complete",
  },
  DEFAULT_4XX: {
    status: 400,
    code: "gateway.rejected",
    message: "API Gateway rejected the request; check its method, path and Authorization header",
  },
  DEFAULT_5XX: { status: 500, code: "internal", message: "Internal server error" },
};

/**
 * The authorizer did not decide: it failed, had no time left, or Lambda throttled it, which API Gateway reports as either type. The
 * gateway caches none of that, and the request has not reached a function.
 */
const UNDECIDED: GatewayAnswer = {
  status: 503,
  code: "gateway.undecided",
  message: "The credentials cannot be checked now; send the request again",
  headers: { "Retry-After": "'2'" },
};

const SCHEMES: Readonly<Partial<Record<AuthMode, string>>> = { basic: "Basic", jwt: "Bearer" };

/**
 * With an authorizer, wrong credentials and missing ones get the same 401; API Gateway's default for wrong ones is 403. A failure of the
 * authorizer gets 503; API Gateway's default is 500, which clients do not repeat. With IAM,
 * API Gateway reports a request without a signature as MISSING_AUTHENTICATION_TOKEN, too.
 */
function answersOf(mode: AuthMode): Readonly<Record<string, GatewayAnswer>> {
  const scheme = SCHEMES[mode];
  if (scheme !== undefined) {
    const headers = { "WWW-Authenticate": `'${scheme} realm="Wirelab"'` };
    const unauthenticated = { ...UNAUTHENTICATED, headers };
    return {
      ...ANSWERS,
      UNAUTHORIZED: unauthenticated,
      ACCESS_DENIED: unauthenticated,
      AUTHORIZER_FAILURE: UNDECIDED,
      AUTHORIZER_CONFIGURATION_ERROR: UNDECIDED,
    };
  }
  if (mode !== "iam") return ANSWERS;
  const unsigned = {
    status: 403,
    code: "access.credentials",
    message: "The request has no SigV4 signature",
  };
  return { ...ANSWERS, MISSING_AUTHENTICATION_TOKEN: unsigned };
}

/**
 * Returns the responses as API Gateway's extension of OpenAPI has them: by type.
 *
 * @param headers additional headers of all of them.
 */
export const gatewayResponses = (
  mode: AuthMode,
  headers: GatewayAnswer["headers"],
): Record<string, GatewayResponse> =>
  Object.fromEntries(
    Object.entries(answersOf(mode)).map(([type, answer]) => [
      type,
      makeResponse(answer, { ...ANSWER_HEADERS, ...answer.headers, ...headers }),
    ]),
  );

const makeResponse = (answer: GatewayAnswer, headers: Readonly<Record<string, string>>): GatewayResponse => ({
  statusCode: String(answer.status),
  responseParameters: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
  ),
  responseTemplates: { "application/json": answerTemplate(answer) },
});

/** The headers of all responses, also of the functions'. The logs have the request id. */
export const ANSWER_HEADERS = {
  "Cache-Control": "'no-store'",
  "X-Content-Type-Options": "'nosniff'",
  "X-Frame-Options": "'DENY'",
  "X-Request-Id": "context.requestId",
} as const;

/** Returns the body as a template. Errors of the service include the request id, as in the functions' responses. */
export function answerTemplate({ status, code, message }: GatewayAnswer): string {
  const requestId = status >= 500 ? ',"request_id":"$context.requestId"' : "";
  return `{"code":"${code}","message":${JSON.stringify(message)},"status":${status}${requestId}}`;
}
