/** Returns the page and its files. */
import { failureOf } from "../shared/edge/errors.ts";
import { accepts } from "../shared/edge/http/accepts.ts";
import type { Operation } from "../shared/edge/operation.ts";
import { SERVER_ERRORS } from "../shared/edge/own-errors/server.ts";
import { type PageFile, readPageFile } from "./files.ts";
import type { group } from "./routes.ts";
import { signInWay } from "./sign-in-way.ts";

const INDEX = "index.html";
/** Made from the stack's settings. */
const SIGN_IN = "sign-in.json";
const FILES = new URL("./page/", import.meta.url);

/**
 * Allows scripts and styles from this service only. Pictures of symbols come from the API with the caller's credentials, so the page
 * shows them as `blob:` URLs. A lab file runs in a worker of the page.
 */
const policy = (): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // The issuer's endpoints can be at any origin; its own may have no TLS on one machine.
    `connect-src 'self' https: ws: wss: ${issuerOrigin()}`.trimEnd(),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** For files whose name contains a hash of their content. */
const IMMUTABLE = "public, max-age=31536000, immutable";

function issuerOrigin(): string {
  const { issuer } = signInWay(process.env);
  return issuer === undefined ? "" : new URL(issuer).origin;
}

export const getPage: Operation<typeof group.routes.getPage> = async ({ headers }) => {
  const file = await readOrFail(INDEX, headers["accept-encoding"]);
  return {
    status: 200,
    body: file.bytes,
    headers: { ...headersOf(file), "cache-control": "no-cache", "content-security-policy": policy() },
  };
};

export const getPageFile: Operation<typeof group.routes.getPageFile> = async ({ params, headers }) => {
  if (params.file === SIGN_IN) return answerSignIn();
  const file = await readOrFail(params.file, headers["accept-encoding"]);
  const caching = params.file === INDEX ? "no-cache" : IMMUTABLE;
  return {
    status: 200,
    body: file.bytes,
    contentType: file.contentType,
    headers: { ...headersOf(file), "cache-control": caching, "content-security-policy": policy() },
  };
};

const answerSignIn = () => ({
  status: 200 as const,
  body: new TextEncoder().encode(JSON.stringify(signInWay(process.env))),
  contentType: "application/json",
  headers: { "cache-control": "no-cache" },
});

async function readOrFail(name: string, acceptEncoding: string | undefined): Promise<PageFile> {
  const file = await readPageFile(FILES, name, accepts("br", acceptEncoding));
  if (file === undefined) throw failureOf(SERVER_ERRORS, "docs.file-not-found", { file: name });
  return file;
}

const headersOf = ({ isBrotli }: PageFile): Record<string, string> => ({
  vary: "accept-encoding",
  ...(isBrotli && { "content-encoding": "br" }),
});
