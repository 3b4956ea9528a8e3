/** What API Gateway answers by itself, in the service's own error shape. */
import { ResponseType } from "aws-cdk-lib/aws-apigateway";

interface GatewayAnswer {
  readonly type: ResponseType;
  readonly status: number;
  /** Absent: API Gateway's own words. */
  readonly message?: string;
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

/** The body; the request id lets an operator find what a caller complains about. */
export function answerTemplate({ status, message }: GatewayAnswer): string {
  const text = message === undefined ? "$context.error.messageString" : JSON.stringify(message);
  const requestId = status >= 500 ? ',"request_id":"$context.requestId"' : "";
  return `{"message":${text},"status":${status}${requestId}}`;
}
