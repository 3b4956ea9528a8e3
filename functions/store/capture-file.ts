/** A capture as one pcap file: read from wherever its packets are, and stored as one object. */
import { Readable } from "node:stream";
import { PCAP_CONTENT_TYPE } from "../api/schemas/capture.ts";
import type { BlockReader } from "./block-reader.ts";
import { type CaptureItem, markCaptureStored, stopCapture } from "./capture.ts";
import { captureKey, segmentsKey } from "./capture-objects.ts";
import type { LinkItem, RunningCapture } from "./link.ts";
import { deleteObjects, openObject, readObject, uploadObject } from "./objects.ts";
import { listSegments, type SegmentCount } from "./segment.ts";

/** What names a capture's file. */
type CaptureFile = Pick<CaptureItem, "project_id" | "capture_id" | "file_name">;

/**
 * A place in a capture's file, moved forward by reading.
 *
 * Segments that are gone mean that the capture was stopped and stored meanwhile: the object holds the same bytes, so
 * reading goes on there at the same offset.
 */
export class CaptureCursor {
  readonly #file: CaptureFile;
  readonly #header: Uint8Array;
  readonly #blocks: BlockReader | undefined;
  #segment = 0;
  #offset = 0;

  /**
   * @param header the file header, which comes before the first segment.
   * @param blocks reads for many cursors at once; without it, segments are read whole.
   */
  constructor(file: CaptureFile, header: Uint8Array, blocks?: BlockReader) {
    this.#file = file;
    this.#header = header;
    this.#blocks = blocks;
  }

  /** Reads on until all segments that there were at the count have been read. */
  async *readUntil(count: SegmentCount): AsyncGenerator<Uint8Array> {
    if (this.#offset === 0) yield this.#advance(this.#header);
    const { project_id, capture_id } = this.#file;
    if (this.#segment >= (count.segments ?? 0)) return;
    const segments = await listSegments(project_id, capture_id, count, this.#segment);
    if (segments === undefined) return yield* this.#readStored();
    for (const { object_id, offset, length } of segments) {
      const key = segmentsKey(project_id, object_id);
      for await (const bytes of this.#read(key, offset, length)) {
        if (bytes === undefined) return yield* this.#readStored();
        yield this.#advance(bytes);
      }
      this.#segment += 1;
    }
  }

  async *#read(key: string, offset: number, length: number): AsyncGenerator<Uint8Array | undefined> {
    if (this.#blocks) yield* this.#blocks.read(key, offset, offset + length);
    else if (length > 0) yield await readObject(key, offset, length);
  }

  async *#readStored(): AsyncGenerator<Uint8Array> {
    this.#segment = Number.POSITIVE_INFINITY;
    yield* readStored(this.#file, this.#offset, this.#blocks);
  }

  #advance(bytes: Uint8Array): Uint8Array {
    this.#offset += bytes.length;
    return bytes;
  }
}

/** Reads the stored object from `offset` on; nothing when the capture was deleted. */
async function* readStored(file: CaptureFile, offset = 0, blocks?: BlockReader): AsyncGenerator<Uint8Array> {
  const key = captureKey(file.project_id, file.capture_id, file.file_name);
  if (blocks) {
    for await (const bytes of blocks.read(key, offset)) if (bytes) yield bytes;
    return;
  }
  const stored = await openObject(key, offset);
  if (stored) yield* stored as AsyncIterable<Uint8Array>;
}

/**
 * The file of a capture, as far as it has got.
 * @param blocks as for the cursor: for whoever reads many captures at once.
 */
export function readCapture(
  capture: CaptureItem,
  running: RunningCapture | undefined,
  header: Uint8Array,
  blocks?: BlockReader,
): AsyncGenerator<Uint8Array> {
  if (capture.stored) return readStored(capture, 0, blocks);
  const current = running?.capture_id === capture.capture_id ? running : capture;
  return new CaptureCursor(capture, header, blocks).readUntil(current);
}

/** Makes one object of a stopped capture. Can be repeated by whoever finds it undone. */
export async function storeCapture(capture: CaptureItem, header: Uint8Array): Promise<void> {
  const { project_id, capture_id, file_name } = capture;
  const file = Readable.from(readCapture(capture, undefined, header));
  await uploadObject(captureKey(project_id, capture_id, file_name), file, PCAP_CONTENT_TYPE);
  const kept = await markCaptureStored(capture);
  if (!kept) await deleteObjects([captureKey(project_id, capture_id, file_name)]);
}

/** @returns false when the link changed since it was read, so that its capture has to be looked at again. */
export async function stopAndStore(link: LinkItem, header: Uint8Array): Promise<boolean> {
  const stopped = await stopCapture(link);
  if (stopped === undefined) return false;
  await storeCapture(stopped, header);
  return true;
}
