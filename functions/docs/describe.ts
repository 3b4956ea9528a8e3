/** The interface as a document and as a page; made on the first request and kept. */

import { makeOpenApi, type OpenApi } from "../api/openapi.ts";
import type { Operation } from "../api/operation.ts";
import { GROUPS } from "../routes.ts";
import { renderPage } from "./page.ts";
import type { group } from "./routes.ts";

let document: OpenApi | undefined;
let page: Uint8Array | undefined;

const openApi = (): OpenApi => (document ??= makeOpenApi(GROUPS));

export const getOpenApi: Operation<typeof group.routes.getOpenApi> = async () => ({
  status: 200,
  body: { ...openApi() },
});

/** The page has neither scripts nor anything from elsewhere. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

export const getDocs: Operation<typeof group.routes.getDocs> = async () => {
  page ??= new TextEncoder().encode(renderPage(openApi()));
  return { status: 200, body: page, headers: { "content-security-policy": PAGE_POLICY } };
};
