/**
 * Merges captures by time, and reads each file on demand.
 *
 *     file 1 --chunks--> frames --+
 *     file 2 --chunks--> frames --+--> the earliest of their next frames, again and again
 *     file 3 --chunks--> frames --+
 *
 * Memory holds the frames of one chunk of each file. Frames of one file keep their order, even where its times go back: a frame
 * that is stamped before one that was returned is returned next. Of frames with equal times the one whose file has waited longer
 * is first.
 */
import { EventQueue } from "@wirelab/engine/base/event-queue";
import { NS_PER_US } from "@wirelab/engine/base/time";
import { type CaptureFrame, makeCaptureReader } from "@wirelab/engine/pcap/index";

export interface MergedFrame {
  readonly frame: CaptureFrame;
  /** Index of its file. */
  readonly source: number;
}

/** Yields the frames in batches, each as long as no file needs another read. */
export async function* mergeFrames(
  files: readonly AsyncIterable<Uint8Array>[],
): AsyncGenerator<MergedFrame[]> {
  const sources = files.map((file) => new FrameSource(file));
  try {
    // The queue's clock counts microseconds since 1970 here, because nanoseconds since 1970 exceed a safe integer.
    const queue = new EventQueue<number>();
    await Promise.all(sources.map((source) => source.fill()));
    for (const [index, source] of sources.entries()) enqueue(queue, index, source);
    let ready: MergedFrame[] = [];
    for (let index = queue.pop(); index !== undefined; index = queue.pop()) {
      const source = sources[index]!;
      ready.push({ frame: source.take(), source: index });
      if (source.isEmpty) {
        yield ready;
        ready = [];
        await source.fill();
      }
      enqueue(queue, index, source);
    }
  } finally {
    await Promise.all(sources.map((source) => source.close()));
  }
}

function enqueue(queue: EventQueue<number>, index: number, { next }: FrameSource): void {
  if (next === undefined) return;
  const us = next.seconds * 1e6 + Math.floor(next.nanoseconds / NS_PER_US);
  queue.push(Math.max(us, queue.nowNs), index);
}

/** The frames of one file, one chunk at a time. */
class FrameSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #reader = makeCaptureReader();
  #frames: readonly CaptureFrame[] = [];
  #at = 0;

  constructor(file: AsyncIterable<Uint8Array>) {
    this.#chunks = file[Symbol.asyncIterator]();
  }

  /** Undefined at the end of the file, or before `fill`. */
  get next(): CaptureFrame | undefined {
    return this.#frames[this.#at];
  }

  get isEmpty(): boolean {
    return this.#at === this.#frames.length;
  }

  take(): CaptureFrame {
    const frame = this.#frames[this.#at]!;
    this.#at += 1;
    return frame;
  }

  /** Reads until there is a frame, or the file ends. */
  async fill(): Promise<void> {
    this.#frames = [];
    this.#at = 0;
    while (this.#frames.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return;
      this.#frames = this.#reader.push(value);
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
