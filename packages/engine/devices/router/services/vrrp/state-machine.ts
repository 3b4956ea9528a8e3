/**
 * The state machine of one virtual router (RFC 9568, section 6.4).
 *
 *     initialize --up, owner-----------------------------> master
 *     initialize --up--> backup --master down timer------> master
 *     backup <--an advertisement with more priority------- master
 *
 * A backup waits for three advertisement intervals of the master and a skew, which is shorter the higher its own priority is. The timers
 * are in the background, except for the first wait: a run goes on until the virtual router has a master.
 */

import type { Timer, TimerKind, World } from "../../../../base/world.ts";
import { PRIORITY_OWNER, PRIORITY_STOPS } from "../../../../wire/vrrp.ts";

export type VrrpState = "initialize" | "backup" | "master";

/** The settings that apply now. */
export interface Role {
  readonly priority: number;
  readonly intervalCs: number;
  readonly preempt: boolean;
}

export interface VrrpEvents {
  role(): Role;
  advertise(priority: number): void;
  /** Announces the virtual addresses to the stations of the link. */
  announce(): void;
  /** The router became the master, or is it no longer. */
  changed(): void;
}

export interface SavedVirtualRouter {
  readonly state: VrrpState;
  /** Until the timer of the state fires. */
  readonly waitUs: number;
  /** The interval of the master. */
  readonly intervalCs: number;
  readonly master?: string;
}

/** An advertisement of another router. */
export interface HeardAdvertisement {
  readonly priority: number;
  readonly intervalCs: number;
  /** Decides between routers with the same priority. */
  readonly hasHigherAddress: boolean;
  readonly from: string;
}

const CENTISECOND_US = 10_000;

export class VirtualRouter {
  readonly #world: World;
  readonly #events: VrrpEvents;
  #state: VrrpState = "initialize";
  /** The master's; a backup's own until it hears one. */
  #intervalCs = 0;
  #timer: Timer | undefined;
  #dueUs = 0;
  #master: string | undefined;

  constructor(world: World, events: VrrpEvents) {
    this.#world = world;
    this.#events = events;
  }

  get state(): VrrpState {
    return this.#state;
  }

  /** The address of the master that a backup hears. */
  get master(): string | undefined {
    return this.#master;
  }

  /** The interface is up. */
  startup(): void {
    if (this.#state !== "initialize") return;
    const { priority, intervalCs } = this.#events.role();
    this.#intervalCs = intervalCs;
    if (priority === PRIORITY_OWNER) this.#becomeMaster();
    else {
      this.#state = "backup";
      this.#wait(this.#masterDownUs(), "foreground");
    }
  }

  /** The interface is down, or the virtual router is removed. */
  shutdown(): void {
    const wasMaster = this.#state === "master";
    if (wasMaster) this.#events.advertise(PRIORITY_STOPS);
    this.#timer?.cancel();
    this.#state = "initialize";
    this.#master = undefined;
    if (wasMaster) this.#events.changed();
  }

  hear(heard: HeardAdvertisement): void {
    if (this.#state === "backup") this.#hearAsBackup(heard);
    else if (this.#state === "master") this.#hearAsMaster(heard);
  }

  save(): SavedVirtualRouter {
    return {
      state: this.#state,
      waitUs: Math.max(0, this.#dueUs - this.#world.nowUs),
      intervalCs: this.#intervalCs,
      ...(this.#master !== undefined && { master: this.#master }),
    };
  }

  /** Continues in a saved state. The caller restores the tables. */
  restore({ state, waitUs, intervalCs, master }: SavedVirtualRouter): void {
    this.#state = state;
    this.#intervalCs = intervalCs;
    this.#master = master;
    if (state !== "initialize") this.#wait(waitUs);
  }

  freeze() {
    return {
      state: this.#state,
      intervalCs: this.#intervalCs,
      timer: this.#timer,
      dueUs: this.#dueUs,
      master: this.#master,
    };
  }

  thaw({ state, intervalCs, timer, dueUs, master }: ReturnType<VirtualRouter["freeze"]>): void {
    this.#state = state;
    this.#intervalCs = intervalCs;
    this.#timer = timer;
    this.#dueUs = dueUs;
    this.#master = master;
    timer?.resume?.(() => this.#expire());
  }

  #hearAsBackup({ priority, intervalCs, from }: HeardAdvertisement): void {
    const role = this.#events.role();
    if (priority === PRIORITY_STOPS) this.#wait(this.#skewUs());
    else if (!role.preempt || priority >= role.priority) {
      this.#intervalCs = intervalCs;
      this.#master = from;
      this.#wait(this.#masterDownUs());
    }
  }

  #hearAsMaster(heard: HeardAdvertisement): void {
    const { priority } = this.#events.role();
    const isBetter = heard.priority > priority || (heard.priority === priority && heard.hasHigherAddress);
    if (isBetter) {
      this.#state = "backup";
      this.#intervalCs = heard.intervalCs;
      this.#master = heard.from;
      this.#wait(this.#masterDownUs());
      this.#events.changed();
    } else this.#advertise();
  }

  #expire(): void {
    if (this.#state === "backup") this.#becomeMaster();
    else this.#advertise();
  }

  #becomeMaster(): void {
    this.#state = "master";
    this.#master = undefined;
    this.#events.changed();
    this.#advertise();
    this.#events.announce();
  }

  #advertise(): void {
    const { priority, intervalCs } = this.#events.role();
    this.#intervalCs = intervalCs;
    this.#events.advertise(priority);
    this.#wait(intervalCs * CENTISECOND_US);
  }

  #skewUs(): number {
    const { priority } = this.#events.role();
    return Math.floor(((256 - priority) * this.#intervalCs * CENTISECOND_US) / 256);
  }

  #masterDownUs(): number {
    return 3 * this.#intervalCs * CENTISECOND_US + this.#skewUs();
  }

  #wait(waitUs: number, kind: TimerKind = "background"): void {
    this.#timer?.cancel();
    this.#dueUs = this.#world.nowUs + waitUs;
    this.#timer = this.#world.after(waitUs, () => this.#expire(), kind);
  }
}

declare module "../base/service.ts" {
  interface SavedServices {
    /** The virtual routers by interface, number and family. */
    readonly vrrp?: Readonly<Record<string, SavedVirtualRouter>>;
  }
}
