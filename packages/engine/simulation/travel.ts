/**
 * Frames on links with impairments: their events in a run.
 *
 *     enter -> [filter's delay: entry event] -> path (wake events) -> flight -> land
 */
import { MAX_RUN_NS } from "../base/time.ts";
import type { WirePacket, WireSink } from "../link/impairments/index.ts";
import type { Action } from "./actions.ts";
import type { Digest } from "./digest.ts";
import { Flight } from "./flight.ts";
import type { LinkLine } from "./link-line.ts";
import type { Observer } from "./observer.ts";
import type { RunBudget } from "./run-budget.ts";
import type { SimLink } from "./sim-link.ts";
import type { SimNode } from "./sim-node.ts";
import type { Task } from "./timer-event.ts";
import type { Trail } from "./trail.ts";

/** A packet enters the queue of a line, or without a packet, the line has something to do. */
export interface WireEvent {
  readonly kind: "wire";
  readonly line: LinkLine;
  readonly packet: WirePacket | undefined;
  readonly atNs: number;
}

export interface TravelRun {
  readonly nowNs: () => number;
  readonly node: (id: string) => SimNode | undefined;
  readonly digest: Digest;
  readonly budget: RunBudget;
  readonly observer: Observer | undefined;
  /** Plans a task that does not keep the run going. */
  readonly planQuietly: (atNs: number, task: Task) => void;
  /** Plans an event that keeps the run going. */
  readonly plan: (atNs: number, event: Flight | WireEvent) => void;
}

/** What the run knows about a packet. */
interface Tag {
  readonly trail: Trail | undefined;
  readonly isBroadcastCopy: boolean;
}

const NO_TAG: Tag = { trail: undefined, isBroadcastCopy: false };

export class Travel {
  readonly #run: TravelRun;

  constructor(run: TravelRun) {
    this.#run = run;
  }

  /** Sends on the frame that has entered the line, and its copy. */
  begin(line: LinkLine, trail: Trail | undefined, isBroadcastCopy: boolean): void {
    const tag: Tag = { trail, isBroadcastCopy };
    const atNs = this.#run.nowNs() + line.heldNs;
    for (const packet of [line.admitted, line.impaired?.copy]) {
      if (packet === undefined) continue;
      packet.tag = tag;
      this.#run.budget.board(packet.data, true);
      if (line.heldNs === 0) line.impaired?.enter(packet, atNs);
      else this.#run.plan(atNs, { kind: "wire", line, packet, atNs });
    }
    this.wake(line);
  }

  happen({ line, packet, atNs }: WireEvent): void {
    if (packet) line.impaired?.enter(packet, atNs);
    // A wake event that another has replaced does nothing.
    else if (atNs === line.wakePlannedNs) {
      line.wakePlannedNs = Number.POSITIVE_INFINITY;
      line.impaired?.advance(atNs);
    }
    this.wake(line);
  }

  /** Plans the time at which the line has something to do. */
  wake(line: LinkLine): void {
    const wakeNs = line.impaired?.wakeNs ?? Number.POSITIVE_INFINITY;
    if (wakeNs >= line.wakePlannedNs || wakeNs > MAX_RUN_NS) return;
    const atNs = Math.max(wakeNs, this.#run.nowNs());
    line.wakePlannedNs = atNs;
    this.#run.plan(atNs, { kind: "wire", line, packet: undefined, atNs });
  }

  sinkOf(line: LinkLine): WireSink {
    const { nowNs, digest, budget, observer, plan } = this.#run;
    return {
      send(packet, sentNs) {
        const atNs = Math.max(sentNs, nowNs());
        const handledNs = atNs + line.processingNs;
        if (handledNs > MAX_RUN_NS) return;
        const { trail, isBroadcastCopy } = (packet.tag ?? NO_TAG) as Tag;
        line.mark(atNs, digest);
        const delayNs = atNs - packet.enteredNs;
        plan(handledNs, new Flight(packet.data, line, handledNs, delayNs, trail, isBroadcastCopy, packet));
      },
      lose(packet, droppedBy) {
        line.lose(packet);
        budget.lose(packet.data);
        observer?.lost?.({ line, atNs: nowNs(), frame: packet.admitted, droppedBy });
      },
    };
  }

  /** An action that goes on with the packets that were on the line at the end of the run before. */
  restoring(line: LinkLine): Action {
    this.#run.budget.restore(line.impaired?.report().restored.bytes ?? 0);
    return { kind: "restore", line, nodes: line.peer ? [line.peer.nodeId] : [], links: [line.link.id] };
  }

  restore(line: LinkLine): void {
    const { peer } = line;
    line.connect(peer && this.#run.node(peer.nodeId));
    const nowNs = this.#run.nowNs();
    for (const { packet, stage, atNs } of line.impaired?.takeRestored() ?? []) {
      const laterNs = Math.max(atNs, nowNs);
      if (stage === "wire") this.sinkOf(line).send(packet, laterNs);
      else this.#run.plan(laterNs, { kind: "wire", line, packet, atNs: laterNs });
    }
    line.impaired?.advance(nowNs);
    this.wake(line);
  }

  reportCarrier(link: SimLink): void {
    const isUp = link.hasCarrier;
    for (const { nodeId, port } of link.ends) this.#run.node(nodeId)?.linkChanged(port, isUp, link.suspended);
    const atNs = link.losesCarrier
      ? (link.aToB.impaired?.nextChangeNs ?? Number.POSITIVE_INFINITY)
      : undefined;
    if (atNs === undefined || atNs >= link.carrierPlannedNs || atNs > MAX_RUN_NS) return;
    link.carrierPlannedNs = atNs;
    this.#run.planQuietly(atNs, { kind: "carrier", linkId: link.id, atNs });
  }

  /** The carrier of the link was to change at `atNs`. A check that an earlier one has replaced does nothing. */
  checkCarrier(link: SimLink, atNs: number): void {
    if (link.carrierPlannedNs !== atNs) return;
    link.carrierPlannedNs = Number.POSITIVE_INFINITY;
    this.reportCarrier(link);
  }

  /** Saves the packets that wait at the end of the run. */
  end(link: SimLink, endNs: number): void {
    for (const { impaired } of [link.aToB, link.bToA]) impaired?.end(endNs);
  }
}
