/** Lambda truncates a streamed response at 200 MB, so a longer response is rejected before it begins. */
import { failureOf } from "./errors.ts";
import { STREAM_ERRORS } from "./own-errors/stream.ts";

export const STREAM_MAX_BYTES = 200_000_000;

/**
 * @param advice what the caller can do instead.
 * @throws ApiError `stream.too-long`
 */
export function refuseTooLong(bytes: number, advice: string): void {
  if (bytes > STREAM_MAX_BYTES)
    throw failureOf(STREAM_ERRORS, "stream.too-long", { bytes, limit: STREAM_MAX_BYTES, advice });
}

/**
 * Yields a source of unknown length.
 * @throws ApiError `stream.too-long` before it exceeds the limit: a body that breaks off is no complete file.
 */
export async function* withinStream(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    refuseTooLong(bytes, "stop the capture, then download it");
    yield chunk;
  }
}
