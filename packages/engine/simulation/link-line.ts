/** One direction of a link between two nodes of a run. */

import type { CaptureTap } from "../link/capture-tap.ts";
import type { DelayCounter } from "../link/direction-report.ts";
import type { Direction } from "../link/filters/chain.ts";
import type { Passage } from "../link/filters/link-filter.ts";
import { ImpairedDirection, type ImpairedOptions, NO_IMPAIRMENTS } from "../link/impairments/index.ts";
import { LinkDirection } from "../link/link-direction.ts";
import { packetBytes } from "../wire/vlan-tag.ts";
import type { Digest } from "./digest.ts";
import type { LabLink, LinkImpairments } from "./lab.ts";

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

export class LinkLine extends LinkDirection {
  readonly link: LabLink;
  /** The receiving node and port; undefined at the open end of a link. */
  readonly peer: { readonly nodeId: string; readonly port: number } | undefined;
  /** The node at the other end, once it has joined the run. */
  #target: Receiver | undefined;
  /** The processing time of that node, in nanoseconds. */
  #processingNs = 0;
  readonly targetPort: number;
  /** The sending node and port. */
  readonly source: { readonly nodeId: string; readonly port: number } | undefined;
  readonly #hash: number;
  readonly #direction: Direction;
  /** The time of the event that is planned for the impairments; Infinity without one. */
  wakePlannedNs = Number.POSITIVE_INFINITY;

  constructor(
    link: LabLink,
    direction: Direction,
    seed: string,
    tap: CaptureTap | undefined,
    delays: DelayCounter,
  ) {
    const { streamName, filters, suspended, state } = link;
    const options = { seed, streamName, direction, ...filters, suspended, state: state?.[direction] ?? {} };
    super(options, delays, tap);
    this.link = link;
    this.#direction = direction;
    this.peer = link.ends[direction === "a-to-b" ? 1 : 0];
    this.source = link.ends[direction === "a-to-b" ? 0 : 1];
    this.targetPort = this.peer?.port ?? 0;
    this.#hash = hashText(`${streamName} ${direction}`);
  }

  /** Whether it leads from the second end to the first. */
  get isBack(): boolean {
    return this.#direction === "b-to-a";
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

  /** Sets or replaces the impairments; undefined removes them, which lets the packets in queues leave. */
  setImpairments(
    set: LinkImpairments | undefined,
    run: Pick<ImpairedOptions, "seed" | "startUs" | "nowNs" | "sink">,
  ): void {
    const { impairments = NO_IMPAIRMENTS, sinceUs } = set ?? {};
    if (this.impaired) this.impaired.replace(impairments, sinceUs, run.nowNs);
    else if (set) {
      const { streamName, state } = this.link;
      const direction = this.#direction;
      const saved = state?.impairments?.[direction];
      this.impair(
        new ImpairedDirection({ ...run, streamName, direction, impairments, sinceUs, state: saved }),
      );
    }
  }

  /** The link's MTU if the sender sees it and the frame's network packet is larger; else undefined. */
  mtuExceededBy(frame: Uint8Array, nowNs: number): number | undefined {
    const { impaired } = this;
    if (impaired === undefined) return undefined;
    const mtuBytes = impaired.visibleMtu(nowNs);
    return packetBytes(frame) > mtuBytes ? mtuBytes : undefined;
  }

  /** How long the filters hold the frame that entered last. */
  get heldNs(): number {
    return passage.delayNs;
  }

  /** Adds the arrival of a packet that leaves the impairments to the digest. */
  mark(atNs: number, digest: Digest): void {
    digest.addNumber(atNs);
    digest.addWord(this.#hash);
  }

  /**
   * Sends a frame into the line.
   * @returns the frame that will arrive, valid until the next call to any line; undefined if the frame is lost.
   */
  enter(frame: Uint8Array, nowNs: number, digest: Digest): Passed | undefined {
    passage.data = frame;
    passage.wireLength = frame.length;
    passage.delayNs = 0;
    const passed = this.admit(passage, nowNs);
    digest.addNumber(nowNs);
    digest.addWord(passed ? this.#hash : ~this.#hash);
    digest.addNumber(passage.delayNs);
    digest.addBytes(passage.data);
    return passed ? passage : undefined;
  }
}

/** The packet that is entering a line: one object for all lines, to save memory accesses. */
const passage: Passage = { data: new Uint8Array(0), wireLength: 0, delayNs: 0 };

/** Returns the 32-bit FNV-1a hash of a text's code units. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return hash;
}
