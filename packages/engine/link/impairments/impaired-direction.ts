/**
 * The impairments of one direction of a link in a run: first what is decided when a packet enters the link, then the way through
 * queue, rate, delay and slots.
 *
 *     five filters -> chain (entry) -> delay of the filter -> path (queue -> rate -> delay -> slots) -> other end
 */
import { makeStream, RandomStream, type StreamState } from "../../base/random.ts";
import { ImpairmentChain, type StagesState, type StreamNames } from "./chain/chain.ts";
import { type PathState, WirePath } from "./path.ts";
import {
  IMPAIRMENT_TYPES,
  type ImpairmentCounts,
  type ImpairmentReport,
  type ImpairmentType,
  makeCounts,
} from "./report.ts";
import { loadPacket, type SavedPacket, type Stage, savePacket } from "./saved-packets.ts";
import { ScheduleCursor } from "./schedule-cursor.ts";
import type { DirectionSettings, Impairments, LinkSettings } from "./settings/direction-settings.ts";
import { PacketPool, type WirePacket, type WireSink } from "./wire-packet.ts";

const TWO_32 = 0x1_0000_0000;
/** Bytes of packets that a direction keeps between two runs; twice as many characters in its state. */
const MAX_KEPT_BYTES = 16_384;

/** State between runs; times are relative to `startUs`. Plain JSON data. */
export interface ImpairedState {
  /** The start of the run that saved it: microseconds since 1970. */
  readonly startUs: number;
  /** When it was saved. */
  readonly atNs: number;
  /** When the impairments were set. */
  readonly zeroNs: number;
  /** As the caller passed it: the state of the schedule belongs to these settings. */
  readonly sinceUs?: number | undefined;
  readonly stages: StagesState;
  readonly path: PathState;
  readonly slots?: StreamState | undefined;
  readonly packets?: readonly SavedPacket[];
}

export interface ImpairedOptions extends StreamNames {
  readonly impairments: Impairments;
  /** The lab's clock when they were set, in microseconds since 1970: the zero of their schedule. Default: now. */
  readonly sinceUs?: number | undefined;
  /** The run's start: microseconds since 1970. */
  readonly startUs: number;
  readonly nowNs: number;
  readonly state?: ImpairedState | undefined;
  readonly sink: WireSink;
}

/** A packet that was on its way at the end of an earlier run. */
export interface Restored {
  readonly packet: WirePacket;
  /** `wire`: arrives at `atNs`; `filter`: enters the path then. */
  readonly stage: "wire" | "filter";
  readonly atNs: number;
}

export class ImpairedDirection {
  /** For callers that know when nothing refers to a packet any more. */
  readonly pool = new PacketPool();
  readonly #names: StreamNames;
  readonly #sink: WireSink;
  readonly #startUs: number;
  #sinceUs: number | undefined;
  #zeroNs: number;
  #cursor: ScheduleCursor;
  readonly #path: WirePath;
  #before: ImpairedState | undefined;
  readonly #slotStream: { current: RandomStream | undefined };
  #stages: StagesState;
  #chain: ImpairmentChain;
  #earlierCounts: readonly ImpairmentCounts[] = [];
  readonly #duplicated = { packets: 0, bytes: 0 };
  readonly #fromBefore = { packets: 0, bytes: 0 };
  readonly #runEnd = makeCounts("run_end");
  #isTouched = false;
  #droppedBy: ImpairmentType | undefined;
  #admitted: WirePacket | undefined;
  #restored: Restored[] = [];
  readonly #kept: SavedPacket[] = [];
  #keptBytes = 0;

  constructor(options: ImpairedOptions) {
    const { impairments, sinceUs, startUs, nowNs, state, sink } = options;
    this.#names = { seed: options.seed, streamName: options.streamName, direction: options.direction };
    this.#sink = sink;
    this.#startUs = startUs;
    this.#sinceUs = sinceUs;
    this.#before = state;
    const originNs = state === undefined ? 0 : (state.startUs - startUs) * 1_000;
    const savedNs = state === undefined ? nowNs : Math.min(nowNs, originNs + state.atNs);
    const isSame = state !== undefined && state.sinceUs === sinceUs;
    this.#zeroNs = isSame
      ? originNs + state.zeroNs
      : sinceUs === undefined
        ? nowNs
        : (sinceUs - startUs) * 1_000;
    this.#cursor = new ScheduleCursor(impairments, this.#zeroNs, savedNs);
    this.#stages = state?.stages ?? {};
    const settings = this.#ofDirection(this.#cursor.settings);
    this.#chain = new ImpairmentChain(settings, this.#cursor.settings.carrier, this.#names, this.#stages);
    this.#slotStream = { current: state?.slots && new RandomStream(state.slots) };
    this.#path = new WirePath({
      settings,
      originNs,
      nowNs: savedNs,
      state: state?.path ?? {},
      drawSlot: () => this.#drawSlot(),
      salt: makeStream(
        options.seed,
        options.streamName,
        options.direction,
        "impairments",
        "flows",
      ).nextUint32(),
      sink,
    });
    for (const saved of state?.packets ?? []) this.#load(saved, originNs);
  }

  /** Whether packets of an earlier run are on their way. */
  get hasRestored(): boolean {
    return this.#fromBefore.packets > 0;
  }

  /** Packets that are on their way from an earlier run; the caller schedules them, once. */
  takeRestored(): Restored[] {
    const restored = this.#restored;
    this.#restored = [];
    return restored;
  }

  /** The time by which `advance` must be called; Infinity if nothing is waiting. */
  get wakeNs(): number {
    const { wakeNs } = this.#path;
    return wakeNs === Number.POSITIVE_INFINITY ? wakeNs : Math.min(wakeNs, this.#cursor.nextNs);
  }

  /** The time of the schedule's next change; Infinity if there is none. */
  get nextChangeNs(): number {
    return this.#cursor.nextNs;
  }

  get settings(): LinkSettings {
    return this.#cursor.settings;
  }

  /** The MTU that the sender at this end sees at `nowNs`, in bytes; Infinity if it sees none. */
  visibleMtu(nowNs: number): number {
    this.#catchUp(nowNs);
    const { carrier, [this.#names.direction]: settings } = this.#cursor.settings;
    const { mtu } = settings;
    return mtu?.larger === "icmp" && carrier === "up" ? mtu.bytes : Number.POSITIVE_INFINITY;
  }

  /**
   * Decides about a packet that enters the link and that the filters let pass.
   * @returns what dropped it; undefined if it passes, with its bytes in `packet.data`. A copy may be in `copy`.
   */
  judge(packet: WirePacket, nowNs: number): ImpairmentType | undefined {
    this.#isTouched = true;
    this.#catchUp(nowNs);
    const droppedBy = this.#chain.judge(packet);
    this.#droppedBy = droppedBy;
    this.#admitted = droppedBy === undefined ? packet : undefined;
    const copy = this.copy ?? this.lostCopy;
    if (copy) add(this.#duplicated, copy);
    return droppedBy;
  }

  /** What dropped the last packet, if an impairment did. */
  get droppedBy(): ImpairmentType | undefined {
    return this.#droppedBy;
  }

  /** The last packet, if it passed. */
  get admitted(): WirePacket | undefined {
    return this.#admitted;
  }

  /** The copy of the packet that was judged last. */
  get copy(): WirePacket | undefined {
    return this.#chain.copy;
  }

  /** Its copy, if an impairment has dropped it. */
  get lostCopy(): WirePacket | undefined {
    return this.#chain.lostCopy;
  }

  /** Counts a packet that a filter has dropped. */
  skip(nowNs: number): void {
    this.#isTouched = true;
    this.#droppedBy = undefined;
    this.#admitted = undefined;
    this.#catchUp(nowNs);
    this.#chain.skip();
  }

  /** A packet that was judged enters the queue, after the delay of the filter. */
  enter(packet: WirePacket, nowNs: number): void {
    this.#catchUp(nowNs);
    this.#path.enter(packet, nowNs);
  }

  /** Handles what happens up to `nowNs`. */
  advance(nowNs: number): void {
    this.#catchUp(nowNs);
    this.#path.advance(nowNs);
  }

  /**
   * Keeps a packet that is on its way at the end of the run for the next one. Packets beyond MAX_KEPT_BYTES are lost, because the
   * state of a link is part of an item of a table.
   */
  keep(packet: WirePacket, stage: Stage, atNs: number): void {
    this.#runEnd.seen += 1;
    if (this.#keptBytes + packet.data.length > MAX_KEPT_BYTES) {
      this.#runEnd.dropped += 1;
      this.#sink.lose(packet, "run_end");
      return;
    }
    this.#keptBytes += packet.data.length;
    this.#kept.push(savePacket({ packet, stage, atNs }));
  }

  /** Replaces the impairments at `nowNs`; what is in queues and streams continues. */
  replace(impairments: Impairments, sinceUs: number | undefined, nowNs: number): void {
    this.advance(nowNs);
    const before = this.#cursor.settings;
    this.#cursor = new ScheduleCursor(impairments, nowNs, nowNs);
    this.#zeroNs = nowNs;
    this.#sinceUs = sinceUs;
    this.#isTouched = true;
    this.#change(before, this.#cursor.settings, nowNs);
  }

  report(): ImpairmentReport {
    return {
      counts: addImpairmentCounts([
        ...this.#earlierCounts,
        ...this.#chain.counts(),
        ...this.#path.counts(),
        ...(this.#runEnd.seen > 0 ? [this.#runEnd] : []),
      ]),
      duplicated: { ...this.#duplicated },
      restored: { ...this.#fromBefore },
      queue: this.#path.report(),
    };
  }

  /** Returns the direction at this moment, with its packets. */
  freeze() {
    return {
      sinceUs: this.#sinceUs,
      zeroNs: this.#zeroNs,
      before: this.#before,
      cursor: this.#cursor.freeze(),
      path: this.#path.freeze(),
      slots: this.#slotStream.current?.saveState(),
      stages: { ...this.#stages, ...this.#chain.saveState() },
      counts: addImpairmentCounts([...this.#earlierCounts, ...this.#chain.counts()]),
      duplicated: this.#duplicated,
      fromBefore: this.#fromBefore,
      runEnd: this.#runEnd,
      isTouched: this.#isTouched,
      restored: this.#restored,
      kept: this.#kept,
      keptBytes: this.#keptBytes,
    };
  }

  /** Continues where the direction was frozen. @param impairments those that it had. */
  thaw(impairments: Impairments, frozen: ReturnType<ImpairedDirection["freeze"]>): void {
    this.#sinceUs = frozen.sinceUs;
    this.#zeroNs = frozen.zeroNs;
    this.#before = frozen.before;
    this.#cursor = ScheduleCursor.thaw(impairments, frozen.cursor);
    const settings = this.#ofDirection(this.#cursor.settings);
    this.#slotStream.current = frozen.slots && new RandomStream(frozen.slots);
    this.#path.thaw(settings, frozen.path);
    this.#stages = frozen.stages;
    this.#chain = new ImpairmentChain(settings, this.#cursor.settings.carrier, this.#names, this.#stages);
    this.#earlierCounts = frozen.counts;
    Object.assign(this.#duplicated, frozen.duplicated);
    Object.assign(this.#fromBefore, frozen.fromBefore);
    Object.assign(this.#runEnd, frozen.runEnd);
    this.#isTouched = frozen.isTouched;
    this.#restored = [...frozen.restored];
    this.#kept.push(...frozen.kept);
    this.#keptBytes = frozen.keptBytes;
  }

  /** Returns the state at `nowNs`, without the packets. */
  saveState(nowNs: number): ImpairedState {
    if (!this.#isTouched && this.#before !== undefined) return this.#before;
    return {
      startUs: this.#startUs,
      atNs: nowNs,
      zeroNs: this.#zeroNs,
      ...(this.#sinceUs !== undefined && { sinceUs: this.#sinceUs }),
      stages: { ...this.#stages, ...this.#chain.saveState() },
      path: this.#path.saveState(0),
      ...(this.#slotStream.current && { slots: this.#slotStream.current.saveState() }),
      ...(this.#kept.length > 0 && { packets: this.#kept }),
    };
  }

  /** Ends the run: the packets that wait become part of the state. */
  end(nowNs: number): void {
    this.advance(nowNs);
    const { queued, gated } = this.#path.takeWaiting();
    for (const packet of queued) this.keep(packet, "queue", nowNs);
    for (const { packet, atNs } of gated) this.keep(packet, "slot", atNs);
  }

  #load(saved: SavedPacket, originNs: number): void {
    const { packet, stage, atNs }: { packet: WirePacket; stage: Stage; atNs: number } = loadPacket(
      saved,
      originNs,
    );
    this.#isTouched = true;
    add(this.#fromBefore, packet);
    if (stage === "queue") this.#path.restoreQueued(packet);
    else if (stage === "slot") this.#path.restoreGated(packet, atNs);
    else this.#restored.push({ packet, stage, atNs });
  }

  /** Makes the changes of the schedule up to `nowNs`, each at its time. */
  #catchUp(nowNs: number): void {
    if (this.#cursor.nextNs > nowNs) return;
    const path = this.#path;
    if (path.wakeNs < this.#cursor.nextNs) path.advance(this.#cursor.nextNs);
    if (path.waiting === 0) {
      const before = this.#cursor.settings;
      const lastNs = this.#cursor.passTo(nowNs);
      if (lastNs !== undefined) this.#change(before, this.#cursor.settings, lastNs);
    }
    while (this.#cursor.nextNs <= nowNs) {
      const { nextNs, settings } = this.#cursor;
      this.#change(settings, this.#cursor.advance(), nextNs);
    }
  }

  #change(before: LinkSettings, after: LinkSettings, atNs: number): void {
    const settings = this.#ofDirection(after);
    if (settings === this.#ofDirection(before) && before.carrier === after.carrier) return;
    this.#isTouched = true;
    this.#stages = { ...this.#stages, ...this.#chain.saveState() };
    this.#earlierCounts = addImpairmentCounts([...this.#earlierCounts, ...this.#chain.counts()]);
    this.#chain = new ImpairmentChain(settings, after.carrier, this.#names, this.#stages);
    this.#path.change(settings, atNs);
    if (after.carrier === "down") this.#path.clear("carrier");
  }

  #ofDirection(settings: LinkSettings): DirectionSettings {
    return settings[this.#names.direction];
  }

  #drawSlot(): number {
    const { seed, streamName, direction } = this.#names;
    const holder = this.#slotStream;
    holder.current ??= makeStream(seed, streamName, direction, "impairments", "slots");
    return holder.current.nextUint32() / TWO_32;
  }
}

function add(amount: { packets: number; bytes: number }, { data }: WirePacket): void {
  amount.packets += 1;
  amount.bytes += data.length;
}

/** Adds up the counts of each type, in the order of the impairments. */
export function addImpairmentCounts(all: readonly ImpairmentCounts[]): ImpairmentCounts[] {
  const sums = new Map<ImpairmentType, ImpairmentCounts>();
  for (const counts of all) {
    const sum = sums.get(counts.type);
    if (sum === undefined) sums.set(counts.type, { ...counts });
    else {
      sum.seen += counts.seen;
      sum.dropped += counts.dropped;
      sum.marked += counts.marked;
      sum.corrupted += counts.corrupted;
      sum.duplicated += counts.duplicated;
      sum.held += counts.held;
    }
  }
  return IMPAIRMENT_TYPES.flatMap((type) => sums.get(type) ?? []);
}
