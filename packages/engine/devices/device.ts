/**
 * The interfaces between a simulated device and the simulation.
 *
 * A device is a state machine: its inputs are frames, timers and console lines, its outputs frames and text. It depends on no
 * link, no other device and no clock except its world's. Between runs only its state exists, as plain JSON data.
 */
export type { Timer, TimerKind, World } from "../base/world.ts";

export interface DeviceConsole {
  /** The prompt at the beginning of the input line: `PC1> `. */
  readonly prompt: string;
  /**
   * Runs a line as if it were typed: prints the line, the command's output and the next prompt, then calls `done`. The caller
   * must not call it again before `done`.
   * @param isEchoed false if the line is on the screen already, because a terminal has printed it; default true.
   */
  enter(line: string, done: () => void, isEchoed?: boolean): void;
  /**
   * Ctrl-C: ends the running line and the waiting ones, and calls `done` of each. Does nothing if no line was entered: a
   * start-up script continues.
   */
  interrupt(): void;
  /** Calls `done` at the end of the line that runs: one that `thaw` of the device has restored. Absent if no line can be. */
  resumeLine?(done: () => void): void;
  /** The progress of the device's start-up script; undefined if no line of it ran in this run. */
  readonly startup?: StartupReport | undefined;
}

export interface StartupReport {
  /** `none` if there was no script at power-on. */
  readonly status: "none" | "running" | "done";
  /** Console output since power-on, truncated to the last characters. */
  readonly output: string;
  /** Remaining lines, the running one first. */
  readonly remaining: readonly string[];
  /** What has failed, in words: place, command, exit status, output; absent if nothing has. */
  readonly failures?: readonly string[];
}

/** A file of a device; `special` is a folder or another thing that is no regular file. */
export type ReadFile =
  | { readonly kind: "content"; readonly data: Uint8Array }
  | { readonly kind: "missing" }
  | { readonly kind: "special" }
  | { readonly kind: "large"; readonly bytes: number }
  | { readonly kind: "unreadable"; readonly why: string };

/** What a script has printed, on both of its outputs, and its exit code. */
export interface ScriptResult {
  readonly code: number;
  readonly output: string;
}

export interface Device {
  /** Time from a frame's arrival until the device processes it, in nanoseconds. */
  readonly processingNs: number;
  /** Whether the device forwards all frames at layer 2, so that several such devices can form a loop. */
  readonly forwards: boolean;
  readonly console: DeviceConsole | undefined;
  /** Powers the device on: runs its start-up script and sends its first frames. Called once, in place of `resume`. */
  start(): void;
  /** Resumes the device with the state of an earlier run: restarts its background timers. Called once. */
  resume(): void;
  /** Receives a frame. The frame is shared with other devices and must not be modified. */
  receive(port: number, frame: Uint8Array): void;
  /**
   * Takes back a frame that the device has sent, because its network packet is larger than the MTU of the link. Absent for devices
   * that do not see that MTU: the link drops their frames.
   */
  refused?(port: number, frame: Uint8Array, mtuBytes: number): void;
  /** Whether the link itself reports packets over its MTU to the device and the hosts behind it (simulation/refit.ts), in place of `refused`. */
  readonly linkReports?: boolean;
  /**
   * The link at a port has lost its carrier, or has it again. Calls that change nothing have no effect. Absent for devices that do not
   * care.
   */
  linkChanged?(port: number, isUp: boolean): void;
  /** Whether a suspended link takes the carrier from the device's port, as a hypervisor does with the card of a machine. */
  readonly seesSuspension?: boolean;
  /** Ports that are without a carrier, as far as the device knows. */
  readonly portsDown?: readonly number[];
  /** Whether it has not yet done what it does at power-on. Absent for devices that do it at once. */
  readonly isStarting?: boolean;
  /** Reads a file of the device, and calls back once. Absent for devices without files. */
  readFile?(path: string, maxBytes: number, call: (read: ReadFile) => void): void;
  /** Runs a shell script beside the console, and calls back once. Absent for devices without a shell. */
  runScript?(script: string, call: (result: ScriptResult) => void): void;
  /** Returns plain JSON data from which `makeDevice` restores the device. */
  saveState(): unknown;
  /**
   * Returns the device at this moment, without changing it: what its waiting timers, commands and packets are, too. A graph of plain
   * objects, Maps, Sets, bytes and timers (base/graph.ts). Absent for devices that cannot be saved in the middle of a run.
   */
  freeze?(): Frozen;
  /** Continues, in place of `start` or `resume`, with what `freeze` returned; the device was made with its `state`. */
  thaw?(held: unknown): void;
}

export interface Frozen {
  /** What `makeDevice` gets. */
  readonly state: unknown;
  readonly held?: unknown;
}

/** Something of a device has no form as data. @param what a phrase: "the command `trace 10.0.0.2`" */
export class CannotSaveError extends Error {
  override readonly name = "CannotSaveError";
}
