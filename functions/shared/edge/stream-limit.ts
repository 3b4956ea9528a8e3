/** Lambda truncates a streamed response at 200 MB, so a longer response is rejected before it begins. */
import { failure } from "./errors.ts";

export const STREAM_MAX_BYTES = 200_000_000;

/**
 * @param advice what the caller can do instead.
 * @throws ApiError `stream.too-long`
 */
export function refuseTooLong(bytes: number, advice: string): void {
  if (bytes > STREAM_MAX_BYTES) throw failure("stream.too-long", { bytes, limit: STREAM_MAX_BYTES, advice });
}
