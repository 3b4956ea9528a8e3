/** What a run changes in the table: plain JSON data, so that a large run's changes can be written down before they are made. */
import type { LinkState, NodeState, PowerStatus } from "../engine/simulation/lab.ts";
import type { LinkDocument } from "./link.ts";
import type { Segment } from "./segment.ts";

export interface NodeChange {
  readonly kind: "node";
  readonly node_id: string;
  readonly status: PowerStatus;
  readonly state: NodeState;
}

export interface LinkChange {
  readonly kind: "link";
  readonly link_id: string;
  readonly state?: LinkState | undefined;
  /** When the run changed filters or suspension. */
  readonly document?: LinkDocument | undefined;
  /** Of the link when it was read: a document that somebody changed since is not overwritten. */
  readonly revision: number;
  readonly added?: SegmentChange | undefined;
}

/** What a run adds to the capture that runs on a link. */
export interface SegmentChange {
  readonly capture_id: string;
  /** Its number: how many segments there were before. */
  readonly number: number;
  readonly segment: Segment;
  /** The segments before it that become a page of their own. */
  readonly page?: readonly Segment[] | undefined;
  /** Of the whole capture, this segment included. */
  readonly packets: number;
  readonly bytes: number;
  /** Virtual time of the end of the run, nanoseconds since the epoch. */
  readonly end_ns: string;
  readonly limit_reached: boolean;
}

export type RunChange = NodeChange | LinkChange;

/** What the captures grow by, in bytes. */
export const bytesAddedBy = (changes: readonly RunChange[]): number =>
  changes.reduce(
    (sum, change) => sum + (change.kind === "link" ? (change.added?.segment.length ?? 0) : 0),
    0,
  );

/** What a change, or several, take of an item or a transaction, nearly: text counts as UTF-8 there. */
export const sizeOf = (change: unknown): number => Buffer.byteLength(JSON.stringify(change));

/** Items that a change writes. */
export const itemsOf = (change: RunChange): number => (change.kind === "link" && change.added?.page ? 2 : 1);
