/** What API Gateway answers by itself, in the service's own error shape. */
import { ResponseType } from "aws-cdk-lib/aws-apigateway";
import type { AuthMode } from "./auth.ts";

interface GatewayAnswer {
  readonly type: ResponseType;
  readonly status: number;
  /** Absent: API Gateway's own words. */
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** API Gateway tells an unknown route by a missing token: to callers it is a route that there is not. */
export const GATEWAY_ANSWERS: readonly GatewayAnswer[] = [
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, status: 404, message: "No such route" },
  { type: ResponseType.RESOURCE_NOT_FOUND, status: 404, message: "No such route" },
  {
    type: ResponseType.REQUEST_TOO_LARGE,
    status: 413,
    message: "The request is larger than the gateway takes",
  },
  { type: ResponseType.BAD_REQUEST_BODY, status: 400 },
  { type: ResponseType.BAD_REQUEST_PARAMETERS, status: 400 },
  { type: ResponseType.UNAUTHORIZED, status: 401 },
  { type: ResponseType.ACCESS_DENIED, status: 403 },
  { type: ResponseType.EXPIRED_TOKEN, status: 403 },
  { type: ResponseType.INVALID_SIGNATURE, status: 403 },
  { type: ResponseType.WAF_FILTERED, status: 403 },
  { type: ResponseType.UNSUPPORTED_MEDIA_TYPE, status: 415 },
  { type: ResponseType.THROTTLED, status: 429 },
  { type: ResponseType.QUOTA_EXCEEDED, status: 429 },
  {
    type: ResponseType.INTEGRATION_TIMEOUT,
    status: 504,
    message: "The request took too long; it may still complete",
  },
  { type: ResponseType.DEFAULT_4XX, status: 400 },
  { type: ResponseType.DEFAULT_5XX, status: 500, message: "Internal server error" },
];

const SCHEMES: Readonly<Partial<Record<AuthMode, string>>> = { basic: "Basic", jwt: "Bearer" };

/**
 * With an authorizer, who is not let in is asked for credentials; the gateway itself would say 403 to who has shown
 * wrong ones. With IAM it cannot tell a request without a signature from one to a route that there is not.
 */
export function gatewayAnswers(mode: AuthMode): readonly GatewayAnswer[] {
  const scheme = SCHEMES[mode];
  if (scheme !== undefined) {
    const unauthorized = {
      status: 401,
      message: "Credentials are missing or wrong",
      headers: { "WWW-Authenticate": `'${scheme} realm="Wirelab"'` },
    };
    const refusals = [ResponseType.UNAUTHORIZED, ResponseType.ACCESS_DENIED];
    return replace(refusals.map((type) => ({ type, ...unauthorized })));
  }
  if (mode !== "iam") return GATEWAY_ANSWERS;
  const message = "The request is not signed, or there is no such route";
  return replace([{ type: ResponseType.MISSING_AUTHENTICATION_TOKEN, status: 403, message }]);
}

const replace = (answers: readonly GatewayAnswer[]): readonly GatewayAnswer[] =>
  GATEWAY_ANSWERS.map(
    (answer) => answers.find(({ type }) => type.responseType === answer.type.responseType) ?? answer,
  );

/** As of a function's answers: the request id is what the log knows a request by. */
export const ANSWER_HEADERS = {
  "X-Content-Type-Options": "'nosniff'",
  "X-Frame-Options": "'DENY'",
  "X-Request-Id": "context.requestId",
} as const;

/** The body; the request id lets an operator find what a caller complains about. */
export function answerTemplate({ status, message }: GatewayAnswer): string {
  const text = message === undefined ? "$context.error.messageString" : JSON.stringify(message);
  const requestId = status >= 500 ? ',"request_id":"$context.requestId"' : "";
  return `{"message":${text},"status":${status}${requestId}}`;
}
