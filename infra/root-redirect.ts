/** Redirects the stage's root to the page. */
import type { Operation } from "./api/document.ts";
import { fixedAnswer } from "./api/fixed-answer.ts";
import { STAGE_NAME } from "./stage-name.ts";

/** Absolute, because browsers resolve `page` to `/page` from `/v2`, and to `/v2/page` from `/v2/`. */
const PAGE = `/${STAGE_NAME}/page`;

/** The operation is public like the page. */
export const redirectToPage = (): Operation =>
  fixedAnswer({
    status: 303,
    description: "The page",
    headers: { Location: `'${PAGE}'` },
    template: JSON.stringify({ message: `The page is at ${PAGE}; the API page is at /${STAGE_NAME}/docs` }),
  });
