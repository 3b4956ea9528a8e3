/** The response with a file. */
import { isNamed } from "../shared/edge/http/entity-tag.ts";

/** A file that is opened as a page can run no scripts and load nothing, and has no access to the service. */
const INERT = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

/** @param bytes missing when the caller has them. */
export function answerFile(
  file: { readonly content_type: string; readonly etag: string; readonly modified_ms?: number },
  bytes: Uint8Array | undefined,
  ifNoneMatch: string | undefined,
) {
  const headers: Record<string, string> = {
    etag: file.etag,
    "cache-control": "no-cache",
    "content-security-policy": INERT,
    ...(file.modified_ms !== undefined && { "last-modified": new Date(file.modified_ms).toUTCString() }),
  };
  if (bytes === undefined || isNamed(file.etag, ifNoneMatch)) return { status: 304, headers } as const;
  headers["content-length"] = String(bytes.length);
  return { status: 200, headers, body: bytes, contentType: file.content_type } as const;
}
