/** What API Gateway answers by itself: the stack's own gateway responses, else AWS's defaults. */
import type { GatewayResponseDefinition } from "./template.ts";

interface GatewayFault {
  readonly status: number;
  readonly message: string;
  readonly fallback: "DEFAULT_4XX" | "DEFAULT_5XX";
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html */
const FAULTS = {
  MISSING_AUTHENTICATION_TOKEN: {
    status: 403,
    message: "Missing Authentication Token",
    fallback: "DEFAULT_4XX",
  },
  BAD_REQUEST_PARAMETERS: { status: 400, message: "Bad Request", fallback: "DEFAULT_4XX" },
  REQUEST_TOO_LARGE: { status: 413, message: "Request Too Large", fallback: "DEFAULT_4XX" },
  INTEGRATION_TIMEOUT: { status: 504, message: "Endpoint request timed out", fallback: "DEFAULT_5XX" },
  /** No type of AWS's: a function that failed, or answered what is no response, falls to the default. */
  FUNCTION_FAILURE: { status: 502, message: "Internal server error", fallback: "DEFAULT_5XX" },
} as const satisfies Record<string, GatewayFault>;

export type GatewayFaultType = keyof typeof FAULTS;

export interface RenderedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Values of `$context` that templates may use, without the leading `$context.`. */
export type TemplateContext = Readonly<Record<string, string>>;

export type RenderFault = (type: GatewayFaultType, context: TemplateContext) => RenderedResponse;

export function makeFaultRenderer(definitions: readonly GatewayResponseDefinition[]): RenderFault {
  const byType = new Map(definitions.map((definition) => [definition.responseType, definition]));
  return (type, context) => {
    const fault: GatewayFault = FAULTS[type];
    const fallback = byType.get(fault.fallback);
    const own = byType.get(type);
    const template = own?.template ?? fallback?.template ?? '{"message":$context.error.messageString}';
    const values: TemplateContext = {
      ...context,
      "error.message": fault.message,
      "error.messageString": JSON.stringify(fault.message),
      "error.responseType": type,
    };
    return {
      status: own?.statusCode ?? fallback?.statusCode ?? fault.status,
      headers: {
        "content-type": own?.contentType ?? fallback?.contentType ?? "application/json",
        ...fallback?.headers,
        ...own?.headers,
      },
      body: fill(template, values),
    };
  };
}

function fill(template: string, values: TemplateContext): string {
  return template.replace(/\$context\.([A-Za-z_][\w.]*\w)/g, (_whole, name: string) => values[name] ?? "");
}
