/**
 * 404 for every path without a route.
 *
 * Without a method for such paths, API Gateway would take the Authorization header of their requests for a SigV4 signature, and answer
 * 403 with the header's value in the message. It serves a path by its most specific resource that has the method, so that the catch-all
 * at the root takes what is left, also below declared paths.
 */
import type { Method, RestApi } from "aws-cdk-lib/aws-apigateway";
import { addFixedAnswer } from "./fixed-answer.ts";
import { answerTemplate, NO_SUCH_ROUTE } from "./gateway-responses.ts";

/** The root, which the catch-all does not match, and the catch-all. */
export const UNDECLARED_PATHS = ["/", "/{proxy+}"];

/** @returns the methods, which are public: an undeclared path is no secret. */
export const answerUndeclaredPaths = (api: RestApi): Method[] =>
  UNDECLARED_PATHS.map((path) =>
    addFixedAnswer(api.root.resourceForPath(path), "ANY", {
      status: NO_SUCH_ROUTE.status,
      template: answerTemplate(NO_SUCH_ROUTE),
    }),
  );
