/**
 * The filters of one link direction, in order:
 *
 *     port A -> suspend -> frequency_drop -> packet_loss -> bpf -> corrupt -> delay -> port B
 *
 * Invariant: every packet that enters advances every filter once, even if an earlier filter has dropped it. With one random
 * stream per filter this makes filters independent: enabling one does not change what another does to the n-th packet, so
 * the packets lost under two filters are the union of those lost under each.
 */

import { makeStream, RandomStream, type StreamState } from "../../base/random.ts";
import { BpfDrop } from "./bpf.ts";
import { Corrupt } from "./corrupt.ts";
import { Delay } from "./delay.ts";
import { FrequencyDrop } from "./frequency-drop.ts";
import {
  DROP,
  type FilterType,
  HOLD,
  type LinkFilter,
  type PacketPredicate,
  type Passage,
  REPLACE,
} from "./link-filter.ts";
import { PacketLoss } from "./packet-loss.ts";
import type { FilterSettings } from "./settings.ts";
import { makeSuspend } from "./suspend.ts";

/** The two directions of a link: from its first end to its second, and back. */
export type Direction = "a-to-b" | "b-to-a";

/** Positions of a chain's filters between runs, by filter type: plain JSON data. */
export interface ChainState {
  frequency_drop?: { packets: number };
  packet_loss?: { stream: StreamState };
  corrupt?: { stream: StreamState };
  delay?: { stream: StreamState };
}

/** Counts of one filter: packets that reached it, and how many of them it dropped, corrupted or held. */
export interface FilterCounts {
  type: FilterType;
  seen: number;
  dropped: number;
  corrupted: number;
  held: number;
}

export interface ChainOptions {
  /** The project's seed. */
  seed: string | number;
  /** The link's name in its random streams. */
  streamName: string;
  direction: Direction;
  /** As `parseFilterSettings` gives them. */
  settings: FilterSettings;
  suspended?: boolean;
  /** The compiled lines of `settings.bpf`. */
  bpfPredicates?: readonly PacketPredicate[];
  /** The state at the end of an earlier run; filters that it does not name start afresh. */
  state?: ChainState;
}

/** A chain with its counters. Each direction has its own chain. */
export class FilterChain {
  readonly #filters: readonly LinkFilter[];
  readonly #counts: FilterCounts[];
  #droppedBy: FilterType | undefined;

  constructor(filters: readonly LinkFilter[]) {
    this.#filters = filters;
    this.#counts = filters.map(({ type }) => ({ type, seen: 0, dropped: 0, corrupted: 0, held: 0 }));
  }

  /**
   * Passes a packet through all filters; returns true if it is delivered. `passage.data` is then the delivered bytes and
   * `passage.delayNs` the delay (the caller sets it to 0 before).
   */
  admit(passage: Passage): boolean {
    const filters = this.#filters;
    for (let index = 0; index < filters.length; index++) {
      const counts = this.#counts[index] as FilterCounts;
      const verdict = (filters[index] as LinkFilter).decide(passage);
      counts.seen += 1;
      if (verdict === DROP) {
        counts.dropped += 1;
        this.#droppedBy = counts.type;
        this.#skipFrom(index + 1, passage);
        return false;
      }
      if (verdict === REPLACE) counts.corrupted += 1;
      else if (verdict === HOLD) counts.held += 1;
    }
    return true;
  }

  /** The filter that dropped the last packet for which `admit` returned false. */
  get droppedBy(): FilterType | undefined {
    return this.#droppedBy;
  }

  /** Returns the counts of each filter since the chain was made, in chain order. */
  counts(): FilterCounts[] {
    return this.#counts.map((counts) => ({ ...counts }));
  }

  /** Returns the positions of the filters, from which `makeFilterChain` can continue. */
  saveState(): ChainState {
    const entries = this.#filters.map((filter) => [filter.type, filter.saveState()] as const);
    return Object.fromEntries(entries.filter(([, state]) => state !== undefined)) as ChainState;
  }

  #skipFrom(start: number, passage: Passage): void {
    for (let index = start; index < this.#filters.length; index++)
      (this.#filters[index] as LinkFilter).skip(passage);
  }
}

/**
 * Builds the chain of a link direction from its settings. Throws a RangeError when `settings.bpf` is set and no
 * predicates are given: a filter is never accepted and ignored.
 */
export function makeFilterChain(options: ChainOptions): FilterChain {
  const { settings, state = {}, bpfPredicates = [] } = options;
  const filters: LinkFilter[] = [];
  if (options.suspended === true) filters.push(makeSuspend());
  if (settings.frequency_drop) {
    filters.push(new FrequencyDrop(settings.frequency_drop[0], state.frequency_drop?.packets));
  }
  if (settings.packet_loss) {
    filters.push(new PacketLoss(settings.packet_loss[0], streamOf(options, "packet_loss")));
  }
  if (settings.bpf && bpfPredicates.length === 0)
    throw new RangeError("bpf: the expressions are not compiled");
  if (bpfPredicates.length > 0) filters.push(new BpfDrop(bpfPredicates));
  if (settings.corrupt) filters.push(new Corrupt(settings.corrupt[0], streamOf(options, "corrupt")));
  if (settings.delay) {
    filters.push(new Delay(settings.delay[0], settings.delay[1] ?? 0, streamOf(options, "delay")));
  }
  return new FilterChain(filters);
}

/** Returns the filter's own stream, at its saved position or at its beginning. */
function streamOf(options: ChainOptions, type: "packet_loss" | "corrupt" | "delay"): RandomStream {
  const saved = options.state?.[type];
  if (saved !== undefined) return new RandomStream(saved.stream);
  return makeStream(options.seed, options.streamName, options.direction, type);
}
