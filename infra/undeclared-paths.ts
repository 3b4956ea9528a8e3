/**
 * Returns 404 for every path without a route.
 *
 * Without a method for such paths, API Gateway would parse the Authorization header of their requests as a SigV4 signature, and return
 * 403 with the header's value in the message. It selects the most specific resource that has the method, so the catch-all at the root
 * serves all other paths, also below declared ones.
 */
import type { Method, RestApi } from "aws-cdk-lib/aws-apigateway";
import { addFixedAnswer } from "./fixed-answer.ts";
import { answerTemplate, NO_SUCH_ROUTE } from "./gateway-responses.ts";

/** The root, which the catch-all does not match, and the catch-all. */
export const UNDECLARED_PATHS = ["/", "/{proxy+}"];

/** @returns the methods, which need no credentials, because their response reveals nothing. */
export const answerUndeclaredPaths = (api: RestApi): Method[] =>
  UNDECLARED_PATHS.map((path) =>
    addFixedAnswer(api.root.resourceForPath(path), "ANY", {
      status: NO_SUCH_ROUTE.status,
      template: answerTemplate(NO_SUCH_ROUTE),
    }),
  );
