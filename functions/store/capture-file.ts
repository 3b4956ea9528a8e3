/** A capture as one pcap file: read from wherever its packets are, and stored as one object. */
import { Readable } from "node:stream";
import { PCAP_CONTENT_TYPE } from "../api/schemas/capture.ts";
import { type CaptureItem, listSegments, markCaptureStored, stopCapture } from "./capture.ts";
import { captureKey, capturePrefixes } from "./capture-objects.ts";
import type { LinkItem, RunningCapture } from "./link.ts";
import { deletePrefix, openObject, readObject, uploadObject } from "./objects.ts";

/** What names a capture's file. */
type CaptureFile = Pick<CaptureItem, "project_id" | "capture_id" | "file_name">;

/**
 * A place in a capture's file, moved forward by reading.
 *
 * A segment that is gone means that the capture was stopped and stored meanwhile: the object holds the same bytes, so
 * reading goes on there at the same offset.
 */
export class CaptureCursor {
  readonly #file: CaptureFile;
  readonly #header: Uint8Array;
  readonly #pieceBytes: number | undefined;
  #segment = 0;
  #offset = 0;

  /**
   * @param header the file header, which comes before the first segment.
   * @param pieceBytes reads at most so much at a time, and holds no connection between; whole objects when absent.
   */
  constructor(file: CaptureFile, header: Uint8Array, pieceBytes?: number) {
    this.#file = file;
    this.#header = header;
    this.#pieceBytes = pieceBytes;
  }

  /** Reads on until the first `segments` segments have been read. */
  async *readUntil(segments: number): AsyncGenerator<Uint8Array> {
    if (this.#offset === 0) yield this.#advance(this.#header);
    const { project_id, capture_id } = this.#file;
    while (this.#segment < segments) {
      const keys = await listSegments(project_id, capture_id, this.#segment);
      if (keys.length === 0) return yield* this.#readStored();
      for (const key of keys) {
        for await (const bytes of readPieces(key, this.#pieceBytes)) {
          if (bytes === undefined) return yield* this.#readStored();
          yield this.#advance(bytes);
        }
        this.#segment += 1;
      }
    }
  }

  async *#readStored(): AsyncGenerator<Uint8Array> {
    this.#segment = Number.POSITIVE_INFINITY;
    yield* readStored(this.#file, this.#offset, this.#pieceBytes);
  }

  #advance(bytes: Uint8Array): Uint8Array {
    this.#offset += bytes.length;
    return bytes;
  }
}

/** Reads an object from its beginning, or from `offset`, to its end; undefined when it is not there any more. */
async function* readPieces(
  key: string,
  pieceBytes: number | undefined,
  offset = 0,
): AsyncGenerator<Uint8Array | undefined> {
  for (let at = offset; ; ) {
    const bytes = await readObject(key, at, pieceBytes);
    yield bytes;
    if (bytes === undefined || pieceBytes === undefined || bytes.length < pieceBytes) return;
    at += bytes.length;
  }
}

/** Reads the stored object from `offset` on; nothing when the capture was deleted. */
async function* readStored(file: CaptureFile, offset = 0, pieceBytes?: number): AsyncGenerator<Uint8Array> {
  const key = captureKey(file.project_id, file.capture_id, file.file_name);
  if (pieceBytes !== undefined) {
    for await (const bytes of readPieces(key, pieceBytes, offset)) if (bytes) yield bytes;
    return;
  }
  const stored = await openObject(key, offset);
  if (stored) yield* stored as AsyncIterable<Uint8Array>;
}

/**
 * The file of a capture, as far as it has got.
 * @param pieceBytes as for the cursor: for whoever reads many captures at once.
 */
export function readCapture(
  capture: CaptureItem,
  running: RunningCapture | undefined,
  header: Uint8Array,
  pieceBytes?: number,
): AsyncGenerator<Uint8Array> {
  if (capture.stored) return readStored(capture, 0, pieceBytes);
  const current = running?.capture_id === capture.capture_id ? running : capture;
  return new CaptureCursor(capture, header, pieceBytes).readUntil(current.segments ?? 0);
}

/** Makes one object of a stopped capture. Can be repeated by whoever finds it undone. */
export async function storeCapture(capture: CaptureItem, header: Uint8Array): Promise<void> {
  const { project_id, capture_id, file_name } = capture;
  const file = Readable.from(readCapture(capture, undefined, header));
  await uploadObject(captureKey(project_id, capture_id, file_name), file, PCAP_CONTENT_TYPE);
  const kept = await markCaptureStored(capture);
  if (!kept) for (const prefix of capturePrefixes(project_id, capture_id)) await deletePrefix(prefix);
}

/** @returns false when the link changed since it was read, so that its capture has to be looked at again. */
export async function stopAndStore(link: LinkItem, header: Uint8Array): Promise<boolean> {
  const stopped = await stopCapture(link);
  if (stopped === undefined) return false;
  await storeCapture(stopped, header);
  return true;
}
