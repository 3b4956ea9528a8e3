/** One direction of a link during a run: its filter chain, its tap and its counts. */
import type { CaptureTap } from "../capture-tap.ts";
import { type ChainState, type Direction, type FilterChain, makeFilterChain } from "../filters/chain.ts";
import type { FilterCounts } from "../filters/index.ts";
import type { Passage } from "../filters/link-filter.ts";
import type { Digest } from "./digest.ts";
import { addCounts, DelayTally, type DirectionReport, type Traffic } from "./direction-report.ts";
import type { LabLink } from "./lab.ts";
import type { SimNode } from "./sim-node.ts";

/** A frame on its way to a node, as the agenda holds it. */
export interface Arrival {
  readonly kind: "arrival";
  readonly line: LinkLine;
  readonly frame: Uint8Array;
  /** How long the link held it. */
  readonly delayNs: number;
}

const none = (): Traffic => ({ packets: 0, bytes: 0 });

function count(traffic: Traffic, frame: Uint8Array): void {
  traffic.packets += 1;
  traffic.bytes += frame.length;
}

export class LinkLine {
  readonly link: LabLink;
  readonly direction: Direction;
  /** Where frames come out: node and port; undefined at the open end of a link. */
  readonly peer: { readonly nodeId: string; readonly port: number } | undefined;
  /** The node at the other end, once it has joined the run. */
  #target: SimNode | undefined;
  /** How long that node takes from a frame's arrival until it sees it. */
  #processingNs = 0;
  readonly targetPort: number;
  readonly #seed: string;
  readonly #tap: CaptureTap | undefined;
  readonly #passage: Passage = { data: new Uint8Array(0), wireLength: 0, delayNs: 0 };
  readonly #hash: number;
  #chain: FilterChain;
  #state: ChainState;
  #earlierCounts: FilterCounts[] = [];
  readonly #entered = none();
  readonly #delivered = none();
  readonly #dropped = none();
  readonly #corrupted = none();
  readonly #underWay = none();
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
    return this.#entered.packets;
  }

  get target(): SimNode | undefined {
    return this.#target;
  }

  get processingNs(): number {
    return this.#processingNs;
  }

  connect(target: SimNode | undefined): void {
    this.#target = target;
    this.#processingNs = target?.processingNs ?? 0;
  }

  /** From now on other filters; each goes on where it stood when it was last active. */
  change(link: Pick<LabLink, "filters" | "suspended">): void {
    this.#earlierCounts = addCounts(this.#earlierCounts, this.#chain.counts());
    this.#state = this.saveState();
    this.#chain = this.#makeChain(link);
  }

  /** Sends a frame in. @returns what is to arrive, or undefined for a frame that is lost. */
  enter(frame: Uint8Array, nowNs: number, digest: Digest): Arrival | undefined {
    const passage = this.#passage;
    passage.data = frame;
    passage.wireLength = frame.length;
    passage.delayNs = 0;
    const passed = this.#chain.admit(passage);
    count(this.#entered, frame);
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
    count(this.#underWay, frame);
    return { kind: "arrival", line: this, frame: passage.data, delayNs: passage.delayNs };
  }

  /** A frame has reached the other end. */
  deliver({ frame, delayNs }: Arrival, deliveryNs: number): void {
    count(this.#delivered, frame);
    this.#underWay.packets -= 1;
    this.#underWay.bytes -= frame.length;
    this.#delays.add(delayNs);
    if (this.#tap?.settings.tap === "after") this.#tap.offer(deliveryNs, frame, frame.length);
  }

  /** Where all filters stand, those not active now included. */
  saveState(): ChainState {
    return { ...this.#state, ...this.#chain.saveState() };
  }

  report(): DirectionReport {
    return {
      entered: { ...this.#entered },
      delivered: { ...this.#delivered },
      dropped: { ...this.#dropped },
      corrupted: { ...this.#corrupted },
      underWay: { ...this.#underWay },
      filters: addCounts(this.#earlierCounts, this.#chain.counts()),
      delayMs: this.#delays.summary(),
    };
  }

  #makeChain({ filters, suspended }: Pick<LabLink, "filters" | "suspended">): FilterChain {
    return makeFilterChain({
      seed: this.#seed,
      linkId: this.link.streamName,
      direction: this.direction,
      settings: filters.settings,
      bpfPredicates: filters.bpfPredicates,
      suspended,
      state: this.#state,
    });
  }
}

/** 32-bit FNV-1a of a text's code units. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return hash;
}
