/** The world of a PC, with a listener for its console output. */
import type { FrameSlab } from "../../base/frame-slab.ts";
import type { RandomStream } from "../../base/random.ts";
import type { Timer, TimerKind, World } from "../device.ts";

export class PcWorld implements World {
  readonly random: RandomStream;
  readonly frames: FrameSlab;
  readonly #outside: World;
  /** Called with the PC's output while it is set. */
  listener: ((text: string) => void) | undefined;

  constructor(outside: World) {
    this.#outside = outside;
    this.random = outside.random;
    this.frames = outside.frames;
  }

  get nowUs(): number {
    return this.#outside.nowUs;
  }

  send(port: number, frame: Uint8Array): void {
    this.#outside.send(port, frame);
  }

  after(delayUs: number, call: () => void, kind?: TimerKind): Timer {
    return this.#outside.after(delayUs, call, kind);
  }

  discard(reason: string): void {
    this.#outside.discard?.(reason);
  }

  print(text: string): void {
    this.listener?.(text);
    this.#outside.print(text);
  }
}
