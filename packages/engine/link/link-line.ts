/** One direction of a link during a run: its filter chain, its tap and its counts. */

import type { Digest } from "../simulation/digest.ts";
import type { LabLink } from "../simulation/lab.ts";
import type { CaptureTap } from "./capture-tap.ts";
import { addCounts, DelayTally, type DirectionReport, type Traffic } from "./direction-report.ts";
import { type ChainState, type Direction, type FilterChain, makeFilterChain } from "./filters/chain.ts";
import type { FilterCounts } from "./filters/index.ts";
import type { Passage } from "./filters/link-filter.ts";

/** The receiving end of a line. */
export interface Receiver {
  readonly name: string;
  /** Whether it currently forwards frames at layer 2. */
  readonly forwards: boolean;
  /** Processing time between a frame's arrival and its delivery to the device, in nanoseconds. */
  readonly processingNs: number;
  receive(port: number, frame: Uint8Array): void;
}

/** The result of a frame that entered. */
export type Passed = Readonly<Pick<Passage, "data" | "delayNs">>;

export class LinkLine {
  readonly link: LabLink;
  readonly direction: Direction;
  /** The receiving node and port; undefined at the open end of a link. */
  readonly peer: { readonly nodeId: string; readonly port: number } | undefined;
  /** The node at the other end, once it has joined the run. */
  #target: Receiver | undefined;
  /** The processing time of that node, in nanoseconds. */
  #processingNs = 0;
  readonly targetPort: number;
  readonly #seed: string;
  readonly #tap: CaptureTap | undefined;
  readonly #hash: number;
  #chain: FilterChain;
  #state: ChainState;
  #earlierCounts: FilterCounts[] = [];
  // Plain fields: broadcasts of a large lab touch every line, and each nested object would cost another memory access.
  #enteredPackets = 0;
  #enteredBytes = 0;
  #deliveredPackets = 0;
  #deliveredBytes = 0;
  readonly #dropped: Traffic = { packets: 0, bytes: 0 };
  readonly #corrupted: Traffic = { packets: 0, bytes: 0 };
  /** Delays of packets that the link held. */
  readonly #delays = new DelayTally();

  constructor(link: LabLink, direction: Direction, seed: string, tap: CaptureTap | undefined) {
    this.link = link;
    this.direction = direction;
    this.peer = link.ends[direction === "a-to-b" ? 1 : 0];
    this.targetPort = this.peer?.port ?? 0;
    this.#seed = seed;
    this.#tap = tap;
    this.#state = link.state?.[direction] ?? {};
    this.#chain = this.#makeChain(link);
    this.#hash = hashText(`${link.streamName} ${direction}`);
  }

  /** Packets that have entered so far. */
  get enteredPackets(): number {
    return this.#enteredPackets;
  }

  get target(): Receiver | undefined {
    return this.#target;
  }

  get processingNs(): number {
    return this.#processingNs;
  }

  connect(target: Receiver | undefined): void {
    this.#target = target;
    this.#processingNs = target?.processingNs ?? 0;
  }

  /** Replaces the filters; each continues at the position where it was last active. */
  change(link: Pick<LabLink, "filters" | "suspended">): void {
    this.#earlierCounts = addCounts(this.#earlierCounts, this.#chain.counts());
    this.#state = this.saveState();
    this.#chain = this.#makeChain(link);
  }

  /**
   * Sends a frame into the line.
   * @returns the frame that will arrive, valid until the next call to any line; undefined if the frame is lost.
   */
  enter(frame: Uint8Array, nowNs: number, digest: Digest): Passed | undefined {
    passage.data = frame;
    passage.wireLength = frame.length;
    passage.delayNs = 0;
    const passed = this.#chain.admit(passage);
    this.#enteredPackets += 1;
    this.#enteredBytes += frame.length;
    if (this.#tap?.settings.tap === "before") this.#tap.offer(nowNs, frame, frame.length);
    digest.addNumber(nowNs);
    digest.addWord(passed ? this.#hash : ~this.#hash);
    digest.addNumber(passage.delayNs);
    digest.addBytes(passage.data);
    if (!passed) {
      count(this.#dropped, frame);
      return undefined;
    }
    if (passage.data !== frame) count(this.#corrupted, frame);
    return passage;
  }

  /** Counts a frame that has reached the other end. @param delayNs how long the link held it */
  deliver(frame: Uint8Array, delayNs: number, deliveryNs: number): void {
    this.#deliveredPackets += 1;
    this.#deliveredBytes += frame.length;
    if (delayNs > 0) this.#delays.add(delayNs);
    if (this.#tap?.settings.tap === "after") this.#tap.offer(deliveryNs, frame, frame.length);
  }

  /** Returns the positions of all filters, including inactive ones. */
  saveState(): ChainState {
    return { ...this.#state, ...this.#chain.saveState() };
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

  #makeChain({ filters, suspended }: Pick<LabLink, "filters" | "suspended">): FilterChain {
    return makeFilterChain({
      seed: this.#seed,
      streamName: this.link.streamName,
      direction: this.direction,
      settings: filters.settings,
      bpfPredicates: filters.bpfPredicates,
      suspended,
      state: this.#state,
    });
  }
}

/** The packet that is entering a line: one object for all lines, to save memory accesses as above. */
const passage: Passage = { data: new Uint8Array(0), wireLength: 0, delayNs: 0 };

function count(traffic: Traffic, frame: Uint8Array): void {
  traffic.packets += 1;
  traffic.bytes += frame.length;
}

/** Returns the 32-bit FNV-1a hash of a text's code units. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return hash;
}
