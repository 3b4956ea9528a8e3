/**
 * A connection with its timers. Segments, timers and calls change its state one at a time; what they report reaches the application
 * afterwards, so that a call of the application never happens in the middle of a segment.
 */
import type { Timer, World } from "../../base/world.ts";
import { arrive } from "./arrive.ts";
import * as calls from "./calls.ts";
import { type Opening, openActively, openPassively } from "./make-tcb.ts";
import { shrinkSegments } from "./path-mtu.ts";
import type { Piece } from "./send-queue.ts";
import type { Deadlines, Outlet, Segment, Tcb, TcpEvent } from "./tcb.ts";
import { handleTimers } from "./timers.ts";

/** Probes of a closed window that keep a run going; later ones do not, so that a run with a peer that never reads ends. */
const FOREGROUND_PROBES = 6;

/** Timers that keep a run going in any case. */
const TRANSFER_TIMERS = ["retransmitUs", "acknowledgeUs", "reorderUs", "probeUs", "paceUs"] as const;

interface Armed {
  readonly timer: Timer;
  readonly atUs: number;
}

/** The timers of a connection. */
export interface Alarms {
  readonly foreground: Armed | undefined;
  readonly background: Armed | undefined;
}

export interface ConnectionEvents {
  transmit(segment: Segment): void;
  report(event: TcpEvent): void;
}

export class Connection {
  readonly tcb: Tcb;
  readonly #world: World;
  readonly #events: ConnectionEvents;
  readonly #reports: TcpEvent[] = [];
  #isBusy = false;
  #foreground: Armed | undefined;
  #background: Armed | undefined;

  private constructor(world: World, events: ConnectionEvents, make: (outlet: Outlet) => Tcb, arms = true) {
    this.#world = world;
    this.#events = events;
    this.tcb = make(this.#outlet());
    if (arms) this.#arm();
  }

  static open(world: World, events: ConnectionEvents, opening: Opening): Connection {
    return new Connection(world, events, (outlet) => openActively(opening, outlet));
  }

  static accept(world: World, events: ConnectionEvents, opening: Opening, syn: Segment): Connection {
    return new Connection(world, events, (outlet) => openPassively(opening, syn, outlet));
  }

  /** Continues with a state of an earlier run. */
  static resume(world: World, events: ConnectionEvents, tcb: Tcb): Connection {
    return new Connection(world, events, () => tcb);
  }

  arrive(segment: Segment): void {
    this.#change((outlet) => arrive(this.tcb, segment, outlet));
  }

  send(piece: Piece): void {
    this.#change((outlet) => calls.send(this.tcb, piece, outlet));
  }

  close(): void {
    this.#change((outlet) => calls.close(this.tcb, outlet));
  }

  /** Drops what is queued and not sent. */
  cutUnsent(): void {
    calls.cutUnsent(this.tcb);
  }

  abort(): void {
    this.#change((outlet) => calls.abort(this.tcb, outlet));
  }

  pause(isPaused: boolean): void {
    this.#change((outlet) => calls.pause(this.tcb, isPaused, outlet));
  }

  shrinkSegments(mssBytes: number): void {
    this.#change((outlet) => shrinkSegments(this.tcb, mssBytes, outlet));
  }

  #change(change: (outlet: Outlet) => void): void {
    change(this.#outlet());
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let event = this.#reports.shift(); event !== undefined; event = this.#reports.shift())
      this.#events.report(event);
    this.#isBusy = false;
    this.#arm();
  }

  #outlet(): Outlet {
    return {
      nowUs: this.#world.nowUs,
      transmit: (segment) => this.#events.transmit(segment),
      report: (event) => this.#reports.push(event),
    };
  }

  #arm(): void {
    const { deadlines, attempts } = this.tcb;
    const persists = attempts < FOREGROUND_PROBES;
    this.#foreground = this.#rearm(
      this.#foreground,
      earliest(deadlines, persists ? [...TRANSFER_TIMERS, "persistUs"] : TRANSFER_TIMERS),
      "foreground",
    );
    this.#background = this.#rearm(
      this.#background,
      earliest(deadlines, persists ? ["forgetUs"] : ["forgetUs", "persistUs"]),
      "background",
    );
  }

  /** Keeps a timer that ends too early: deadlines move with almost every segment, and it then finds the new one. */
  #rearm(
    armed: Armed | undefined,
    atUs: number | undefined,
    kind: "foreground" | "background",
  ): Armed | undefined {
    if (armed !== undefined && atUs !== undefined && armed.atUs <= atUs) return armed;
    armed?.timer.cancel();
    if (atUs === undefined) return undefined;
    const delayUs = Math.max(0, Math.ceil(atUs - this.#world.nowUs));
    return { atUs, timer: this.#world.after(delayUs, () => this.#ring(kind), kind) };
  }

  /** The timers that are set; the rest is in `tcb`. */
  freeze(): Alarms {
    return { foreground: this.#foreground, background: this.#background };
  }

  /** Continues in the middle of a run. */
  static thaw(
    world: World,
    events: ConnectionEvents,
    tcb: Tcb,
    { foreground, background }: Alarms,
  ): Connection {
    const connection = new Connection(world, events, () => tcb, false);
    connection.#foreground = foreground;
    connection.#background = background;
    foreground?.timer.resume?.(() => connection.#ring("foreground"));
    background?.timer.resume?.(() => connection.#ring("background"));
    return connection;
  }

  #ring(kind: "foreground" | "background"): void {
    if (kind === "foreground") this.#foreground = undefined;
    else this.#background = undefined;
    this.#change((outlet) => handleTimers(this.tcb, outlet));
  }
}

function earliest(deadlines: Deadlines, names: readonly (keyof Deadlines)[]): number | undefined {
  const times = names.flatMap((name) => deadlines[name] ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}
