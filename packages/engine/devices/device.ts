/**
 * What a simulated device is to the simulation, and what the simulation is to a device.
 *
 * A device is a state machine: frames, timers and console lines come in; frames and text go out. It knows no link, no
 * other device and no clock but its world's. Between runs it is its state, plain JSON data.
 */
import type { FrameSlab } from "../base/frame-slab.ts";
import type { RandomStream } from "../base/random.ts";

export interface Timer {
  cancel(): void;
}

/**
 * `foreground` timers keep a run going until they have fired. `background` ones (a lease to be renewed) do not: they fire
 * only while something else keeps the run going, or when it has a duration.
 */
export type TimerKind = "foreground" | "background";

/** The surroundings of one device. */
export interface World {
  /** The lab's clock: integer microseconds since 1970-01-01 UTC. */
  readonly nowUs: number;
  /** The device's own stream of random numbers, which goes on from run to run. */
  readonly random: RandomStream;
  /** Room for the frames that the device makes. */
  readonly frames: FrameSlab;
  /** Sends a frame out of a port, now. The frame is not copied: neither the device nor a receiver may write into it afterwards. */
  send(port: number, frame: Uint8Array): void;
  /** Calls back in `delayUs` (an integer, 0 or more); a foreground timer unless said otherwise. */
  after(delayUs: number, call: () => void, kind?: TimerKind): Timer;
  /** Adds text to the console's transcript; lines end with `\n`. */
  print(text: string): void;
}

export interface DeviceConsole {
  /** What stands at the beginning of the input line: `PC1> `. */
  readonly prompt: string;
  /**
   * Takes a line as if it were typed: prints it, what the command prints, and the next prompt, then calls `done`.
   * Must not be called again before that.
   */
  enter(line: string, done: () => void): void;
  /**
   * Ctrl-C: ends the line that runs, and those that wait for it; `done` of each is called. Nothing when none was entered: a
   * start-up script goes on.
   */
  interrupt(): void;
  /** What has come of the device's start-up script; undefined when none of it ran in this run. */
  readonly startup?: StartupReport | undefined;
}

export interface StartupReport {
  /** `none` when there was nothing to run since the power came on. */
  readonly status: "none" | "running" | "done";
  /** What was printed meanwhile, from the power's coming on; of much the end. */
  readonly output: string;
  /** Lines still to run, the one under way first. */
  readonly remaining: readonly string[];
}

export interface Device {
  /** How long a frame takes from its arrival until the device sees it, in nanoseconds. */
  readonly processingNs: number;
  /** Passes frames on at layer 2, so that several of its kind can form a loop. */
  readonly forwards: boolean;
  readonly console: DeviceConsole | undefined;
  /** Power has come on: a start-up script runs, first frames go out. Called once, in place of `resume`. */
  start(): void;
  /** The device joins a run with the state of an earlier one: sets its background timers again. Called once. */
  resume(): void;
  /** A frame has arrived. It is shared with others and must not be written into. */
  receive(port: number, frame: Uint8Array): void;
  /** Plain JSON data from which the device can be made again. */
  saveState(): unknown;
}
