/** One direction of a link during a run: its filter chain, its tap and its counts. */

import type { CaptureTap } from "./capture-tap.ts";
import { addCounts, type DelayCounter, type DirectionReport, type Traffic } from "./direction-report.ts";
import { type ChainOptions, type ChainState, type FilterChain, makeFilterChain } from "./filters/chain.ts";
import type { FilterCounts, FilterType } from "./filters/index.ts";
import type { Passage } from "./filters/link-filter.ts";
import type { ImpairedDirection } from "./impairments/impaired-direction.ts";
import type { Impairments } from "./impairments/index.ts";
import type { ImpairmentType } from "./impairments/report.ts";
import type { WirePacket } from "./impairments/wire-packet.ts";

/** What drops a packet on a link. */
export type DropReason = FilterType | ImpairmentType;

const NOTHING: Readonly<Traffic> = { packets: 0, bytes: 0 };

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
  /** Undefined without impairments. */
  #impaired: ImpairedDirection | undefined;

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

  /** What entered, arrived and was dropped so far: the counts of `report` that cost nothing. */
  get traffic(): Pick<DirectionReport, "entered" | "delivered" | "dropped"> {
    return {
      entered: { packets: this.#enteredPackets, bytes: this.#enteredBytes },
      delivered: { packets: this.#deliveredPackets, bytes: this.#deliveredBytes },
      dropped: { ...this.#dropped },
    };
  }

  /** Replaces the filters; each continues at the position where it was last active. */
  change(filters: Pick<ChainOptions, "settings" | "bpfPredicates" | "suspended">): void {
    this.#earlierCounts = addCounts(this.#earlierCounts, this.#chain.counts());
    this.#options = { ...this.#options, ...filters, state: this.saveState() };
    this.#chain = makeFilterChain(this.#options);
  }

  get impaired(): ImpairedDirection | undefined {
    return this.#impaired;
  }

  /** Sets the impairments, which come after the filters. */
  impair(impaired: ImpairedDirection | undefined): void {
    this.#impaired = impaired;
  }

  /**
   * Passes a frame through the filters, and through what the impairments decide at entry. With impairments, the caller gets the
   * packet from `admitted` and its copy from `impaired.copy`, and passes them to `impaired.enter` after the delay of the passage.
   * @param passage the frame, with `delayNs` 0; afterwards the frame that will arrive, and its delay.
   * @returns false if the frame is lost.
   */
  admit(passage: Passage, nowNs: number): boolean {
    // One comparison for a link without impairments: its frames are the most.
    if (this.#impaired !== undefined) return this.#judge(this.#impaired, passage, nowNs);
    const { data, wireLength } = passage;
    const passed = this.#chain.admit(passage);
    this.#enteredPackets += 1;
    this.#enteredBytes += data.length;
    if (this.#tap?.settings.tap === "before") this.#tap.offer(nowNs, data, wireLength);
    if (!passed) count(this.#dropped, data);
    else if (passage.data !== data) count(this.#corrupted, data);
    return passed;
  }

  /** What dropped the last frame for which `admit` returned false. */
  get droppedBy(): DropReason | undefined {
    return this.#impaired?.droppedBy ?? this.#chain.droppedBy;
  }

  /** The packet that `admit` passed to the impairments last; undefined if it is lost. */
  get admitted(): WirePacket | undefined {
    return this.#impaired?.admitted;
  }

  /** Counts a packet that is lost after it has entered. */
  lose({ data }: WirePacket): void {
    count(this.#dropped, data);
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

  /** Returns the counts, and the impairments at this moment; the positions of the filters are in `saveState`. */
  freeze() {
    return {
      filters: addCounts(this.#earlierCounts, this.#chain.counts()),
      traffic: this.traffic,
      corrupted: this.#corrupted,
      delays: this.#delays.freeze?.(),
      impaired: this.#impaired?.freeze(),
    };
  }

  /** @param impairments the impairments that the direction had when it was saved. */
  thaw(impairments: Impairments, frozen: ReturnType<LinkDirection["freeze"]>): void {
    const { entered, delivered, dropped } = frozen.traffic;
    this.#earlierCounts = frozen.filters;
    this.#enteredPackets = entered.packets;
    this.#enteredBytes = entered.bytes;
    this.#deliveredPackets = delivered.packets;
    this.#deliveredBytes = delivered.bytes;
    Object.assign(this.#dropped, dropped);
    Object.assign(this.#corrupted, frozen.corrupted);
    this.#delays.thaw?.(frozen.delays);
    if (frozen.impaired) this.#impaired?.thaw(impairments, frozen.impaired);
  }

  /** `admit` with impairments. */
  #judge(impaired: ImpairedDirection, passage: Passage, nowNs: number): boolean {
    const { data: sent, wireLength } = passage;
    const passed = this.#chain.admit(passage);
    this.#enteredPackets += 1;
    this.#enteredBytes += sent.length;
    if (this.#tap?.settings.tap === "before") this.#tap.offer(nowNs, sent, wireLength);
    if (!passed) {
      impaired.skip(nowNs);
      count(this.#dropped, sent);
      return false;
    }
    const packet = impaired.pool.take(passage.data, wireLength, nowNs, undefined);
    const droppedBy = impaired.judge(packet, nowNs);
    if (impaired.lostCopy) count(this.#dropped, impaired.lostCopy.data);
    if (droppedBy !== undefined) {
      count(this.#dropped, sent);
      impaired.pool.give(packet);
      return false;
    }
    if (passage.data !== sent || packet.isDamaged) count(this.#corrupted, sent);
    packet.admitted = packet.data;
    passage.data = packet.data;
    return true;
  }

  report(): DirectionReport {
    const { entered, delivered, dropped } = this.traffic;
    const impairments = this.#impaired?.report();
    const { duplicated = NOTHING, restored = NOTHING } = impairments ?? {};
    return {
      entered,
      delivered,
      dropped,
      corrupted: { ...this.#corrupted },
      underWay: {
        packets:
          entered.packets + duplicated.packets + restored.packets - delivered.packets - dropped.packets,
        bytes: entered.bytes + duplicated.bytes + restored.bytes - delivered.bytes - dropped.bytes,
      },
      filters: addCounts(this.#earlierCounts, this.#chain.counts()),
      delayMs: this.#delays.summary(delivered.packets),
      ...(impairments && { impairments }),
    };
  }
}

function count(traffic: Traffic, data: Uint8Array): void {
  traffic.packets += 1;
  traffic.bytes += data.length;
}
