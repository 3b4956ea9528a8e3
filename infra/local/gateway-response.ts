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
  UNAUTHORIZED: { status: 401, message: "Unauthorized", fallback: "DEFAULT_4XX" },
  ACCESS_DENIED: {
    status: 403,
    message: "User is not authorized to access this resource with an explicit deny",
    fallback: "DEFAULT_4XX",
  },
  /** No type of AWS's either: what an open service on one machine says to a name that is not this machine's. */
  FOREIGN_NAME: {
    status: 403,
    message:
      "This service asks nobody who they are, and answers to names of this machine only: use 127.0.0.1, or start it with WIRELAB_AUTH=basic",
    fallback: "DEFAULT_4XX",
  },
  AUTHORIZER_FAILURE: { status: 500, message: "Internal server error", fallback: "DEFAULT_5XX" },
  AUTHORIZER_CONFIGURATION_ERROR: { status: 500, message: "Internal server error", fallback: "DEFAULT_5XX" },
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
        ...mapHeaders({ ...fallback?.headers, ...own?.headers }, values),
      },
      body: fill(template, values),
    };
  };
}

/** A value is text in single quotes, or `context.` and a name; what else API Gateway maps from is not known here. */
function mapHeaders(
  headers: Readonly<Record<string, string>>,
  values: TemplateContext,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.startsWith("context.")
        ? (values[value.slice("context.".length)] ?? "")
        : value.replace(/^'|'$/g, ""),
    ]),
  );
}

function fill(template: string, values: TemplateContext): string {
  return template.replace(/\$context\.([A-Za-z_][\w.]*\w)/g, (_whole, name: string) => values[name] ?? "");
}
