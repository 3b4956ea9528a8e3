/** Decides where the packets that a run has captured are stored: in items, if they are few, or in one object. */

import type { LinkChange, NodeChange, RunChange, SegmentChange } from "../store/commit/run-changes.ts";
import { asItems } from "../store/lab/packets.ts";
import type { Segment } from "../store/lab/segment.ts";

/** A segment whose packets have no place yet. */
export interface RecordedSegment extends Omit<SegmentChange, "segment" | "deflated"> {
  /** pcap records. */
  readonly recorded: Uint8Array;
}

export interface RecordedLinkChange extends Omit<LinkChange, "added"> {
  readonly added?: RecordedSegment | undefined;
}

/** A change of a run, as it is before its packets have a place. */
export type RecordedChange = NodeChange | RecordedLinkChange;

/** The object that a run writes: the segments of all links that captured packets, one after another. */
class SegmentsObject {
  readonly id = crypto.randomUUID();
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  add(bytes: Uint8Array): Segment {
    const segment = { object_id: this.id, offset: this.#length, length: bytes.length };
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return segment;
  }

  get bytes(): Uint8Array {
    return this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts, this.#length);
  }
}

/** Returns the changes with the places of their packets, and the object that they name, if they name one. */
export function placed(changes: readonly RecordedChange[]): {
  readonly changes: readonly RunChange[];
  readonly object?: { readonly id: string; readonly bytes: Uint8Array };
} {
  const recorded = changes.flatMap((change) =>
    change.kind === "link" && change.added?.recorded.length ? [change.added] : [],
  );
  const items = asItems(recorded.map(({ number, recorded }) => ({ number, bytes: recorded })));
  const object = new SegmentsObject();
  const place = ({ recorded: bytes, ...added }: RecordedSegment, index: number): SegmentChange => {
    // A reached limit is recorded even if the run adds no packet.
    if (index < 0) return { ...added, segment: { length: 0 } };
    if (!items) return { ...added, segment: object.add(bytes) };
    const deflated = Buffer.from(items[index]!).toString("base64");
    return { ...added, segment: { length: bytes.length }, deflated };
  };
  return {
    changes: changes.map((change): RunChange => {
      if (change.kind === "node") return change;
      const { added, ...rest } = change;
      return added ? { ...rest, added: place(added, recorded.indexOf(added)) } : rest;
    }),
    ...(recorded.length > 0 && !items && { object }),
  };
}
