/** Reads the file of a capture from where it is: the bucket, or the compute that records it. */
import { headerOf } from "@wirelab/engine/link/capture-header";
import type { BlockReader } from "../shared/store/base/block-reader.ts";
import type { CaptureItem } from "../shared/store/lab/capture.ts";
import { readCapture } from "../shared/store/lab/capture-file.ts";
import { isThere } from "../shared/store/lab/capture-there.ts";
import type { RunningCapture } from "../shared/store/lab/link.ts";

/**
 * @param running the link's running capture.
 * @param blocks shared by callers that read many captures at once.
 * @throws ApiError `capture.lost`, `capture.not-found`; for a capture that only a compute has, those of the compute.
 */
export function readFile(
  capture: CaptureItem,
  running: RunningCapture | undefined,
  blocks?: BlockReader,
): AsyncGenerator<Uint8Array> {
  return isThere(capture) ? readThere(capture) : readCapture(capture, running, headerOf(capture), blocks);
}

async function* readThere(capture: CaptureItem): AsyncGenerator<Uint8Array> {
  // Loaded on first use: most captures are in the bucket.
  const { readAllThere } = await import("../shared/compute-capture/capture-file.ts");
  yield* readAllThere(capture);
}
