/** A capture as one pcap file: read from its segments or its object, and stored as one object. */
import { Readable } from "node:stream";
import { ApiError, failure } from "../../edge/errors.ts";
import { logger } from "../../edge/log.ts";
import { count } from "../../edge/metrics.ts";
import { PCAP_CONTENT_TYPE } from "../../schemas/capture-file.ts";
import type { BlockReader } from "../base/block-reader.ts";
import {
  deleteObjects,
  objectSize,
  openObject,
  presignObject,
  readObject,
  uploadObject,
} from "../base/objects.ts";
import { readAhead } from "../base/read-ahead.ts";
import {
  type CaptureItem,
  captureExists,
  FILE_HEADER_BYTES,
  markCaptureStored,
  stopCapture,
} from "./capture.ts";
import { captureKey, segmentsKey } from "./capture-objects.ts";
import type { LinkItem, RunningCapture } from "./link.ts";
import { readPackets } from "./packets.ts";
import { isInObject, listSegments, type ObjectSegment, type Segment, type SegmentCount } from "./segment.ts";

/** The attributes that identify a capture's file. */
type CaptureFile = Pick<CaptureItem, "project_id" | "link_id" | "capture_id" | "file_name">;

const keyOf = ({ project_id, capture_id, file_name }: CaptureFile): string =>
  captureKey(project_id, capture_id, file_name);

/** How much of a capture exists so far. */
interface Extent extends SegmentCount {
  /** Bytes of packets, without the file header. */
  readonly bytes?: number | undefined;
  /** True when one object holds the whole capture. */
  readonly stored?: boolean | undefined;
}

/** Consecutive segments that one call reads: a part of an object, or some items. */
type Part = ObjectPart | ItemsPart;

interface ObjectPart {
  readonly object: ObjectSegment;
  readonly length: number;
}

interface ItemsPart {
  /** The number of the first segment. */
  readonly first: number;
  readonly items: readonly Segment[];
  /** Bytes of packets. */
  readonly length: number;
}

/** What one call reads of items, at most; many callers may read at once. */
const PART_BYTES = 65_536;
const PART_ITEMS = 64;

/** @param first the number of the first segment. */
function partsOf(segments: readonly Segment[], first: number): Part[] {
  const parts: Part[] = [];
  for (const [i, segment] of segments.entries()) {
    const last = parts.at(-1);
    if (isInObject(segment)) parts.push({ object: segment, length: segment.length });
    else if (last && "items" in last && isRoomIn(last, segment)) {
      const [items, length] = [[...last.items, segment], last.length + segment.length];
      parts[parts.length - 1] = { ...last, items, length };
    } else parts.push({ first: first + i, items: [segment], length: segment.length });
  }
  return parts;
}

const isRoomIn = ({ items, length }: ItemsPart, segment: Segment): boolean =>
  items.length < PART_ITEMS && length + segment.length <= PART_BYTES;

/**
 * A position in a capture's file; reading advances it.
 *
 * Missing segments mean that another request stopped and stored the capture meanwhile. The object holds the same bytes, so
 * the cursor continues there at the same offset.
 */
export class CaptureCursor {
  readonly #file: CaptureFile;
  readonly #header: Uint8Array;
  readonly #blocks: BlockReader | undefined;
  #segment = 0;
  #offset = 0;

  /**
   * @param header the file header, which comes before the first segment.
   * @param blocks shared by many cursors; without it, the cursor reads whole segments.
   */
  constructor(file: CaptureFile, header: Uint8Array, blocks?: BlockReader) {
    this.#file = file;
    this.#header = header;
    this.#blocks = blocks;
  }

  /**
   * Reads up to the extent.
   * @throws ApiError `capture.lost` when packets are missing, `capture.not-found` when another request deleted the capture meanwhile.
   */
  async *readUntil(extent: Extent): AsyncGenerator<Uint8Array> {
    for await (const bytes of this.#readOn(extent)) {
      this.#offset += bytes.length;
      yield bytes;
    }
    if (this.#offset < FILE_HEADER_BYTES + (extent.bytes ?? 0)) throw await missing(this.#file);
  }

  async *#readOn(extent: Extent): AsyncGenerator<Uint8Array> {
    if (extent.stored) return yield* this.#readStored();
    if (this.#offset === 0) yield this.#header;
    if (this.#segment >= (extent.segments ?? 0)) return;
    const { project_id, capture_id } = this.#file;
    const segments = await listSegments(project_id, capture_id, extent, this.#segment);
    if (segments === undefined) return yield* this.#readStored();
    const parts = partsOf(segments, this.#segment);
    for await (const bytes of this.#blocks ? this.#readBlocks(parts) : this.#readWhole(parts)) {
      if (bytes === undefined) return yield* this.#readStored();
      yield bytes;
    }
  }

  async *#readWhole(parts: readonly Part[]): AsyncGenerator<Uint8Array | undefined> {
    const { project_id } = this.#file;
    const read = readAhead(parts, async (part) => {
      if (!("object" in part)) return this.#readItems(part);
      const { object_id, offset, length } = part.object;
      return [await readObject(segmentsKey(project_id, object_id), offset, length)];
    });
    for await (const segments of read) yield* this.#counted(segments);
  }

  async *#readBlocks(parts: readonly Part[]): AsyncGenerator<Uint8Array | undefined> {
    const { project_id } = this.#file;
    for (const part of parts) {
      if ("object" in part) {
        const { object_id, offset, length } = part.object;
        yield* this.#blocks!.read(segmentsKey(project_id, object_id), offset, offset + length);
        this.#segment += 1;
      } else yield* this.#counted(await this.#readItems(part));
    }
  }

  *#counted(segments: readonly (Uint8Array | undefined)[]): Generator<Uint8Array | undefined> {
    for (const bytes of segments) {
      yield bytes;
      this.#segment += 1;
    }
  }

  /** Reads the packets of each segment in items; undefined when they are gone. */
  async #readItems({ first, items, length }: ItemsPart): Promise<(Uint8Array | undefined)[]> {
    if (length === 0) return items.map(() => new Uint8Array());
    const { project_id, capture_id } = this.#file;
    const found = await readPackets(project_id, capture_id, first, items.length);
    return items.map((segment, i) => (segment.length > 0 ? found.get(first + i) : new Uint8Array()));
  }

  async *#readStored(): AsyncGenerator<Uint8Array> {
    this.#segment = Number.POSITIVE_INFINITY;
    const key = keyOf(this.#file);
    if (this.#blocks) {
      for await (const bytes of this.#blocks.read(key, this.#offset)) if (bytes) yield bytes;
      return;
    }
    const stored = await openObject(key, this.#offset);
    if (stored) yield* stored as AsyncIterable<Uint8Array>;
  }
}

/** Returns the error for a capture whose object is missing or too short. */
async function missing(file: CaptureFile): Promise<ApiError> {
  const { capture_id } = file;
  if (!(await captureExists(file))) return failure("capture.not-found", { capture_id });
  count("LostCaptures");
  const cause = new Error(`Packets are missing from the bucket: ${keyOf(file)}, or the segments before it`);
  return failure("capture.lost", { capture_id }, { cause });
}

/**
 * Reads the file of a capture, as much as exists so far.
 * @param blocks shared by callers that read many captures at once, as for the cursor.
 */
export function readCapture(
  capture: CaptureItem,
  running: RunningCapture | undefined,
  header: Uint8Array,
  blocks?: BlockReader,
): AsyncGenerator<Uint8Array> {
  const current = running?.capture_id === capture.capture_id ? running : capture;
  return new CaptureCursor(capture, header, blocks).readUntil(current);
}

/** Makes one object of a stopped capture. Idempotent: any request that finds the capture not stored can repeat it. */
export async function storeCapture(capture: CaptureItem, header: Uint8Array): Promise<void> {
  const key = keyOf(capture);
  await uploadObject(key, Readable.from(readCapture(capture, undefined, header)), PCAP_CONTENT_TYPE);
  const kept = await markCaptureStored(capture);
  if (!kept) await deleteObjects([key]);
}

/** Like `storeCapture`, but ignores a capture that is lost, deleted, or on a compute. */
export async function storeIfThere(capture: CaptureItem, header: Uint8Array): Promise<void> {
  if (capture.at !== undefined) return;
  try {
    await storeCapture(capture, header);
  } catch (error) {
    if (!(error instanceof ApiError && /^capture\.(lost|not-found)$/.test(error.code))) throw error;
    const { project_id, capture_id } = capture;
    if (error.cause) logger.error("lost capture", { project_id, capture_id, error: error.cause as Error });
  }
}

/** @returns false when the link changed since it was read, so the caller has to read its capture again. */
export async function stopAndStore(link: LinkItem, header: Uint8Array): Promise<boolean> {
  const stopped = await stopCapture(link);
  if (stopped === undefined) return false;
  await storeIfThere(stopped, header);
  return true;
}

/**
 * Stores a stopped capture, unless it is stored already, and presigns a URL of its file.
 * @param disposition the `Content-Disposition` of S3's response.
 * @param headOnly presigns for HEAD instead of GET.
 * @throws ApiError `capture.lost`, `capture.not-found`
 */
export async function storedCaptureUrl(
  capture: CaptureItem,
  header: Uint8Array,
  disposition: string,
  headOnly: boolean,
): Promise<string> {
  if (!capture.stored) await storeCapture(capture, header);
  const key = keyOf(capture);
  if (((await objectSize(key)) ?? 0) < FILE_HEADER_BYTES + (capture.bytes ?? 0)) throw await missing(capture);
  return presignObject(key, disposition, headOnly);
}
