/**
 * Sends the frames of a capture through one link direction, in virtual time.
 *
 *     first frame                    frame at offset t                         end of its delay
 *     0 ----------------------------- t --- filter chain --- held delayNs ------ t + delayNs ---> delivered
 *
 * Frames enter in order of their offset from the first frame and leave in order of delivery. Both orders are stable: frames due
 * at the same nanosecond keep their order. Equal inputs give equal results, to the byte.
 */

import { SlotQueue } from "../base/slot-queue.ts";
import { type EpochTime, MAX_RUN_NS, NS_PER_MS, NS_PER_SECOND } from "../base/time.ts";
import type { CaptureTap } from "./capture-tap.ts";
import { DelayDistribution } from "./delay-distribution.ts";
import { DelayHistogram } from "./delay-histogram.ts";
import type { DelaySummary, DirectionReport } from "./direction-report.ts";
import type { ChainOptions, ChainState, FilterCounts } from "./filters/chain.ts";
import type { Passage } from "./filters/link-filter.ts";
import type { FilterSettings } from "./filters/settings.ts";
import type { ImpairedOptions, ImpairedState, ImpairmentReport, WirePacket } from "./impairments/index.ts";
import { WireRun, type WireRunOptions } from "./impairments/wire-run.ts";
import { LinkDirection } from "./link-direction.ts";

/** A frame to send: its time determines when it enters, `data` holds its captured bytes. */
export interface ReplayFrame extends EpochTime {
  data: Uint8Array;
  /** Length on the wire, in bytes. */
  originalLength: number;
}

/** A frame that arrived. */
export interface DeliveredFrame {
  /** Delivery time: integer nanoseconds from the run's start. */
  deliveryNs: number;
  /** The bytes that arrived: the frame's own array, or a copy if it was corrupted. */
  data: Uint8Array;
  originalLength: number;
  /** Index of the frame in the input, from 0. */
  frameIndex: number;
}

/**
 * Stores frames between entry and delivery, each in a slot. A slot is a small number, so that the queue holds no object per
 * frame. If the store copies the bytes, the caller of `enter` may reuse its array at once.
 */
export interface FrameStore {
  /** Stores a frame and returns its slot. */
  put(data: Uint8Array, originalLength: number, frameIndex: number): number;
  /** Returns a frame and frees its slot; the store may reuse the returned object at the next `put` or `take`. */
  take(slot: number, deliveryNs: number): DeliveredFrame;
}

/** in = delivered + dropped; corrupted packets count as delivered too. */
export interface TrafficCounts {
  in: number;
  delivered: number;
  dropped: number;
  corrupted: number;
}

export interface ReplayReport {
  packets: TrafficCounts;
  /** Captured bytes: fewer than on the wire if the capture truncated frames. */
  bytes: TrafficCounts;
  /** The active filters, in chain order. */
  filters: readonly FilterCounts[];
  /** Delays of the delivered packets in milliseconds; null if none was delivered. */
  delayMs: DelaySummary | null;
  /** From the run's start to its last event, in nanoseconds. */
  spanNs: number;
  /** Absent without impairments. */
  impairments?: ImpairmentReport;
}

export interface ReplayOptions extends ChainOptions {
  /** Act after the filters; `nowNs` is 0. */
  impairments?: Pick<ImpairedOptions, "impairments" | "sinceUs" | "startUs" | "state"> | undefined;
  /** Records the packets. */
  tap?: CaptureTap | undefined;
}

export interface ReplayResult {
  delivered: DeliveredFrame[];
  report: ReplayReport;
  /** Positions of the filters, for the next run of this direction. */
  state: ChainState;
}

/** The run would exceed the longest time that can be counted exactly (104 days). */
export class ReplayError extends Error {
  override readonly name = "ReplayError";
  readonly code = "replay.span-too-long";
  /** The frame at fault, counted from 0. */
  readonly frameIndex: number;

  constructor(frameIndex: number) {
    super(`replay: frame ${frameIndex} lies more than 104 days after the first`);
    this.frameIndex = frameIndex;
  }
}

/**
 * A replay that accepts frame by frame, for captures too large for memory. Its memory grows only with the frames in flight.
 * Calls `deliver` in order, each time before any later frame enters. By default it keeps references to the arrays of the
 * frames in flight.
 */
export class LinkReplay {
  readonly #direction: LinkDirection;
  readonly #deliver: (frame: DeliveredFrame) => void;
  /** The slots of the frames in flight, by delivery time. */
  readonly #inFlight = new SlotQueue();
  readonly #store: FrameStore;
  /** The delays of the frames in flight, by slot. */
  readonly #delaysNs: number[] = [];
  readonly #passage: Passage = { data: new Uint8Array(0), wireLength: 0, delayNs: 0 };
  readonly #wire: WireRun | undefined;
  readonly #copies: boolean;
  #first: EpochTime | undefined;
  #spanNs = 0;

  constructor(
    options: ReplayOptions,
    deliver: (frame: DeliveredFrame) => void,
    store: FrameStore = new FrameReferences(),
  ) {
    const delays = options.impairments ? new DelayHistogram() : makeDelayDistribution(options.settings);
    this.#direction = new LinkDirection(options, delays, options.tap);
    this.#deliver = deliver;
    this.#store = store;
    this.#copies = !(store instanceof FrameReferences);
    this.#wire =
      options.impairments && this.#makeWire({ ...options, state: undefined, ...options.impairments });
  }

  /**
   * Enters the next frame, after delivering all frames due by then. A frame with an earlier time than its predecessor (out of
   * order in its file) enters at the predecessor's time. Throws a ReplayError.
   */
  enter(frame: ReplayFrame, frameIndex = this.#direction.enteredPackets): void {
    this.#first ??= { seconds: frame.seconds, nanoseconds: frame.nanoseconds };
    const offsetNs = offsetFrom(this.#first, frame);
    if (offsetNs > MAX_RUN_NS) throw new ReplayError(frameIndex);
    if (this.#wire !== undefined) {
      this.#enterImpaired(this.#wire, frame, frameIndex, offsetNs);
      return;
    }
    const entryNs = Math.max(offsetNs, this.#inFlight.nowNs);
    this.#deliverUntil(entryNs, Number.POSITIVE_INFINITY);
    this.#inFlight.advanceTo(entryNs);
    this.#admit(frame, frameIndex, entryNs);
  }

  /**
   * Delivers up to `limit` of the frames that `enter` would deliver before `next`, or `finish` at the end; returns false if
   * there are more. For callers that cannot accept all frames due after a pause at once.
   */
  deliverSome(limit: number, next?: EpochTime): boolean {
    if (this.#first === undefined) return true;
    const untilNs = next === undefined ? Number.POSITIVE_INFINITY : offsetFrom(this.#first, next);
    return this.#wire ? this.#wire.runSome(untilNs, limit) : this.#deliverUntil(untilNs, limit);
  }

  /** Delivers the frames still in flight and returns the report. No frame may enter afterwards. */
  finish(): ReplayReport {
    this.deliverSome(Number.POSITIVE_INFINITY);
    const report = this.#direction.report();
    const { filters, delayMs, impairments } = report;
    return {
      packets: countsOf(report, "packets"),
      bytes: countsOf(report, "bytes"),
      filters,
      delayMs,
      spanNs: this.#spanNs,
      ...(impairments && { impairments }),
    };
  }

  /** Returns the state of the impairments after `finish`; undefined without any. */
  saveImpairments(): ImpairedState | undefined {
    return this.#wire?.direction.saveState(this.#spanNs);
  }

  /** Returns the positions of the filters; plain JSON data. */
  saveState(): ChainState {
    return this.#direction.saveState();
  }

  #admit(frame: ReplayFrame, frameIndex: number, entryNs: number): void {
    const passage = this.#passage;
    passage.data = frame.data;
    passage.wireLength = frame.originalLength;
    passage.delayNs = 0;
    this.#spanNs = Math.max(this.#spanNs, entryNs);
    if (this.#direction.admit(passage, entryNs)) this.#send(frame.originalLength, frameIndex, entryNs);
  }

  #enterImpaired(wire: WireRun, frame: ReplayFrame, frameIndex: number, offsetNs: number): void {
    const entryNs = Math.max(offsetNs, this.#inFlight.nowNs);
    wire.runUntil(entryNs);
    this.#inFlight.advanceTo(entryNs);
    const passage = this.#passage;
    passage.data = frame.data;
    passage.wireLength = frame.originalLength;
    passage.delayNs = 0;
    this.#spanNs = Math.max(this.#spanNs, entryNs);
    this.#direction.admit(passage, entryNs);
    this.#board(wire, frameIndex, entryNs);
  }

  /** Passes the packet, and its copy, to the impairments. */
  #board(wire: WireRun, frameIndex: number, entryNs: number): void {
    const { admitted } = this.#direction;
    const { copy } = wire.direction;
    const { delayNs } = this.#passage;
    if (admitted) this.#boardOne(wire, admitted, frameIndex, entryNs, delayNs);
    if (copy) this.#boardOne(wire, copy, frameIndex, entryNs, delayNs);
  }

  #boardOne(wire: WireRun, packet: WirePacket, frameIndex: number, entryNs: number, delayNs: number): void {
    packet.tag = frameIndex;
    // The caller may reuse the array of the frame.
    if (this.#copies) packet.data = packet.data.slice();
    wire.board(packet, entryNs, delayNs);
  }

  #makeWire(options: Omit<WireRunOptions, "nowNs" | "deliver" | "lose">): WireRun {
    const wire = new WireRun({
      ...options,
      nowNs: 0,
      deliver: (packet, deliveryNs) => {
        const { data, wireLength, enteredNs } = packet;
        if (deliveryNs > MAX_RUN_NS) throw new ReplayError(packet.tag as number);
        const arrival = {
          deliveryNs,
          data,
          originalLength: wireLength,
          frameIndex: packet.tag as number,
        };
        this.#handOver(arrival, deliveryNs - enteredNs);
      },
      lose: (packet) => this.#direction.lose(packet),
    });
    this.#direction.impair(wire.direction);
    return wire;
  }

  /** Schedules the delivery of a frame that passed the filters. */
  #send(originalLength: number, frameIndex: number, entryNs: number): void {
    const { data, delayNs } = this.#passage;
    const deliveryNs = entryNs + delayNs;
    if (deliveryNs > MAX_RUN_NS) throw new ReplayError(frameIndex);
    // All frames due by now have been delivered, so a frame without delay is next.
    if (delayNs === 0) this.#handOver({ deliveryNs, data, originalLength, frameIndex }, 0);
    else {
      const slot = this.#store.put(data, originalLength, frameIndex);
      this.#delaysNs[slot] = delayNs;
      this.#inFlight.push(deliveryNs, slot);
    }
  }

  /** Delivers at most `limit` frames; returns false if more are due. */
  #deliverUntil(timeNs: number, limit: number): boolean {
    const queue = this.#inFlight;
    for (let left = limit; queue.size > 0 && queue.nextTimeNs <= timeNs; left -= 1) {
      if (left === 0) return false;
      const slot = queue.pop() as number;
      this.#handOver(this.#store.take(slot, queue.nowNs), this.#delaysNs[slot] as number);
    }
    return true;
  }

  #handOver(arrival: DeliveredFrame, delayNs: number): void {
    const { data, originalLength, deliveryNs } = arrival;
    this.#direction.deliver(data, originalLength, delayNs, deliveryNs);
    this.#spanNs = Math.max(this.#spanNs, deliveryNs);
    this.#deliver(arrival);
  }
}

const NO_BYTES = new Uint8Array(0);

/** Keeps references to the frames' arrays. */
class FrameReferences implements FrameStore {
  readonly #data: Uint8Array[] = [];
  readonly #originalLengths: number[] = [];
  readonly #frameIndexes: number[] = [];
  readonly #free: number[] = [];

  put(data: Uint8Array, originalLength: number, frameIndex: number): number {
    const slot = this.#free.pop() ?? this.#data.length;
    this.#data[slot] = data;
    this.#originalLengths[slot] = originalLength;
    this.#frameIndexes[slot] = frameIndex;
    return slot;
  }

  take(slot: number, deliveryNs: number): DeliveredFrame {
    const data = this.#data[slot] as Uint8Array;
    this.#data[slot] = NO_BYTES;
    this.#free.push(slot);
    return {
      deliveryNs,
      data,
      originalLength: this.#originalLengths[slot] as number,
      frameIndex: this.#frameIndexes[slot] as number,
    };
  }
}

/** Returns the counts of a direction without packets in flight. */
const countsOf = (report: DirectionReport, unit: "packets" | "bytes"): TrafficCounts => ({
  in: report.entered[unit],
  delivered: report.delivered[unit],
  dropped: report.dropped[unit],
  corrupted: report.corrupted[unit],
});

/** Replays frames in memory, given in any order; each enters at its offset from the first. Throws a ReplayError. */
export function replayThroughLink(options: ReplayOptions & { frames: readonly ReplayFrame[] }): ReplayResult {
  const { frames } = options;
  const delivered: DeliveredFrame[] = [];
  const replay = new LinkReplay(options, (frame) => delivered.push(frame));
  for (const index of entryOrder(frames)) replay.enter(frames[index] as ReplayFrame, index);
  const report = replay.finish();
  return { delivered, report, state: replay.saveState() };
}

/** Returns the nanoseconds from `first` to `frame`, 0 if `frame` is earlier; exact up to MAX_RUN_NS. */
function offsetFrom(first: EpochTime, frame: EpochTime): number {
  const offsetNs = (frame.seconds - first.seconds) * NS_PER_SECOND + (frame.nanoseconds - first.nanoseconds);
  return Math.max(0, offsetNs);
}

/** Returns the indexes of the frames in order of entry: the input order, unless some are out of order. */
function entryOrder(frames: readonly ReplayFrame[]): Iterable<number> {
  const first = frames[0];
  if (first === undefined) return [];
  const offsets = new Float64Array(frames.length);
  let inOrder = true;
  for (let index = 1; index < frames.length; index++) {
    offsets[index] = offsetFrom(first, frames[index] as ReplayFrame);
    if ((offsets[index] as number) < (offsets[index - 1] as number)) inOrder = false;
  }
  if (inOrder) return frames.keys();
  return [...frames.keys()].sort((a, b) => (offsets[a] as number) - (offsets[b] as number) || a - b);
}

function makeDelayDistribution({ delay = [0] }: FilterSettings): DelayDistribution {
  const [latencyMs, jitterMs = 0] = delay;
  return new DelayDistribution(
    Math.max(0, latencyMs - jitterMs) * NS_PER_MS,
    (latencyMs + jitterMs) * NS_PER_MS,
  );
}
