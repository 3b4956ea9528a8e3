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

  /** Set while scripts are brought to the waits at which they were saved: nothing may happen then. */
  isRestoring = false;

  send(port: number, frame: Uint8Array): void {
    this.#refuseRepetition();
    this.#outside.send(port, frame);
  }

  after(delayUs: number, call: () => void, kind?: TimerKind): Timer {
    return this.#outside.after(delayUs, call, kind);
  }

  discard(reason: string): void {
    this.#outside.discard?.(reason);
  }

  print(text: string): void {
    this.#refuseRepetition();
    this.listener?.(text);
    this.#outside.print(text);
  }

  #refuseRepetition(): void {
    if (this.isRestoring) throw new Error("A restored script repeats what it has done");
  }
}
