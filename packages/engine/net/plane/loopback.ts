/** Packets from a router to itself: they are not sent on a link, and arrive in an event of their own. */
import type { Timer, World } from "../../base/world.ts";

export interface Looped {
  /** The index of the interface. */
  readonly port: number;
  readonly frame: Uint8Array;
  timer: Timer | undefined;
}

export class Loopback {
  readonly #world: World;
  readonly #deliver: (port: number, frame: Uint8Array) => void;
  readonly #waiting = new Set<Looped>();

  constructor(world: World, deliver: (port: number, frame: Uint8Array) => void) {
    this.#world = world;
    this.#deliver = deliver;
  }

  send(port: number, frame: Uint8Array): void {
    const looped: Looped = { port, frame, timer: undefined };
    this.#waiting.add(looped);
    looped.timer = this.#world.after(0, () => this.#arrive(looped));
  }

  freeze(): ReadonlySet<Looped> {
    return this.#waiting;
  }

  thaw(waiting: ReadonlySet<Looped>): void {
    for (const looped of waiting) {
      this.#waiting.add(looped);
      looped.timer?.resume?.(() => this.#arrive(looped));
    }
  }

  #arrive(looped: Looped): void {
    this.#waiting.delete(looped);
    this.#deliver(looped.port, looped.frame);
  }
}
