/** An operation whose fixed response API Gateway returns with a mock integration, without a function. */
import { ANSWER_HEADERS } from "../gateway-responses.ts";
import { INTEGRATION, type Operation } from "./document.ts";

interface FixedAnswer {
  readonly status: number;
  readonly description: string;
  /** Additional headers: name -> text in single quotes. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as JSON text, which may contain `$context.name`. */
  readonly template: string;
}

/** @returns the operation, which needs no credentials. */
export function fixedAnswer({ status, description, headers = {}, template }: FixedAnswer): Operation {
  const statusCode = String(status);
  const all = Object.entries({ ...ANSWER_HEADERS, ...headers });
  return {
    responses: {
      [statusCode]: {
        description,
        // API Gateway sets only headers that the response declares.
        headers: Object.fromEntries(all.map(([name]) => [name, { schema: { type: "string" } }])),
      },
    },
    [INTEGRATION]: {
      type: "mock",
      requestTemplates: { "application/json": JSON.stringify({ statusCode: status }) },
      // A request with another media type fails with UNSUPPORTED_MEDIA_TYPE, whose gateway response is 404.
      passthroughBehavior: "never",
      // The API treats all media types as binary, but the templates need text.
      contentHandling: "CONVERT_TO_TEXT",
      responses: {
        default: {
          statusCode,
          contentHandling: "CONVERT_TO_TEXT",
          responseParameters: Object.fromEntries(
            all.map(([name, value]) => [`method.response.header.${name}`, value]),
          ),
          responseTemplates: { "application/json": template },
        },
      },
    },
  };
}
