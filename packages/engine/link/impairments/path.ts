/**
 * The way of a packet that the impairments let pass:
 *
 *     queue (discipline) -> rate or token bucket -> delay -> slots -> other end
 *
 * A state machine in virtual time. It needs no event for each packet: it handles what happened up to a time when it is called, and
 * `wakeNs` is the latest time by which it must be called again. A packet leaves the queue at the nanosecond at which the last
 * bit of the one before has left.
 */
import { markCongestion } from "./ecn.ts";
import { Histogram } from "./histogram.ts";
import type { Casualties, Discipline } from "./queue/discipline.ts";
import { type DisciplineState, makeDiscipline } from "./queue/make-discipline.ts";
import { type ImpairmentCounts, type ImpairmentType, makeCounts, type QueueReport } from "./report.ts";
import { makeServer } from "./server/make-server.ts";
import { bytesOnWire, type Server, type ServerState } from "./server/server.ts";
import type { DirectionSettings, Queue } from "./settings/direction-settings.ts";
import { DIRECTION_FIELDS } from "./settings/fields.ts";
import { SlotGate, type SlotState } from "./slot-gate.ts";
import { WaitingLine } from "./waiting-line.ts";
import type { WirePacket, WireSink } from "./wire-packet.ts";

const NS_PER_MS = 1_000_000;
const DEFAULT_QUEUE = Object.fromEntries(
  Object.entries(DIRECTION_FIELDS.queue?.kind === "group" ? DIRECTION_FIELDS.queue.fields : {}).map(
    ([name, field]) => [name, "otherwise" in field ? field.otherwise : undefined],
  ),
) as unknown as Queue;

/** Times are relative to a moment that the caller knows. Plain JSON data without the packets. */
export interface PathState {
  readonly server?: ServerState | undefined;
  readonly queue?: DisciplineState | undefined;
  readonly slots?: SlotState | undefined;
  /** The arrival of the last packet, for `keep_order`. */
  readonly lastArrivalNs?: number | undefined;
}

export interface PathOptions {
  readonly settings: DirectionSettings;
  /** The moment that state and traces are relative to. */
  readonly originNs: number;
  readonly nowNs: number;
  readonly state: PathState;
  /** Draws the time between two slots, uniform over [0, 1). */
  readonly drawSlot: () => number;
  /** A number that the hash of each flow includes. */
  readonly salt: number;
  readonly sink: WireSink;
}

export class WirePath {
  readonly #sink: WireSink;
  readonly #options: Pick<PathOptions, "drawSlot" | "salt">;
  #settings: DirectionSettings;
  #discipline: Discipline | undefined;
  #server: Server | undefined;
  #slots: SlotGate | undefined;
  /** Packets that have left the delay late enough for a slot. */
  readonly #gate = new WaitingLine<WirePacket>();
  #clockNs: number;
  #lastArrivalNs: number;
  readonly #lengths = new Histogram();
  readonly #bytes = new Histogram();
  readonly #sojourns = new Histogram();
  readonly #counts = new Map<ImpairmentType, ImpairmentCounts>();
  #hadQueue = false;

  constructor({ settings, state, ...options }: PathOptions) {
    this.#options = options;
    this.#sink = options.sink;
    this.#clockNs = options.nowNs;
    this.#lastArrivalNs = (state.lastArrivalNs ?? Number.NEGATIVE_INFINITY) + options.originNs;
    this.#settings = settings;
    this.#build(settings, state, options.originNs, options.nowNs);
  }

  /** The time by which `advance` must be called; Infinity if nothing is waiting. */
  get wakeNs(): number {
    const queued = this.#discipline && this.#discipline.length > 0;
    const served = queued && this.#server ? this.#server.readyNs : Number.POSITIVE_INFINITY;
    return Math.min(served, this.#gate.nextTimeNs);
  }

  /** Packets that wait in the queue or for a slot. */
  get waiting(): number {
    return (this.#discipline?.length ?? 0) + this.#gate.size;
  }

  /** A packet enters, not before the last call. */
  enter(packet: WirePacket, nowNs: number): void {
    this.advance(nowNs);
    const discipline = this.#discipline;
    if (discipline === undefined) {
      this.#leave(packet, nowNs);
      return;
    }
    this.#lengths.add(discipline.length);
    this.#bytes.add(discipline.bytes);
    discipline.enqueue(packet, nowNs);
    this.#serve(nowNs);
  }

  /** Handles everything that happens up to `nowNs`. */
  advance(nowNs: number): void {
    this.#serve(nowNs);
    if (this.#gate.nextTimeNs <= nowNs) this.#openSlots(nowNs);
    this.#clockNs = nowNs;
  }

  /** Changes the settings at `nowNs`; packets in the queue stay, if there is still a rate. */
  change(settings: DirectionSettings, nowNs: number): void {
    this.advance(nowNs);
    const state = this.saveState(nowNs);
    const server = this.#settings.rate === settings.rate ? this.#server : undefined;
    const isQueueChanged =
      this.#settings.queue !== settings.queue ||
      (this.#settings.rate === undefined) !== (settings.rate === undefined);
    const waiting = isQueueChanged ? (this.#discipline?.drain() ?? []) : [];
    const kept = isQueueChanged ? undefined : this.#discipline;
    this.#settings = settings;
    this.#build(
      settings,
      { ...state, ...(server === undefined && { server: restarted(state.server) }) },
      nowNs,
      nowNs,
    );
    if (kept) this.#discipline = kept;
    if (server) this.#server = server;
    for (const packet of waiting) this.#restore(packet, nowNs);
    this.advance(nowNs);
  }

  /** Takes out the packets in the queue, all of them lost. */
  clear(reason: ImpairmentType): void {
    for (const packet of this.#discipline?.drain() ?? []) this.#casualties.lose(packet, reason);
  }

  /** Ends the path: takes out the packets in the queue, and those that wait for a slot with the time of their arrival there. */
  takeWaiting(): { queued: WirePacket[]; gated: { packet: WirePacket; atNs: number }[] } {
    const queued = this.#discipline?.drain() ?? [];
    const gated: { packet: WirePacket; atNs: number }[] = [];
    for (let packet = this.#gate.pop(); packet; packet = this.#gate.pop())
      gated.push({ packet, atNs: this.#gate.nowNs });
    return { queued, gated };
  }

  /** Puts a packet back into the queue in which it was at the end of an earlier run. */
  restoreQueued(packet: WirePacket): void {
    this.#restore(packet, this.#clockNs);
  }

  /** Puts back a packet that waited for a slot. */
  restoreGated(packet: WirePacket, atNs: number): void {
    if (this.#slots === undefined) this.#sink.send(packet, atNs);
    else this.#gate.push(atNs, packet);
  }

  counts(): ImpairmentCounts[] {
    return [...this.#counts.values()].map((counts) => ({ ...counts }));
  }

  report(): QueueReport | undefined {
    if (!this.#hadQueue) return undefined;
    return {
      packets: this.#discipline?.length ?? 0,
      bytes: this.#discipline?.bytes ?? 0,
      lengthPackets: this.#lengths.percentiles(),
      lengthBytes: this.#bytes.percentiles(),
      sojournMs: this.#sojourns.percentiles(NS_PER_MS),
    };
  }

  /** Returns the state, with times relative to `originNs`. */
  saveState(originNs: number): PathState {
    const { queue = DEFAULT_QUEUE } = this.#settings;
    const discipline = this.#discipline?.saveState(originNs);
    const slots = this.#slots?.saveState(originNs);
    return {
      ...(this.#server && { server: this.#server.saveState(originNs) }),
      ...(discipline !== undefined && { queue: { discipline: queue.discipline, state: discipline } }),
      ...(slots && { slots }),
      ...(Number.isFinite(this.#lastArrivalNs) && { lastArrivalNs: this.#lastArrivalNs - originNs }),
    };
  }

  freeze() {
    return {
      state: this.saveState(0),
      queue: this.#discipline?.freeze(),
      gate: this.#gate.freeze(),
      clockNs: this.#clockNs,
      lengths: this.#lengths.freeze(),
      bytes: this.#bytes.freeze(),
      sojourns: this.#sojourns.freeze(),
      counts: this.counts(),
      hadQueue: this.#hadQueue,
    };
  }

  thaw(settings: DirectionSettings, frozen: ReturnType<WirePath["freeze"]>): void {
    this.#settings = settings;
    this.#clockNs = frozen.clockNs;
    this.#lastArrivalNs = frozen.state.lastArrivalNs ?? Number.NEGATIVE_INFINITY;
    this.#build(settings, frozen.state, 0, frozen.clockNs);
    this.#discipline?.thaw(frozen.queue);
    this.#gate.thaw(frozen.gate);
    this.#lengths.thaw(frozen.lengths);
    this.#bytes.thaw(frozen.bytes);
    this.#sojourns.thaw(frozen.sojourns);
    for (const counts of frozen.counts) this.#counts.set(counts.type, { ...counts });
    this.#hadQueue = frozen.hadQueue;
  }

  #build(settings: DirectionSettings, state: PathState, originNs: number, nowNs: number): void {
    const { rate, queue = DEFAULT_QUEUE, slots } = settings;
    const { drawSlot, salt } = this.#options;
    this.#server = rate && makeServer(rate, originNs, state.server, nowNs);
    this.#discipline = rate && makeDiscipline(queue, rate, this.#casualties, state.queue, originNs, salt);
    this.#slots = slots && new SlotGate(slots, drawSlot, state.slots, originNs);
    this.#hadQueue ||= rate !== undefined;
  }

  readonly #casualties: Casualties = {
    lose: (packet, reason) => {
      this.#countsOf(reason).dropped += 1;
      this.#sink.lose(packet, reason);
    },
    mark: (packet, reason) => {
      const marked = markCongestion(packet.data);
      if (marked === undefined) return false;
      packet.data = marked;
      this.#countsOf(reason).marked += 1;
      return true;
    },
  };

  #countsOf(reason: ImpairmentType): ImpairmentCounts {
    const counts = this.#counts.get(reason) ?? makeCounts(reason);
    this.#counts.set(reason, counts);
    return counts;
  }

  /** Puts a packet into the queue that has joined it before. */
  #restore(packet: WirePacket, nowNs: number): void {
    if (this.#discipline === undefined) {
      this.#leave(packet, nowNs);
      return;
    }
    const { queuedNs } = packet;
    this.#discipline.enqueue(packet, nowNs);
    packet.queuedNs = queuedNs;
  }

  #serve(nowNs: number): void {
    const discipline = this.#discipline;
    const server = this.#server;
    if (discipline === undefined || server === undefined) return;
    while (discipline.length > 0 && server.readyNs <= nowNs) {
      const startNs = Math.max(server.readyNs, this.#clockNs);
      const packet = discipline.dequeue(startNs);
      if (packet === undefined) break;
      this.#sojourns.add(startNs - packet.queuedNs);
      this.#leave(packet, server.send(bytesOnWire(packet.wireLength, this.#settings.rate!), startNs));
    }
    this.#clockNs = Math.max(this.#clockNs, nowNs);
  }

  /** A packet whose last bit leaves at `leftNs` is delayed. */
  #leave(packet: WirePacket, leftNs: number): void {
    const { holdNs } = packet;
    let arrivalNs = leftNs + Math.max(0, holdNs);
    if (this.#settings.delay?.keep_order && holdNs >= 0) {
      arrivalNs = Math.max(arrivalNs, this.#lastArrivalNs);
      this.#lastArrivalNs = arrivalNs;
    }
    if (this.#slots === undefined) this.#sink.send(packet, arrivalNs);
    else this.#gate.push(arrivalNs, packet);
  }

  #openSlots(nowNs: number): void {
    const gate = this.#gate;
    while (gate.size > 0 && gate.nextTimeNs <= nowNs) {
      const packet = gate.pop() as WirePacket;
      const atNs = this.#slots?.pass(packet.wireLength, gate.nowNs) ?? gate.nowNs;
      this.#sink.send(packet, Math.max(atNs, gate.nowNs));
    }
  }
}

/** A trace begins anew when the settings change. */
const restarted = (state: ServerState | undefined): ServerState | undefined =>
  state?.kind === "trace" ? { kind: "rate", readyNs: state.readyNs } : state;
