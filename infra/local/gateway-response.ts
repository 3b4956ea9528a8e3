/** Renders errors of the gateway: the stack's gateway responses, else AWS's defaults. */
import { fillTemplate, mapHeaders, type RenderedResponse, type TemplateContext } from "./mapping.ts";
import type { GatewayResponseDefinition } from "./template/gateway-responses.ts";

interface GatewayFault {
  readonly status: number;
  readonly message: string;
  readonly fallback: "DEFAULT_4XX" | "DEFAULT_5XX";
  /** Set for faults that API Gateway does not have: the stack's gateway response then provides only the headers. */
  readonly localCode?: string;
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html */
const FAULTS = {
  MISSING_AUTHENTICATION_TOKEN: {
    status: 403,
    message: "Missing Authentication Token",
    fallback: "DEFAULT_4XX",
  },
  /**
   * API Gateway parses the Authorization header of a request to an unknown path as an AWS signature, and rejects any other header
   * with IncompleteSignatureException. The documentation lists no response type for it. The message includes the header.
   */
  INCOMPLETE_SIGNATURE: { status: 403, message: "Forbidden", fallback: "DEFAULT_4XX" },
  UNAUTHORIZED: { status: 401, message: "Unauthorized", fallback: "DEFAULT_4XX" },
  ACCESS_DENIED: {
    status: 403,
    message: "User is not authorized to access this resource with an explicit deny",
    fallback: "DEFAULT_4XX",
  },
  FOREIGN_NAME: {
    status: 403,
    message:
      "Without authentication the service accepts requests for names of this machine only; use 127.0.0.1, or start it with WIRELAB_AUTH=basic",
    fallback: "DEFAULT_4XX",
    localCode: "access.foreign-host",
  },
  MALFORMED_REQUEST: {
    status: 400,
    message: "The request is not valid HTTP/1.1",
    fallback: "DEFAULT_4XX",
    localCode: "gateway.malformed",
  },
  MISSING_HOST: {
    status: 400,
    message: "The request has no Host header",
    fallback: "DEFAULT_4XX",
    localCode: "gateway.no-host",
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: "The request took too long to arrive; send it again, faster",
    fallback: "DEFAULT_4XX",
    localCode: "gateway.slow-request",
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    message: "The request line and the headers are larger than 16,384 bytes",
    fallback: "DEFAULT_4XX",
    localCode: "gateway.headers-too-large",
  },
  AUTHORIZER_FAILURE: { status: 500, message: "Internal server error", fallback: "DEFAULT_5XX" },
  AUTHORIZER_CONFIGURATION_ERROR: { status: 500, message: "Internal server error", fallback: "DEFAULT_5XX" },
  BAD_REQUEST_PARAMETERS: { status: 400, message: "Bad Request", fallback: "DEFAULT_4XX" },
  REQUEST_TOO_LARGE: { status: 413, message: "Request Too Large", fallback: "DEFAULT_4XX" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "Unsupported Media Type", fallback: "DEFAULT_4XX" },
  API_CONFIGURATION_ERROR: { status: 500, message: "Internal server error", fallback: "DEFAULT_5XX" },
  INTEGRATION_TIMEOUT: { status: 504, message: "Endpoint request timed out", fallback: "DEFAULT_5XX" },
  /** Not a response type of AWS: the default covers a function that fails or returns a malformed response. */
  FUNCTION_FAILURE: { status: 502, message: "Internal server error", fallback: "DEFAULT_5XX" },
} as const satisfies Record<string, GatewayFault>;

export type GatewayFaultType = keyof typeof FAULTS;

/** @param context an `error.message` in it replaces the fault's default message. */
export type RenderFault = (type: GatewayFaultType, context: TemplateContext) => RenderedResponse;

export function makeFaultRenderer(definitions: readonly GatewayResponseDefinition[]): RenderFault {
  const byType = new Map(definitions.map((definition) => [definition.responseType, definition]));
  return (type, context) => {
    const fault: GatewayFault = FAULTS[type];
    const fallback = byType.get(fault.fallback);
    const message = context["error.message"] ?? fault.message;
    if (fault.localCode !== undefined) {
      const { status, localCode: code } = fault;
      return {
        status,
        headers: { "content-type": "application/json", ...mapHeaders(fallback?.headers ?? {}, context) },
        body: JSON.stringify({ code, message, status }),
      };
    }
    const own = byType.get(type);
    const template = own?.template ?? fallback?.template ?? '{"message":$context.error.messageString}';
    const values: TemplateContext = {
      ...context,
      "error.message": message,
      "error.messageString": JSON.stringify(message),
      "error.responseType": type,
    };
    return {
      status: own?.statusCode ?? fallback?.statusCode ?? fault.status,
      headers: {
        "content-type": own?.contentType ?? fallback?.contentType ?? "application/json",
        ...mapHeaders({ ...fallback?.headers, ...own?.headers }, values),
      },
      body: fillTemplate(template, values),
    };
  };
}
