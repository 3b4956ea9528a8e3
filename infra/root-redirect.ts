/** The stage's root redirects to the API page, from a MOCK integration: no function is called for it. */
import {
  AuthorizationType,
  ContentHandling,
  type Method,
  MockIntegration,
  PassthroughBehavior,
  type RestApi,
} from "aws-cdk-lib/aws-apigateway";
import { ANSWER_HEADERS, answerTemplate } from "./gateway-responses.ts";
import { STAGE_NAME } from "./stage-name.ts";

/** Relative to the host alone: `docs` would lead from `/v2` to `/docs`, and from `/v2/` to `/v2/docs`. */
const PAGE = `/${STAGE_NAME}/docs`;
const ANSWER = { status: 303, message: `The API page is at ${PAGE}` };
const statusCode = String(ANSWER.status);
const headers = Object.entries({ ...ANSWER_HEADERS, Location: `'${PAGE}'` }).map(
  ([name, value]) => [`method.response.header.${name}`, value] as const,
);

/** @returns the method, which is open as the page is. */
export const redirectRoot = (api: RestApi): Method =>
  api.root.addMethod(
    "GET",
    new MockIntegration({
      requestTemplates: { "application/json": JSON.stringify({ statusCode: ANSWER.status }) },
      passthroughBehavior: PassthroughBehavior.NEVER,
      // The API takes all media types as bytes; the templates need text.
      contentHandling: ContentHandling.CONVERT_TO_TEXT,
      integrationResponses: [
        {
          statusCode,
          contentHandling: ContentHandling.CONVERT_TO_TEXT,
          responseParameters: Object.fromEntries(headers),
          responseTemplates: { "application/json": answerTemplate(ANSWER) },
        },
      ],
    }),
    {
      authorizationType: AuthorizationType.NONE,
      methodResponses: [
        { statusCode, responseParameters: Object.fromEntries(headers.map(([name]) => [name, true])) },
      ],
    },
  );
