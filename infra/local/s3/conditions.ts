/** Conditional requests: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-requests.html */
import type { IncomingHttpHeaders } from "node:http";
import type { StoredFacts } from "./object-file.ts";
import type { Condition } from "./object-store.ts";
import { S3Error } from "./s3-error.ts";

/** @returns undefined if the write has no condition. */
export function writeCondition(headers: IncomingHttpHeaders, key: string): Condition | undefined {
  const { "if-match": wanted, "if-none-match": unwanted } = headers;
  if (unwanted !== undefined && unwanted !== "*")
    throw new S3Error("NotImplemented", "If-None-Match other than * in a write");
  if (wanted === undefined && unwanted === undefined) return undefined;
  return (present) => {
    if (unwanted !== undefined && present !== undefined)
      throw new S3Error("PreconditionFailed", "If-None-Match");
    if (wanted === undefined) return;
    if (present === undefined) throw new S3Error("NoSuchKey", key);
    if (!matches(wanted, present)) throw new S3Error("PreconditionFailed", "If-Match");
  };
}

/** In the order of RFC 9110, 13.2.2. @throws S3Error `PreconditionFailed`, `NotModified` */
export function checkRead(headers: IncomingHttpHeaders, facts: StoredFacts): void {
  // The header has seconds.
  const modifiedMs = Math.floor(facts.modified.getTime() / 1000) * 1000;
  const { "if-match": wanted, "if-none-match": unwanted } = headers;
  const unmodifiedSince = headers["if-unmodified-since"];
  const modifiedSince = headers["if-modified-since"];
  if (wanted !== undefined) {
    if (!matches(wanted, facts)) throw new S3Error("PreconditionFailed", "If-Match");
  } else if (unmodifiedSince !== undefined && modifiedMs > Date.parse(unmodifiedSince))
    throw new S3Error("PreconditionFailed", "If-Unmodified-Since");
  if (unwanted !== undefined) {
    if (matches(unwanted, facts)) throw new S3Error("NotModified");
  } else if (modifiedSince !== undefined && modifiedMs <= Date.parse(modifiedSince))
    throw new S3Error("NotModified");
}

const matches = (header: string, { etag }: StoredFacts): boolean =>
  header.split(",").some((each) => ["*", etag, etag.slice(1, -1)].includes(each.trim().replace(/^W\//, "")));
