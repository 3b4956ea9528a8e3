/** The stage's root redirects to the API page. */
import type { Method, RestApi } from "aws-cdk-lib/aws-apigateway";
import { addFixedAnswer } from "./fixed-answer.ts";
import { STAGE_NAME } from "./stage-name.ts";

/** Relative to the host: `docs` would lead from `/v2` to `/docs`, and from `/v2/` to `/v2/docs`. */
const PAGE = `/${STAGE_NAME}/docs`;

/** @returns the method, which is public like the page. */
export const redirectRoot = (api: RestApi): Method =>
  addFixedAnswer(api.root, "GET", {
    status: 303,
    headers: { Location: `'${PAGE}'` },
    template: JSON.stringify({ message: `The API page is at ${PAGE}` }),
  });
