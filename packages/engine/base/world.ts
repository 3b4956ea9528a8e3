/** The surroundings of one device: its clock, timers, chance, and ways out. */
import type { FrameSlab } from "./frame-slab.ts";
import type { RandomStream } from "./random.ts";

export interface Timer {
  cancel(): void;
  /** Sets what a restored timer calls: a closure is no data. Absent for timers that are not restored. */
  resume?(call: () => void): void;
}

/**
 * `foreground` timers keep a run going until they have fired. `background` timers (the renewal of a lease) do not: they fire
 * only while another event keeps the run going, or if the run has a duration.
 */
export type TimerKind = "foreground" | "background";

/** The surroundings of one device. */
export interface World {
  /** The lab's clock: integer microseconds since 1970-01-01 UTC. */
  readonly nowUs: number;
  /** The device's own random stream, which continues from run to run. */
  readonly random: RandomStream;
  /** Allocates the frames that the device makes. */
  readonly frames: FrameSlab;
  /** Whether a cable is plugged into a port. Absent where the caller has no cables. */
  isWired?(port: number): boolean;
  /** Sends a frame from a port, now. Does not copy it: neither the device nor a receiver may modify the frame afterwards. */
  send(port: number, frame: Uint8Array): void;
  /**
   * Sends a frame as `send` does, for a device that forwards only some frames at layer 2: the frame it is handling, which may be in a
   * loop. Absent in worlds that do not look for loops.
   */
  forward?(port: number, frame: Uint8Array): void;
  /** Calls `call` after `delayUs` microseconds (an integer, 0 or more). `kind` defaults to `foreground`. */
  after(delayUs: number, call: () => void, kind?: TimerKind): Timer;
  /** Reports that the device discards a packet: the one it is handling, or one that waited. @param reason in words: `no route` */
  discard?(reason: string): void;
  /** Reports that an adjacency, a database or the routes of a routing protocol have changed. @param what in words: `routes` */
  routingChanged?(what: string): void;
  /** Appends text to the console's transcript; lines end with `\n`. */
  print(text: string): void;
}
