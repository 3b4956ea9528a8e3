/** Ranges of downloads (RFC 9110, 14.1.2): one range of bytes. */
import { S3Error } from "./s3-error.ts";

export interface ByteRange {
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
}

/** @returns undefined for the whole object: also for a header that is not one range of bytes, as S3 does. @throws S3Error `InvalidRange` */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first !== "" && last !== "" && Number(first) > Number(last)) return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(Number(last) + 1, size);
  if (start >= end) throw new S3Error("InvalidRange", `${header} of ${size} bytes`);
  return { start, end };
}
