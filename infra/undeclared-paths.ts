/**
 * Returns 404 for every path without a route.
 *
 * Without a method for such paths, API Gateway would parse the Authorization header of their requests as a SigV4 signature, and return
 * 403 with the header's value in the message. It selects the most specific resource that has the method, so the catch-all at the root
 * serves all other paths, also below declared ones.
 */
import type { Operation } from "./api/document.ts";
import { fixedAnswer } from "./api/fixed-answer.ts";
import { answerTemplate, NO_SUCH_ROUTE } from "./gateway-responses.ts";

/** The root, which the catch-all does not match, and the catch-all. */
export const UNDECLARED_PATHS = ["/", "/{proxy+}"];

/** The operation of such paths. It needs no credentials, because its response reveals nothing. */
export const NO_ROUTE: Operation = fixedAnswer({
  status: NO_SUCH_ROUTE.status,
  description: NO_SUCH_ROUTE.message,
  template: answerTemplate(NO_SUCH_ROUTE),
});
