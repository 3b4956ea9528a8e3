/** Returns the interface as an OpenAPI document and as a page. */

import { GROUPS } from "../routes.ts";
import { failureOf } from "../shared/edge/errors.ts";
import { accepts } from "../shared/edge/http/accepts.ts";
import { makeOpenApi, type OpenApi } from "../shared/edge/openapi.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { SERVER_ERRORS } from "../shared/edge/own-errors/server.ts";
import { EXAMPLES } from "./examples.ts";
import page from "./page/index.html" with { type: "bytes" };
import { loadPageFile } from "./page-files.ts";
import type { group } from "./routes.ts";

let document: OpenApi | undefined;

/** Makes the document on the first request and caches it. */
export const getOpenApi: Operation<typeof group.routes.getOpenApi> = async () => {
  document ??= makeOpenApi(GROUPS, EXAMPLES);
  return { status: 200, body: { ...document } };
};

/** Allows scripts and styles from this service only; the style sheet has its pictures in `data:` URLs. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const getDocs: Operation<typeof group.routes.getDocs> = async () => ({
  status: 200,
  body: page,
  headers: { "content-security-policy": PAGE_POLICY },
});

export const getDocsFile: Operation<typeof group.routes.getDocsFile> = async ({ params, headers }) => {
  const file = await loadPageFile(params.file);
  if (file === undefined) throw failureOf(SERVER_ERRORS, "docs.file-not-found", { file: params.file });
  const { contentType, bytes, brotli } = file;
  const vary = { vary: "accept-encoding" };
  return accepts("br", headers["accept-encoding"])
    ? { status: 200, body: brotli, contentType, headers: { ...vary, "content-encoding": "br" } }
    : { status: 200, body: bytes, contentType, headers: vary };
};
