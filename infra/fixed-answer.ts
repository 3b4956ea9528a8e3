/** A method whose fixed response API Gateway returns with a MOCK integration, without a function. */
import {
  AuthorizationType,
  ContentHandling,
  type IResource,
  type Method,
  MockIntegration,
  PassthroughBehavior,
} from "aws-cdk-lib/aws-apigateway";
import { ANSWER_HEADERS } from "./gateway-responses.ts";

interface FixedAnswer {
  readonly status: number;
  /** Additional headers: name -> text in single quotes. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as JSON text, which may contain `$context.name`. */
  readonly template: string;
}

/** @returns the method, which needs no credentials. */
export function addFixedAnswer(resource: IResource, verb: string, answer: FixedAnswer): Method {
  const statusCode = String(answer.status);
  const headers = Object.entries({ ...ANSWER_HEADERS, ...answer.headers }).map(
    ([name, value]) => [`method.response.header.${name}`, value] as const,
  );
  const integration = new MockIntegration({
    requestTemplates: { "application/json": JSON.stringify({ statusCode: answer.status }) },
    // A request with another media type fails with UNSUPPORTED_MEDIA_TYPE, whose gateway response is 404.
    passthroughBehavior: PassthroughBehavior.NEVER,
    // The API treats all media types as binary, but the templates need text.
    contentHandling: ContentHandling.CONVERT_TO_TEXT,
    integrationResponses: [
      {
        statusCode,
        contentHandling: ContentHandling.CONVERT_TO_TEXT,
        responseParameters: Object.fromEntries(headers),
        responseTemplates: { "application/json": answer.template },
      },
    ],
  });
  return resource.addMethod(verb, integration, {
    authorizationType: AuthorizationType.NONE,
    methodResponses: [
      { statusCode, responseParameters: Object.fromEntries(headers.map(([name]) => [name, true])) },
    ],
  });
}
