/**
 * The impairments of one direction that decide about each packet as it enters, in order:
 *
 *     carrier -> broken -> drop -> mtu -> loss -> bit errors -> duplicate -> corrupt -> delay -> reorder
 *
 * Every packet advances every impairment once, also a packet that a filter or an earlier impairment has dropped, and each has its
 * own random stream: switching one on never changes what another does to the n-th packet. A copy that `duplicate` makes passes
 * the impairments after it with streams of its own.
 */
import { makeStream, RandomStream, type StreamState } from "../../../base/random.ts";
import type { Direction } from "../../filters/chain.ts";
import { type ImpairmentCounts, type ImpairmentType, makeCounts } from "../report.ts";
import { type DirectionSettings, PPB } from "../settings/direction-settings.ts";
import { WirePacket } from "../wire-packet.ts";
import {
  CorruptPackets,
  type CorruptState,
  DelayPackets,
  Duplicate,
  ReorderPackets,
  type ReorderState,
} from "./alter.ts";
import { type ChanceDraw, type DrawState, resumeDraw } from "./chance-draw.ts";
import { makeBlocked, makeDrop, makeMtu } from "./constant.ts";
import {
  BitErrors,
  type ChainPosition,
  GilbertElliottLoss,
  ListedLoss,
  MarkovLoss,
  RandomLoss,
} from "./loss.ts";
import { COPY, DAMAGE, DROP, HOLD, MARK, type Stage } from "./stage.ts";

export interface StreamNames {
  readonly seed: string | number;
  /** The link's name in its random streams. */
  readonly streamName: string;
  readonly direction: Direction;
}

/** Positions by impairment; those of copies have `copy.` before their name. Plain JSON data. */
export type StagesState = Readonly<Record<string, unknown>>;

export class ImpairmentChain {
  readonly #stages: readonly Stage[];
  readonly #counts: readonly ImpairmentCounts[];
  readonly #copyStages: readonly Stage[];
  readonly #afterCopy: number;
  readonly #red: RandomStream | undefined;
  #copy: WirePacket | undefined;
  #lostCopy: WirePacket | undefined;

  constructor(settings: DirectionSettings, carrier: "up" | "down", names: StreamNames, state: StagesState) {
    const makers = new StageMaker(names, state);
    this.#stages = makers.all(settings, carrier);
    this.#counts = this.#stages.map(({ type }) => makeCounts(type));
    const at = this.#stages.findIndex(({ type }) => type === "duplicate");
    this.#afterCopy = at + 1;
    this.#copyStages = at < 0 ? [] : new StageMaker(names, state, "copy.").altering(settings);
    this.#red = settings.queue?.discipline === "red" ? makers.stream("queue.red", "stream") : undefined;
  }

  /** Passes a packet through; returns what dropped it, if anything. */
  judge(packet: WirePacket): ImpairmentType | undefined {
    this.#copy = undefined;
    this.#lostCopy = undefined;
    if (this.#red) packet.redDraw = this.#red.below(PPB);
    const stages = this.#stages;
    for (let index = 0; index < stages.length; index++) {
      const stage = stages[index] as Stage;
      const counts = this.#counts[index] as ImpairmentCounts;
      const verdict = stage.decide(packet);
      counts.seen += 1;
      if (verdict === DROP) {
        counts.dropped += 1;
        this.#skipFrom(index + 1);
        return stage.type;
      }
      if (verdict === COPY) {
        counts.duplicated += 1;
        this.#copyOf(packet);
      } else count(counts, verdict);
    }
    return undefined;
  }

  /** The copy of the last packet, if it was duplicated and the copy is not lost. */
  get copy(): WirePacket | undefined {
    return this.#copy;
  }

  /** The copy of the last packet, if an impairment after `duplicate` has dropped it. */
  get lostCopy(): WirePacket | undefined {
    return this.#lostCopy;
  }

  /** Advances by a packet that a filter has dropped. */
  skip(): void {
    this.#copy = undefined;
    this.#lostCopy = undefined;
    this.#red?.below(PPB);
    this.#skipFrom(0);
  }

  counts(): ImpairmentCounts[] {
    return this.#counts.map((counts) => ({ ...counts }));
  }

  saveState(): StagesState {
    const saved: Record<string, unknown> = {};
    for (const stage of this.#stages) saved[stage.type] = stage.saveState();
    for (const stage of this.#copyStages) saved[`copy.${stage.type}`] = stage.saveState();
    if (this.#red) saved["queue.red"] = { stream: this.#red.saveState() };
    return Object.fromEntries(Object.entries(saved).filter(([, state]) => state !== undefined));
  }

  #skipFrom(start: number): void {
    for (let index = start; index < this.#stages.length; index++) (this.#stages[index] as Stage).skip();
  }

  #copyOf(packet: WirePacket): void {
    const copy = new WirePacket(packet.data, packet.wireLength, packet.enteredNs, packet.tag);
    copy.redDraw = packet.redDraw;
    for (const [index, stage] of this.#copyStages.entries()) {
      const counts = this.#counts[this.#afterCopy + index] as ImpairmentCounts;
      const verdict = stage.decide(copy);
      counts.seen += 1;
      if (verdict === DROP) {
        counts.dropped += 1;
        this.#lostCopy = copy;
        return;
      }
      count(counts, verdict);
    }
    this.#copy = copy;
  }
}

function count(counts: ImpairmentCounts, verdict: number): void {
  if (verdict === MARK) counts.marked += 1;
  else if (verdict === DAMAGE) counts.corrupted += 1;
  else if (verdict === HOLD) counts.held += 1;
}

/** Makes the stages of a chain, each at its saved position or at the beginning of its stream. */
class StageMaker {
  readonly #names: StreamNames;
  readonly #state: StagesState;
  readonly #prefix: string;

  constructor(names: StreamNames, state: StagesState, prefix = "") {
    this.#names = names;
    this.#state = state;
    this.#prefix = prefix;
  }

  all(settings: DirectionSettings, carrier: "up" | "down"): Stage[] {
    const stages: Stage[] = [];
    const { drop, mtu, loss = {}, bit_error_rate: errors, duplicate } = settings;
    const { random, gilbert_elliott: elliott, markov, listed, ecn = false } = loss;
    if (carrier === "down") stages.push(makeBlocked("carrier"));
    if (settings.broken) stages.push(makeBlocked("broken"));
    if (drop) stages.push(makeDrop(drop.predicates));
    if (mtu !== undefined) stages.push(makeMtu(mtu));
    if (random) stages.push(new RandomLoss(random, this.#draw("loss.random"), ecn));
    if (elliott) {
      const { state } = this.#saved<ChainPosition>("loss.gilbert_elliott") ?? {};
      stages.push(new GilbertElliottLoss(elliott, this.stream("loss.gilbert_elliott", "stream"), ecn, state));
    }
    if (markov) {
      const { state } = this.#saved<ChainPosition>("loss.markov") ?? {};
      stages.push(new MarkovLoss(markov, this.stream("loss.markov", "stream"), ecn, state));
    }
    if (listed)
      stages.push(new ListedLoss(listed, ecn, this.#saved<{ packets: number }>("loss.listed")?.packets));
    if (errors !== undefined) stages.push(new BitErrors(errors, this.stream("bit_error_rate", "stream")));
    if (duplicate) stages.push(new Duplicate(duplicate, this.#draw("duplicate")));
    return [...stages, ...this.altering(settings)];
  }

  /** The stages after `duplicate`. */
  altering({ corrupt, delay, reorder }: DirectionSettings): Stage[] {
    const stages: Stage[] = [];
    if (corrupt) {
      const saved = this.#saved<CorruptState>("corrupt");
      const draw = resumeDraw(saved?.draw, "corrupt", (name) => this.#begin(name));
      stages.push(new CorruptPackets(corrupt, draw, this.stream("corrupt", "places")));
    }
    if (delay) stages.push(new DelayPackets(delay, this.#draw("delay")));
    if (reorder) {
      const saved = this.#saved<ReorderState>("reorder");
      const draw = resumeDraw(saved?.draw, "reorder", (name) => this.#begin(name));
      stages.push(new ReorderPackets(reorder, draw, saved?.since));
    }
    return stages;
  }

  /** Continues a stream that is saved under `key`, or begins it. */
  stream(type: string, key: string): RandomStream {
    const saved = this.#saved<Record<string, StreamState | undefined>>(type)?.[key];
    return saved === undefined
      ? this.#begin(key === "stream" ? type : `${type} ${key}`)
      : new RandomStream(saved);
  }

  #draw(type: string): ChanceDraw {
    return resumeDraw(this.#saved<DrawState>(type), type, (name) => this.#begin(name));
  }

  #saved<T>(type: string): T | undefined {
    return this.#state[this.#prefix + type] as T | undefined;
  }

  #begin(type: string): RandomStream {
    const { seed, streamName, direction } = this.#names;
    return makeStream(seed, streamName, direction, "impairments", this.#prefix + type);
  }
}
