/**
 * API Gateway's MOCK integration: the gateway itself returns a response, and no function is called.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-mock-integration.html
 */
import type { MockIntegration, Operation } from "../api/document.ts";
import { mapHeaders, type RenderedResponse, type TemplateContext } from "./mapping.ts";
import { LocalProblem } from "./problem.ts";
import { renderTemplate } from "./velocity.ts";

export interface MockDefinition {
  /** Media type of the request -> the integration's request, which has the status code of the response. */
  readonly requestTemplates: Readonly<Record<string, string>>;
  /** Converts the body to text first. Without it, an API with the binary media type of all types cannot render a template. */
  readonly convertsToText: boolean;
  readonly responses: readonly MockResponse[];
}

interface MockResponse {
  readonly statusCode: string;
  /** Text in quotes, or `context.` and a name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly template: string;
}

const DEFAULT_MEDIA_TYPE = "application/json";

/** @param where the path in the template, for error messages. */
export function readMock(operation: Operation, integration: MockIntegration, where: string): MockDefinition {
  const { passthroughBehavior, requestTemplates = {}, contentHandling, responses = {} } = integration;
  if (passthroughBehavior !== "never") {
    throw new LocalProblem(
      `${where}.passthroughBehavior: only never runs locally, not ${String(passthroughBehavior)}`,
    );
  }
  return {
    requestTemplates,
    convertsToText: contentHandling === "CONVERT_TO_TEXT",
    responses: Object.values(responses).map(
      ({ statusCode, responseParameters = {}, responseTemplates = {} }) => {
        const [contentType = DEFAULT_MEDIA_TYPE, template = ""] = Object.entries(responseTemplates)[0] ?? [];
        const headers = Object.entries(responseParameters).map(
          ([name, value]) => [name.replace("method.response.header.", ""), value] as const,
        );
        const declared = operation.responses?.[statusCode]?.headers ?? {};
        // API Gateway rejects the document.
        for (const [name] of headers)
          if (!(name in declared))
            throw new LocalProblem(`${where}.responses: ${statusCode} does not declare the header ${name}`);
        return { statusCode, headers: Object.fromEntries(headers), contentType, template };
      },
    ),
  };
}

/**
 * @param binaryBodies whether the API has the binary media type of all types.
 * @param parameter returns a header of the request.
 */
export function answerMock(
  { requestTemplates, convertsToText, responses }: MockDefinition,
  contentType: string | undefined,
  binaryBodies: boolean,
  context: TemplateContext,
  parameter: (name: string) => string = () => "",
): RenderedResponse | "UNSUPPORTED_MEDIA_TYPE" | "API_CONFIGURATION_ERROR" {
  const [mediaType = ""] = (contentType ?? DEFAULT_MEDIA_TYPE).split(";");
  const template = requestTemplates[mediaType.trim().toLowerCase()];
  if (template === undefined) return "UNSUPPORTED_MEDIA_TYPE";
  if (binaryBodies && !convertsToText) return "API_CONFIGURATION_ERROR";
  const { statusCode } = JSON.parse(template) as { statusCode: number };
  const response = responses.find((each) => each.statusCode === String(statusCode));
  if (response === undefined) return "API_CONFIGURATION_ERROR";
  const { headers, body } = renderTemplate(response.template, context, parameter);
  return {
    status: statusCode,
    headers: { "content-type": response.contentType, ...mapHeaders(response.headers, context), ...headers },
    body,
  };
}
