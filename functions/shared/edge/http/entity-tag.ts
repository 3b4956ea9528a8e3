/** Entity tags, and the check whether the caller already has an image (RFC 9110, 8.8.3 and 13.1.2). */
import { createHash } from "node:crypto";

/** @returns a strong entity tag that depends only on the bytes. */
export const entityTag = (bytes: Uint8Array): string =>
  `"${createHash("sha256").update(bytes).digest("base64url")}"`;

const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** @returns whether an If-None-Match field names `etag`: a list, compared weakly, or `*` for any. */
export function isNamed(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.matchAll(ENTITY_TAG).some(([, tag]) => tag === etag);
}
