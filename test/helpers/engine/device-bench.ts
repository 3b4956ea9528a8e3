/** Wires devices back to back, without links between them, for tests of a single device. */

import { EventQueue } from "@wirelab/engine/base/event-queue";
import { makeStream } from "@wirelab/engine/base/random";
import type { Device, Timer, World } from "@wirelab/engine/devices/device";
import { FrameSlab } from "../../../packages/engine/base/frame-slab.ts";

export interface SeenFrame {
  /** Microseconds from the bench's start. */
  readonly atUs: number;
  readonly from: string;
  readonly port: number;
  readonly frame: Uint8Array;
}

type Place = readonly [name: string, port: number];

/** 2026-01-01 00:00:00 UTC */
export const BENCH_START_US = 1_767_225_600_000_000;
const WIRE_NS = 1_000;

interface Event {
  readonly call: () => void;
  readonly background: boolean;
  cancelled: boolean;
}

/**
 *     const bench = new DeviceBench();
 *     bench.add("A", (world) => new Pc(spec, world));
 *     bench.wire(["A", 0], ["B", 0]);
 *     bench.type("A", "ping 10.0.0.2");   // runs until nothing is left to happen; the transcript
 */
export class DeviceBench {
  readonly #queue = new EventQueue<Event>();
  readonly #devices = new Map<string, Device>();
  readonly #wires = new Map<string, Place>();
  readonly #transcripts = new Map<string, string>();
  #foreground = 0;
  /** Every frame that was sent, in order. */
  readonly frames: SeenFrame[] = [];

  get nowUs(): number {
    return Math.floor(this.#queue.nowNs / 1000);
  }

  /** Creates a device. It neither starts nor resumes by itself. */
  add<D extends Device>(name: string, make: (world: World) => D): D {
    const device = make(this.#worldOf(name));
    this.#devices.set(name, device);
    return device;
  }

  wire(one: Place, other: Place): void {
    this.#wires.set(`${one[0]}/${one[1]}`, other);
    this.#wires.set(`${other[0]}/${other[1]}`, one);
  }

  /** Delivers a frame to a device, after the frames in transit. */
  inject(name: string, port: number, frame: Uint8Array): void {
    this.#at(0, () => this.#device(name).receive(port, frame));
  }

  /** Runs the lines to their end. @returns the console's output since the last call, with the prompt before the first line. */
  type(name: string, ...lines: readonly string[]): string {
    this.begin(name, ...lines);
    this.run();
    return this.transcript(name);
  }

  /** Types lines one after another, without running them yet. */
  begin(name: string, ...lines: readonly string[]): void {
    const terminal = this.#device(name).console;
    if (terminal === undefined) throw new Error(`${name} has no console`);
    this.#transcripts.set(name, terminal.prompt);
    const next = ([line, ...rest]: readonly string[]): void => {
      if (line !== undefined) terminal.enter(line, () => next(rest));
    };
    next(lines);
  }

  transcript(name: string): string {
    return this.#transcripts.get(name) ?? "";
  }

  /** Runs until only background timers wait, or until `untilUs` microseconds from the bench's start. */
  run(untilUs = Number.POSITIVE_INFINITY): void {
    const endNs = untilUs * 1000;
    const hasDuration = Number.isFinite(endNs);
    while (this.#queue.nextTimeNs <= endNs && (hasDuration || this.#foreground > 0)) {
      const event = this.#queue.pop()!;
      if (event.cancelled) continue;
      if (!event.background) this.#foreground -= 1;
      event.cancelled = true;
      event.call();
    }
    if (hasDuration && endNs > this.#queue.nowNs) this.#queue.advanceTo(endNs);
  }

  #device(name: string): Device {
    const device = this.#devices.get(name);
    if (device === undefined) throw new Error(`There is no device ${name}`);
    return device;
  }

  #at(delayNs: number, call: () => void, background = false): Timer {
    const event: Event = { call, background, cancelled: false };
    this.#queue.push(this.#queue.nowNs + delayNs, event);
    if (!background) this.#foreground += 1;
    return {
      cancel: () => {
        if (event.cancelled) return;
        event.cancelled = true;
        if (!background) this.#foreground -= 1;
      },
    };
  }

  #worldOf(name: string): World {
    const bench = this;
    return {
      get nowUs() {
        return BENCH_START_US + bench.nowUs;
      },
      random: makeStream("bench", name),
      frames: new FrameSlab(),
      send(port, frame) {
        bench.frames.push({ atUs: bench.nowUs, from: name, port, frame });
        const target = bench.#wires.get(`${name}/${port}`);
        if (target === undefined) return;
        const device = bench.#device(target[0]);
        bench.#at(WIRE_NS + device.processingNs, () => device.receive(target[1], frame));
      },
      after: (delayUs, call, kind) => bench.#at(delayUs * 1000, call, kind === "background"),
      print(text) {
        bench.#transcripts.set(name, bench.transcript(name) + text);
      },
    };
  }
}
