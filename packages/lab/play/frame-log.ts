/** Everything that the frames of a run did, in order. For the explanation of a failure, captures and traces: it keeps all frames. */

import type { DropReason } from "@wirelab/engine/link/link-direction";
import type { LinkLine } from "@wirelab/engine/simulation/link-line";
import type { Arrival, Discard, Entry, Loss, Observer } from "@wirelab/engine/simulation/observer";

/** A frame that a node sent into a link, and what became of it there. */
export interface LoggedFrame {
  readonly link: string;
  readonly from: string;
  readonly to: string;
  readonly fromPort: number;
  readonly toPort: number;
  readonly enteredNs: number;
  readonly frame: Uint8Array;
  /** The frame that arrives: other bytes than `frame` if it was corrupted. */
  readonly passed: Uint8Array;
  droppedBy: DropReason | undefined;
  /** Undefined if it was dropped or is still on the link when the run ends. */
  arrivedNs: number | undefined;
  /** Why the node at the other end discarded it. */
  discardedFor: string | undefined;
  /** The position in the log of the frame that the sender was handling; undefined if it sent this one by itself. */
  readonly cause: number | undefined;
}

/** A packet that a node discarded when it was handling no frame, for example because a neighbour did not answer. */
export interface LateDiscard {
  readonly node: string;
  readonly atNs: number;
  readonly reason: string;
}

export class FrameLog implements Observer {
  readonly frames: LoggedFrame[] = [];
  readonly lateDiscards: LateDiscard[] = [];
  /** Positions of the frames on each line, first in first out by bytes. */
  readonly #onLine = new Map<LinkLine, number[]>();
  /** The frame that arrived last, with the node that handles it. */
  #handled: { readonly node: string; readonly atNs: number; readonly index: number } | undefined;

  entered({ line, atNs, frame, droppedBy, passed }: Entry): void {
    const { link, peer, targetPort } = line;
    const source = link.ends.find((end) => end !== peer)!;
    const index = this.frames.length;
    this.frames.push({
      link: link.id,
      from: source.nodeId,
      fromPort: source.port,
      to: peer?.nodeId ?? "",
      toPort: targetPort,
      enteredNs: atNs,
      frame,
      passed,
      droppedBy,
      arrivedNs: undefined,
      discardedFor: undefined,
      cause: this.#causeAt(source.nodeId, atNs),
    });
    if (droppedBy !== undefined) return;
    const waiting = this.#onLine.get(line) ?? [];
    waiting.push(index);
    this.#onLine.set(line, waiting);
  }

  arrived({ line, atNs, passed }: Arrival): void {
    const waiting = this.#onLine.get(line) ?? [];
    const at = waiting.findIndex((index) => this.frames[index]!.passed === passed);
    const index = waiting[at];
    // Sent before the log began: what its receiver sends has no cause here.
    this.#handled = undefined;
    if (index === undefined) return;
    waiting.splice(at, 1);
    this.frames[index]!.arrivedNs = atNs;
    const node = line.peer?.nodeId;
    this.#handled = node === undefined ? undefined : { node, atNs: atNs + line.processingNs, index };
  }

  lost({ line, frame, droppedBy }: Loss): void {
    const waiting = this.#onLine.get(line) ?? [];
    const at = waiting.findIndex((index) => this.frames[index]!.passed === frame);
    const index = waiting[at];
    if (index === undefined) return;
    waiting.splice(at, 1);
    this.frames[index]!.droppedBy = droppedBy;
  }

  discarded({ node, atNs, frame, reason }: Discard): void {
    const cause = frame === undefined ? undefined : this.#causeAt(node.id, atNs);
    if (cause === undefined) this.lateDiscards.push({ node: node.id, atNs, reason });
    else this.frames[cause]!.discardedFor = reason;
  }

  /** What a node sends at the moment at which it handles a frame follows from that frame. */
  #causeAt(node: string, atNs: number): number | undefined {
    const handled = this.#handled;
    return handled?.node === node && handled.atNs === atNs ? handled.index : undefined;
  }
}
