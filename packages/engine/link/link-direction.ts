/** One direction of a link during a run: its filter chain, its tap and its counts. */

import type { CaptureTap } from "./capture-tap.ts";
import { addCounts, type DelayCounter, type DirectionReport, type Traffic } from "./direction-report.ts";
import { type ChainOptions, type ChainState, type FilterChain, makeFilterChain } from "./filters/chain.ts";
import type { FilterCounts, FilterType } from "./filters/index.ts";
import type { Passage } from "./filters/link-filter.ts";

export class LinkDirection {
  readonly #tap: CaptureTap | undefined;
  #options: ChainOptions;
  #chain: FilterChain;
  #earlierCounts: FilterCounts[] = [];
  // Plain fields: broadcasts of a large lab touch every line, and each nested object would cost another memory access.
  #enteredPackets = 0;
  #enteredBytes = 0;
  #deliveredPackets = 0;
  #deliveredBytes = 0;
  readonly #dropped: Traffic = { packets: 0, bytes: 0 };
  readonly #corrupted: Traffic = { packets: 0, bytes: 0 };
  readonly #delays: DelayCounter;

  constructor(options: ChainOptions, delays: DelayCounter, tap: CaptureTap | undefined) {
    this.#delays = delays;
    this.#tap = tap;
    this.#options = options;
    this.#chain = makeFilterChain(options);
  }

  /** Packets that have entered so far. */
  get enteredPackets(): number {
    return this.#enteredPackets;
  }

  /** Replaces the filters; each continues at the position where it was last active. */
  change(filters: Pick<ChainOptions, "settings" | "bpfPredicates" | "suspended">): void {
    this.#earlierCounts = addCounts(this.#earlierCounts, this.#chain.counts());
    this.#options = { ...this.#options, ...filters, state: this.saveState() };
    this.#chain = makeFilterChain(this.#options);
  }

  /**
   * Passes a frame through the filters.
   * @param passage the frame, with `delayNs` 0; afterwards the frame that will arrive, and its delay.
   * @returns false if the frame is lost.
   */
  admit(passage: Passage, nowNs: number): boolean {
    const { data, wireLength } = passage;
    const passed = this.#chain.admit(passage);
    this.#enteredPackets += 1;
    this.#enteredBytes += data.length;
    if (this.#tap?.settings.tap === "before") this.#tap.offer(nowNs, data, wireLength);
    if (!passed) count(this.#dropped, data);
    else if (passage.data !== data) count(this.#corrupted, data);
    return passed;
  }

  /** The filter that dropped the last frame for which `admit` returned false. */
  get droppedBy(): FilterType | undefined {
    return this.#chain.droppedBy;
  }

  /** Counts a frame that has reached the other end. @param delayNs how long the link held it */
  deliver(data: Uint8Array, wireLength: number, delayNs: number, deliveryNs: number): void {
    this.#deliveredPackets += 1;
    this.#deliveredBytes += data.length;
    this.#delays.add(delayNs);
    if (this.#tap?.settings.tap === "after") this.#tap.offer(deliveryNs, data, wireLength);
  }

  /** Returns the positions of all filters, including inactive ones; plain JSON data. */
  saveState(): ChainState {
    return { ...this.#options.state, ...this.#chain.saveState() };
  }

  report(): DirectionReport {
    const entered = { packets: this.#enteredPackets, bytes: this.#enteredBytes };
    const delivered = { packets: this.#deliveredPackets, bytes: this.#deliveredBytes };
    const dropped = { ...this.#dropped };
    return {
      entered,
      delivered,
      dropped,
      corrupted: { ...this.#corrupted },
      underWay: {
        packets: entered.packets - delivered.packets - dropped.packets,
        bytes: entered.bytes - delivered.bytes - dropped.bytes,
      },
      filters: addCounts(this.#earlierCounts, this.#chain.counts()),
      delayMs: this.#delays.summary(delivered.packets),
    };
  }
}

function count(traffic: Traffic, data: Uint8Array): void {
  traffic.packets += 1;
  traffic.bytes += data.length;
}
