/** Responses that caches may store, with 304 for callers that have them already (RFC 9110 13.1.2, RFC 9111 5.2.2). */
import { entityTag, isNamed } from "./entity-tag.ts";
import type { AnyAnswer } from "./response.ts";

const JSON_TYPE = "application/json";

/** @returns the response with an entity tag and its lifetime in caches; 304 without a body when `ifNoneMatch` names the tag. */
export function cachedAnswer(
  answer: AnyAnswer,
  cacheSeconds: number,
  ifNoneMatch: string | undefined,
): AnyAnswer {
  const { body } = answer;
  const content =
    body instanceof Uint8Array
      ? { body }
      : { body: new TextEncoder().encode(JSON.stringify(body)), contentType: JSON_TYPE };
  const etag = entityTag(content.body);
  const headers = { "cache-control": `public, max-age=${cacheSeconds}`, ...answer.headers, etag };
  if (isNamed(etag, ifNoneMatch)) return { status: 304, headers };
  return { ...answer, ...content, headers };
}
