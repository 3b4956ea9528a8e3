/** Received bytes beyond a gap, which wait for the bytes before them, and the blocks that report them (RFC 2018, section 4). */
import { addRange, type Range, removeBefore } from "./ranges.ts";

export interface WaitingBytes {
  readonly start: number;
  readonly end: number;
  /** One character per byte; absent if the application discards what it receives. */
  readonly text?: string;
}

export interface ReceiveQueue {
  /** Ordered by start; they may overlap. */
  readonly waiting: WaitingBytes[];
  readonly ranges: Range[];
  /** Starts of the ranges, the one that changed last first. */
  recent: number[];
}

export const makeReceiveQueue = (): ReceiveQueue => ({ waiting: [], ranges: [], recent: [] });

export function keepBytes(queue: ReceiveQueue, start: number, data: Uint8Array, discards: boolean): void {
  const end = start + data.length;
  const { merged, isNew } = addRange(queue.ranges, start, end);
  queue.recent = [merged[0], ...queue.recent.filter((each) => each < merged[0] || each >= merged[1])];
  if (!isNew) return;
  let at = queue.waiting.length;
  while (at > 0 && queue.waiting[at - 1]!.start > start) at -= 1;
  queue.waiting.splice(at, 0, { start, end, ...(!discards && { text: textOf(data) }) });
}

/** Removes the bytes that continue the stream at `position`. @returns them in order, by their text or their count. */
export function takeBytes(queue: ReceiveQueue, position: number): (string | number)[] {
  const taken: (string | number)[] = [];
  let at = position;
  while (queue.waiting.length > 0 && queue.waiting[0]!.start <= at) {
    const { start, end, text } = queue.waiting.shift()!;
    if (end <= at) continue;
    taken.push(text === undefined ? end - at : text.slice(at - start));
    at = end;
  }
  removeBefore(queue.ranges, at);
  queue.recent = queue.recent.filter((start) => start > at);
  return taken;
}

/** The blocks to report, the most recent first. */
export function reportedRanges({ ranges, recent }: ReceiveQueue): Range[] {
  return recent.flatMap((start) => ranges.filter((range) => range[0] === start));
}

/** A call takes no more on every machine. */
const MOST_ARGUMENTS = 8_192;

export const textOf = (bytes: Uint8Array): string => {
  let text = "";
  for (let at = 0; at < bytes.length; at += MOST_ARGUMENTS)
    text += String.fromCharCode(...bytes.subarray(at, at + MOST_ARGUMENTS));
  return text;
};

export const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
