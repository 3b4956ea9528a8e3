/** A simulated PC in real time, so that it can share a cable with a real program. */

import { makeStream } from "@wirelab/engine/base/random";
import type { Timer, World } from "@wirelab/engine/devices/device";
import { Pc, type PcSpec } from "@wirelab/engine/devices/pc/index";
import { FrameSlab } from "../../../packages/engine/base/frame-slab.ts";
import { type CableEnd, wallClockUs } from "./real-vpcs.ts";

export class RealTimePc implements CableEnd {
  readonly name: string;
  readonly #pc: Pc;
  readonly #timers = new Set<NodeJS.Timeout>();
  #printed = "";
  onFrame: (frame: Uint8Array) => void = () => {};

  /** @param name of the cable's end; the PC's own name is in the specification. */
  constructor(name: string, spec: PcSpec) {
    this.name = name;
    this.#pc = new Pc(spec, this.#world());
  }

  start(): void {
    this.#pc.start();
  }

  /** Delivers later, never within the sender's call, as a real cable does. */
  deliver(frame: Uint8Array): void {
    this.#after(0, () => this.#pc.receive(0, frame));
  }

  /** Runs a line. @returns its output, without the line itself and the prompts. */
  async type(line: string): Promise<string> {
    this.#printed = "";
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pc.console.enter(line, resolve);
    await promise;
    return withoutPrompts(this.#printed);
  }

  /** Stops all activity. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.onFrame = () => {};
  }

  #world(): World {
    const self = this;
    return {
      get nowUs() {
        return wallClockUs();
      },
      random: makeStream("proof", this.name),
      frames: new FrameSlab(),
      send: (_port, frame) => self.onFrame(frame),
      after: (delayUs, call) => self.#after(delayUs / 1000, call),
      print(text) {
        self.#printed += text;
      },
    };
  }

  #after(delayMs: number, call: () => void): Timer {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      call();
    }, delayMs);
    this.#timers.add(timer);
    return {
      cancel: () => {
        clearTimeout(timer);
        this.#timers.delete(timer);
      },
    };
  }
}

/** A transcript from the line typed to the next prompt, without either and without the prompt's empty line. */
export const withoutPrompts = (transcript: string): string =>
  transcript.slice(transcript.indexOf("\n") + 1).replace(/\n?[^\n>]+> $/, "");
