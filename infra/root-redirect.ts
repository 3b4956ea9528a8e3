/** Redirects the stage's root to the page. */
import type { Method, RestApi } from "aws-cdk-lib/aws-apigateway";
import { addFixedAnswer } from "./fixed-answer.ts";
import { STAGE_NAME } from "./stage-name.ts";

/** Absolute, because browsers resolve `page` to `/page` from `/v2`, and to `/v2/page` from `/v2/`. */
const PAGE = `/${STAGE_NAME}/page`;

/** @returns the method, which is public like the page. */
export const redirectRoot = (api: RestApi): Method =>
  addFixedAnswer(api.root, "GET", {
    status: 303,
    headers: { Location: `'${PAGE}'` },
    template: JSON.stringify({ message: `The page is at ${PAGE}; the API page is at /${STAGE_NAME}/docs` }),
  });
