/**
 * 404 for every path that no route has, from a MOCK integration: no function is called for it.
 *
 * Without a method for such paths, API Gateway would take the Authorization header of their requests for a SigV4 signature, and answer
 * 403 with the header's value in the message. It serves a path by its most specific resource that has the method, so that the catch-all
 * at the root takes what is left, also below declared paths.
 */
import {
  AuthorizationType,
  ContentHandling,
  type Method,
  MockIntegration,
  PassthroughBehavior,
  type RestApi,
} from "aws-cdk-lib/aws-apigateway";
import { ANSWER_HEADERS, answerTemplate, NO_SUCH_ROUTE } from "./gateway-responses.ts";

/** The root, which the catch-all does not match, and the catch-all. */
export const UNDECLARED_PATHS = ["/", "/{proxy+}"];

const statusCode = String(NO_SUCH_ROUTE.status);
const headers = Object.entries(ANSWER_HEADERS).map(
  ([name, value]) => [`method.response.header.${name}`, value] as const,
);

/** @returns the methods, which are open: a path that no route has is no secret. */
export function answerUndeclaredPaths(api: RestApi): Method[] {
  const integration = new MockIntegration({
    requestTemplates: { "application/json": JSON.stringify({ statusCode: NO_SUCH_ROUTE.status }) },
    // A body of another media type is UNSUPPORTED_MEDIA_TYPE, whose gateway response is the same 404.
    passthroughBehavior: PassthroughBehavior.NEVER,
    // The API takes all media types as bytes; the templates need text.
    contentHandling: ContentHandling.CONVERT_TO_TEXT,
    integrationResponses: [
      {
        statusCode,
        contentHandling: ContentHandling.CONVERT_TO_TEXT,
        responseParameters: Object.fromEntries(headers),
        responseTemplates: { "application/json": answerTemplate(NO_SUCH_ROUTE) },
      },
    ],
  });
  return UNDECLARED_PATHS.map((path) =>
    api.root.resourceForPath(path).addMethod("ANY", integration, {
      authorizationType: AuthorizationType.NONE,
      methodResponses: [
        { statusCode, responseParameters: Object.fromEntries(headers.map(([name]) => [name, true])) },
      ],
    }),
  );
}
