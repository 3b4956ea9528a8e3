/**
 * API Gateway's own responses in the service's error format. The texts are fixed: API Gateway's default message for a malformed
 * signature contains the Authorization header.
 */
import { ResponseType } from "aws-cdk-lib/aws-apigateway";
import type { AuthMode } from "./auth.ts";

export interface GatewayAnswer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface GatewayResponse extends GatewayAnswer {
  readonly type: ResponseType;
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

const GATEWAY_RESPONSES: readonly GatewayResponse[] = [
  // API Gateway reports an unknown method of a resource as MISSING_AUTHENTICATION_TOKEN.
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, ...NO_SUCH_ROUTE },
  { type: ResponseType.RESOURCE_NOT_FOUND, ...NO_SUCH_ROUTE },
  // Only MOCK integrations depend on the media type: infra/fixed-answer.ts.
  { type: ResponseType.UNSUPPORTED_MEDIA_TYPE, ...NO_SUCH_ROUTE },
  {
    type: ResponseType.REQUEST_TOO_LARGE,
    status: 413,
    code: "request.too-large",
    message: "The request is larger than the 10 MB that API Gateway accepts",
  },
  {
    type: ResponseType.BAD_REQUEST_BODY,
    status: 400,
    code: "gateway.body",
    message: "API Gateway cannot read the body",
  },
  {
    type: ResponseType.BAD_REQUEST_PARAMETERS,
    status: 400,
    code: "gateway.path",
    message: "API Gateway cannot read the path or the query; check their percent-encoding",
  },
  {
    type: ResponseType.UNAUTHORIZED,
    status: 401,
    code: "access.credentials",
    message: "Credentials are missing or wrong",
  },
  {
    type: ResponseType.ACCESS_DENIED,
    status: 403,
    code: "access.denied",
    message: "The caller may not use this API",
  },
  { type: ResponseType.EXPIRED_TOKEN, ...REJECTED_SIGNATURE },
  { type: ResponseType.INVALID_SIGNATURE, ...REJECTED_SIGNATURE },
  {
    type: ResponseType.WAF_FILTERED,
    status: 403,
    code: "gateway.firewall",
    message: "The firewall rejected the request",
  },
  {
    type: ResponseType.THROTTLED,
    status: 429,
    code: "gateway.throttled",
    message: "Too many requests; retry later",
  },
  {
    type: ResponseType.QUOTA_EXCEEDED,
    status: 429,
    code: "gateway.throttled",
    message: "Too many requests; retry later",
  },
  {
    type: ResponseType.INTEGRATION_TIMEOUT,
    status: 504,
    code: "gateway.timeout",
    message: "The request took too long; it may still complete",
  },
  {
    type: ResponseType.DEFAULT_4XX,
    status: 400,
    code: "gateway.rejected",
    message: "API Gateway rejected the request; check its method, path and Authorization header",
  },
  { type: ResponseType.DEFAULT_5XX, status: 500, code: "internal", message: "Internal server error" },
];

const SCHEMES: Readonly<Partial<Record<AuthMode, string>>> = { basic: "Basic", jwt: "Bearer" };

/**
 * With an authorizer, wrong credentials and missing ones get the same 401; API Gateway's default for wrong ones is 403. With IAM,
 * API Gateway reports a request without a signature as MISSING_AUTHENTICATION_TOKEN, too.
 */
export function gatewayResponses(mode: AuthMode): readonly GatewayResponse[] {
  const scheme = SCHEMES[mode];
  if (scheme !== undefined) {
    const unauthorized = {
      status: 401,
      code: "access.credentials",
      message: "Credentials are missing or wrong",
      headers: { "WWW-Authenticate": `'${scheme} realm="Wirelab"'` },
    };
    const refusals = [ResponseType.UNAUTHORIZED, ResponseType.ACCESS_DENIED];
    return replace(refusals.map((type) => ({ type, ...unauthorized })));
  }
  if (mode !== "iam") return GATEWAY_RESPONSES;
  const message = "The request has no SigV4 signature";
  return replace([
    { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, status: 403, code: "access.credentials", message },
  ]);
}

const replace = (responses: readonly GatewayResponse[]): readonly GatewayResponse[] =>
  GATEWAY_RESPONSES.map(
    (response) => responses.find(({ type }) => type.responseType === response.type.responseType) ?? response,
  );

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
