/** The changes of a commit as plain JSON data, so that a large commit can be written down before its changes are made. */
import type { LinkState, NodeState, PowerStatus } from "@wirelab/engine/simulation/lab";
import type { StoredItem } from "../base/any-item.ts";
import type { LinkDocument } from "../lab/link.ts";
import type { Segment } from "../lab/segment.ts";

export interface NodeChange {
  readonly kind: "node";
  readonly node_id: string;
  readonly status: PowerStatus;
  /** Absent in the changes of a commit whose object of states has it: lab-states.ts. */
  readonly state?: NodeState | undefined;
  /** The node as the run has read it; absent when the state must be in the node's item. */
  readonly before?: { readonly status: PowerStatus; readonly created_us: number } | undefined;
  /** About how many bytes the item has beside what changes, as the run has read it: a write takes units for all of them. */
  readonly rest_bytes?: number | undefined;
  /** Bytes of the state of a Linux node's guest: as the run has read them, and afterwards. Absent when there are none. */
  readonly guestBytes?: { readonly before?: number | undefined; readonly after: number } | undefined;
}

export interface LinkChange {
  readonly kind: "link";
  readonly link_id: string;
  readonly state?: LinkState | undefined;
  /** Present when the run changed filters or suspension. */
  readonly document?: LinkDocument | undefined;
  /** As of a node. */
  readonly rest_bytes?: number | undefined;
  /** The link's revision when it was read: a document that another request changed since is not overwritten. */
  readonly revision: number;
  readonly added?: SegmentChange | undefined;
}

/** The packets that a run adds to the capture that runs on a link. */
export interface SegmentChange {
  readonly capture_id: string;
  /** Its number, which is the number of segments before it. */
  readonly number: number;
  readonly segment: Segment;
  /** The packets of the segment, deflated, as base64, when they are an item: packets.ts. */
  readonly deflated?: string | undefined;
  /** The segments before it that move to a page of their own. */
  readonly page?: readonly Segment[] | undefined;
  /** Packets of the whole capture, this segment included. */
  readonly packets: number;
  readonly bytes: number;
  /** Virtual time of the end of the run, nanoseconds since the epoch. */
  readonly end_ns: string;
  readonly limit_reached: boolean;
}

export type RunChange = NodeChange | LinkChange;

/**
 * Writes a whole item of the project's partition in place of the one that is there, if any. Requests that change the item on condition
 * of its revision require that the revision differs from that of the item before.
 */
export interface PutChange {
  readonly kind: "put";
  readonly sk: string;
  readonly item: StoredItem;
}

/** Deletes an item of the project's partition. */
interface DeleteChange {
  readonly kind: "delete";
  readonly sk: string;
}

/** A commit has at most one change for each item, and none for the project's own. */
export type Change = RunChange | PutChange | DeleteChange;

/** The state of a node after a run. */
export interface NewState {
  readonly id: string;
  readonly created_us: number;
  readonly value: NodeState;
}

/** Returns the states of nodes that a large run stores apart, and what is left of its changes: lab-states.ts. */
export function apartFromStates(changes: readonly RunChange[]): {
  readonly nodes: readonly NewState[];
  readonly left: readonly RunChange[];
} {
  const nodes: NewState[] = [];
  const left = changes.flatMap((change): RunChange[] => {
    if (change.kind === "link" || !change.before || !change.state || change.guestBytes) return [change];
    const { before, state, ...rest } = change;
    nodes.push({ id: change.node_id, created_us: before.created_us, value: state });
    return before.status === change.status ? [] : [rest];
  });
  return { nodes, left };
}

/** Returns the bytes that the changes of a run add to captures. */
export const bytesAddedBy = (changes: readonly RunChange[]): number =>
  changes.reduce(
    (sum, change) => sum + (change.kind === "link" ? (change.added?.segment.length ?? 0) : 0),
    0,
  );

/** Returns the bytes by which the states of guests grow; negative when they shrink. */
export const guestBytesAddedBy = (changes: readonly RunChange[]): number =>
  changes.reduce((sum, change) => {
    const { before = 0, after } = (change.kind === "node" && change.guestBytes) || { after: 0 };
    return sum + after - before;
  }, 0);

/** Returns the approximate size of a change, or several, in an item or a transaction, in bytes; text counts as UTF-8 there. */
export const sizeOf = (change: unknown): number => Buffer.byteLength(JSON.stringify(change));

/** A transaction counts the size of an item that it deletes, too; those of nodes, links and drawings have up to 400 KB, and usually far less. */
const DELETED_BYTES = 270_000;

/** Returns the approximate size of a change in a transaction, in bytes. */
export const weightOf = (change: Change): number =>
  change.kind === "delete" && /^(NODE|LINK|DRAWING)#/.test(change.sk) ? DELETED_BYTES : sizeOf(change);

/** Returns the number of items that a change writes. */
export const itemsOf = (change: Change): number =>
  1 + (hasPage(change) ? 1 : 0) + (hasPackets(change) ? 1 : 0);

const hasPage = (change: Change): boolean => change.kind === "link" && change.added?.page !== undefined;
const hasPackets = (change: Change): boolean =>
  change.kind === "link" && change.added?.deflated !== undefined;
