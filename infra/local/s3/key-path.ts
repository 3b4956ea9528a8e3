/**
 * Keys and the paths of their files, below the folder of the bucket:
 *
 *     a/b        a/b.object
 *     a/.b       a/%2Eb.object                 no file is hidden
 *     a.object/b a%2Eobject/b.object           no folder has the name of a file
 */
import { S3Error } from "./s3-error.ts";

const SUFFIX = ".object";
/** The most bytes of a name in the file systems of Linux. */
const NAME_MAX_BYTES = 255;
const KEY_MAX_BYTES = 1024;

/** @throws S3Error `KeyTooLongError` when the key, or a part of it as a name of a file, is too long. */
export function toPath(key: string): string {
  const path = key.split("/").map(toName).join("/") + SUFFIX;
  const isTooLong = path.split("/").some((name) => Buffer.byteLength(name) > NAME_MAX_BYTES);
  if (isTooLong || Buffer.byteLength(key) > KEY_MAX_BYTES) throw new S3Error("KeyTooLongError", key);
  return path;
}

/** @returns undefined for a file that is not an object's. */
export function toKey(path: string): string | undefined {
  if (!path.endsWith(SUFFIX)) return undefined;
  return path
    .slice(0, -SUFFIX.length)
    .replaceAll(/%(00|25|2E|2F)/g, (_, hex: string) =>
      hex === "2F" ? "" : String.fromCharCode(Number.parseInt(hex, 16)),
    );
}

/** `%2F` is an empty name, as in the key `a//b`. */
const toName = (part: string): string =>
  part === ""
    ? "%2F"
    : part
        .replaceAll("%", "%25")
        .replaceAll("\0", "%00")
        .replace(/^\./, "%2E")
        .replace(/\.(?=object$)/, "%2E");

/** Sorts by the bytes of the keys, as S3 does. */
export const compareKeys = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));
