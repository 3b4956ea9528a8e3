/**
 * Runs the scripts of a PC, several at once: each waits for a packet, for a time, or for the earlier of both.
 *
 * Offers a packet to the scripts in the order of their spawning. A script only runs inside `spawn`, `offer` or a timer of the
 * world, until its next `yield`.
 */
import { NEIGHBOUR_ADVERTISEMENT } from "../../wire/icmpv6.ts";
import { PROTOCOL_ICMPV6 } from "../../wire/ipv4.ts";
import type { Timer, World } from "../device.ts";
import type { Received, Script, Wait } from "./host.ts";
import type { Notes } from "./notes.ts";

/** Makes the script of a kind. @param stop ends the script early */
type Maker = (notes: Notes, stop: () => void) => Script<unknown>;

/** A script that waits. */
export interface FrozenScript {
  readonly kind: string;
  readonly notes: Notes;
  readonly timer: Timer | undefined;
}

interface Running {
  readonly kind: string;
  readonly notes: Notes;
  readonly script: Script<unknown>;
  /** Called when the wait's time is over. */
  readonly wake: () => void;
  /** Undefined while the script runs, and after its end. */
  wait: Wait | undefined;
  timer: Timer | undefined;
  isStopped: boolean;
}

/** Several scripts may have asked for the same neighbour. */
function isNeighbourAdvertisement(packet: Received): boolean {
  if (packet.kind !== "ipv6" || packet.header.nextHeader !== PROTOCOL_ICMPV6) return false;
  return packet.payload[0] === NEIGHBOUR_ADVERTISEMENT;
}

export class Scripts {
  readonly #world: World;
  readonly #makers = new Map<string, Maker>();
  /** In the order of spawning. Replaced, never mutated: a script spawned during `offer` must not see the offered packet. */
  #running: readonly Running[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  get count(): number {
    return this.#running.length;
  }

  /** Sets how a script of a kind is made from its notes. */
  define(kind: string, make: Maker): void {
    this.#makers.set(kind, make);
  }

  /** Starts a script at once. `stop` runs its finally blocks; it does nothing after the script's end. */
  spawn(kind: string, notes: Notes): { stop(): void } {
    const running = this.#add(kind, notes);
    this.#goOn(running, undefined);
    return { stop: () => this.#stop(running) };
  }

  freeze(): FrozenScript[] {
    return this.#running.map(({ kind, notes, timer }) => ({ kind, notes, timer }));
  }

  /** Brings the scripts to the waits at which they were; they must do nothing on the way. */
  thaw(scripts: readonly FrozenScript[]): void {
    for (const { kind, notes, timer } of scripts) {
      const running = this.#add(kind, notes);
      const { done, value } = running.script.next();
      if (done) throw new Error(`The restored script "${kind}" has come to its end`);
      running.wait = value;
      running.timer = timer;
      timer?.resume?.(running.wake);
    }
  }

  #add(kind: string, notes: Notes): Running {
    const make = this.#makers.get(kind);
    if (make === undefined) throw new Error(`No script has the kind "${kind}"`);
    const running: Running = {
      kind,
      notes,
      script: make(notes, () => this.#stop(running)),
      wake: () => this.#goOn(running, undefined),
      wait: undefined,
      timer: undefined,
      isStopped: false,
    };
    this.#running = [...this.#running, running];
    return running;
  }

  /**
   * Wakes the first script that accepts the packet; for ARP and neighbour advertisements, every such script.
   * @returns whether the packet is consumed.
   */
  offer(packet: Received): boolean {
    const isShared = packet.kind === "arp" || isNeighbourAdvertisement(packet);
    for (const running of this.#running) {
      if (!running.wait?.accept?.(packet)) continue;
      this.#goOn(running, packet);
      if (!isShared) return true;
    }
    return false;
  }

  #goOn(running: Running, packet: Received | undefined): void {
    this.#disarm(running);
    const { done, value } = running.script.next(packet);
    if (done) this.#remove(running);
    else if (running.isStopped) this.#end(running);
    else this.#arm(running, value);
  }

  #arm(running: Running, wait: Wait): void {
    running.wait = wait;
    if (wait.timeoutUs === Number.POSITIVE_INFINITY) return;
    const kind = wait.background ? "background" : "foreground";
    running.timer = this.#world.after(wait.timeoutUs, running.wake, kind);
  }

  #disarm(running: Running): void {
    running.timer?.cancel();
    running.timer = undefined;
    running.wait = undefined;
  }

  #stop(running: Running): void {
    if (!this.#running.includes(running)) return;
    running.isStopped = true;
    // A script that stops itself is still running: it ends at its next yield.
    if (running.wait !== undefined) this.#end(running);
  }

  #end(running: Running): void {
    this.#disarm(running);
    this.#remove(running);
    running.script.return(undefined);
  }

  #remove(running: Running): void {
    this.#running = this.#running.filter((each) => each !== running);
  }
}
