/** Decodes the content coding of a request's body. */
import { gunzipSync } from "node:zlib";
import { failure, invalidRequest } from "../errors.ts";

const ENCODING_SHOWN = 40;
const GZIP_MAGIC = [0x1f, 0x8b];

/**
 * @param limit of the decoded body, in bytes; decompression stops there, so a small body cannot expand beyond the memory.
 * @throws ApiError `request.too-large`; `request.encoded` for another coding than gzip; 400 for damaged data.
 */
export function decodeBody(bytes: Uint8Array, encoding = "identity", limit: number): Uint8Array {
  const coding = encoding.trim().toLowerCase();
  if (coding === "identity" || bytes.length === 0) return bytes;
  if (coding !== "gzip" && coding !== "x-gzip") {
    throw failure("request.encoded", { encoding: encoding.slice(0, ENCODING_SHOWN) });
  }
  // API Gateway may have decompressed the body and kept the header.
  if (!GZIP_MAGIC.every((byte, index) => bytes[index] === byte)) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      throw failure("request.too-large", { limit });
    }
    throw invalidRequest([{ path: "body", message: "is damaged: its gzip data cannot be decompressed" }]);
  }
}
