/**
 * Collects garbage at a steady rate. Left to itself V8 lets what grew old pile up as long as the machine has memory, and
 * packets that a link holds for a while all grow old: a large file would take hundreds of megabytes.
 */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Some ten megabytes of what the engine makes of packets; a collection takes a few milliseconds. */
const PACKETS_PER_COLLECTION = 100_000;

export class GarbageCollector {
  readonly #collect: () => void;
  #packets = 0;

  constructor() {
    setFlagsFromString("--expose-gc");
    this.#collect = runInNewContext("gc") as () => void;
  }

  /** Tells that packets have been made. */
  made(packets: number): void {
    this.#packets += packets;
    if (this.#packets < PACKETS_PER_COLLECTION) return;
    this.#packets = 0;
    this.#collect();
  }
}
