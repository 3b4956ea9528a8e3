/** One TCP connection against a scripted peer, or two against each other over a wire that a test controls. */
import { EventQueue } from "@wirelab/engine/base/event-queue";
import { makeStream } from "@wirelab/engine/base/random";
import type { World } from "@wirelab/engine/devices/device";
import { FrameSlab } from "../../../packages/engine/base/frame-slab.ts";
import { Connection } from "../../../packages/engine/net/tcp/connection.ts";
import type { TcpSettings } from "../../../packages/engine/net/tcp/settings.ts";
import type { Segment, Tcb, TcpEvent } from "../../../packages/engine/net/tcp/tcb.ts";
import {
  TCP_ACK,
  TCP_CWR,
  TCP_ECE,
  TCP_FIN,
  TCP_PSH,
  TCP_RST,
  TCP_SYN,
} from "../../../packages/engine/wire/tcp.ts";

const START_US = 1_767_225_600_000_000;
const NOTHING = new Uint8Array(0);

const SETTINGS: TcpSettings = {
  congestion: "newreno",
  receiveBufferBytes: 65_535,
  windowScaling: true,
  timestamps: false,
  sack: true,
};

interface Event {
  readonly call: () => void;
  readonly background: boolean;
  cancelled: boolean;
}

/** A clock and its timers. */
class Clock {
  readonly #queue = new EventQueue<Event>();
  #foreground = 0;

  get nowUs(): number {
    return Math.floor(this.#queue.nowNs / 1000);
  }

  readonly world: World = ((clock: Clock) => ({
    get nowUs() {
      return START_US + clock.nowUs;
    },
    random: makeStream("tcp"),
    frames: new FrameSlab(),
    send: () => undefined,
    after: (delayUs, call, kind) => clock.after(delayUs, call, kind === "background"),
    print: () => undefined,
  }))(this);

  after(delayUs: number, call: () => void, background = false): { cancel(): void } {
    const event: Event = { call, background, cancelled: false };
    this.#queue.push(this.#queue.nowNs + delayUs * 1000, event);
    if (!background) this.#foreground += 1;
    return {
      cancel: () => {
        if (event.cancelled) return;
        event.cancelled = true;
        if (!background) this.#foreground -= 1;
      },
    };
  }

  /** Runs until only background timers wait, or until `untilUs` from the start. */
  run(untilUs = Number.POSITIVE_INFINITY): void {
    const endNs = untilUs * 1000;
    const lasts = Number.isFinite(endNs);
    while (this.#queue.nextTimeNs <= endNs && (lasts || this.#foreground > 0)) {
      const event = this.#queue.pop()!;
      if (event.cancelled) continue;
      if (!event.background) this.#foreground -= 1;
      event.cancelled = true;
      event.call();
    }
    if (lasts && endNs > this.#queue.nowNs) this.#queue.advanceTo(endNs);
  }
}

/** `SYN,ACK 0:1 ack 1 win 100 len 0`: flags and figures relative to the initial sequence numbers. */
function describeFlags(flags: number): string {
  const names: [number, string][] = [
    [TCP_SYN, "SYN"],
    [TCP_FIN, "FIN"],
    [TCP_RST, "RST"],
    [TCP_PSH, "PSH"],
    [TCP_ACK, "ACK"],
    [TCP_ECE, "ECE"],
    [TCP_CWR, "CWR"],
  ];
  return names.flatMap(([flag, name]) => (flags & flag ? [name] : [])).join(",");
}

/** The initial sequence numbers of connections in tests; the own one is near the end, so that numbers wrap. */
const OWN = 0xffff_ff00;
const PEER = 5_000;

/** A connection whose peer is the test. */
export class Scripted {
  readonly clock = new Clock();
  readonly sent: { readonly atUs: number; readonly segment: Segment }[] = [];
  readonly events: TcpEvent[] = [];
  readonly connection: Connection;
  /** The window that `peer` announces. */
  window = 65_535;

  constructor(
    settings: Partial<TcpSettings> = {},
    role: "active" | { readonly syn: Partial<Segment> } | { readonly tcb: Tcb } = "active",
    mssBytes = 1_000,
  ) {
    const opening = {
      settings: { ...SETTINGS, ...settings },
      initial: OWN,
      mssBytes,
      nowUs: START_US,
    };
    const events = {
      transmit: (segment: Segment) => void this.sent.push({ atUs: this.clock.nowUs, segment }),
      report: (event: TcpEvent) => void this.events.push(event),
    };
    const { world } = this.clock;
    this.connection =
      role === "active"
        ? Connection.open(world, events, opening)
        : "tcb" in role
          ? Connection.resume(world, events, role.tcb)
          : Connection.accept(
              world,
              events,
              opening,
              this.#segment({ sequence: PEER, flags: TCP_SYN, ...role.syn }),
            );
  }

  /** Continues a connection that was saved with its numbers. */
  static resume(tcb: Tcb): Scripted {
    return new Scripted({}, { tcb });
  }

  get state(): string {
    return this.connection.tcb.state;
  }

  /** What was sent since the last call: flags, and figures relative to the initial numbers. */
  take(): string[] {
    return this.sent.splice(0).map(({ segment: { sequence, acknowledgement, flags, data } }) => {
      const from = (sequence - OWN) >>> 0;
      const range = `${from}:${from + data.length}`;
      const answer = flags & TCP_ACK ? ` ack ${(acknowledgement - PEER) >>> 0}` : "";
      return `${describeFlags(flags)} ${range}${answer}`;
    });
  }

  /** Delivers a segment with numbers relative to the initial ones. */
  peer(flags: number, from: number, ack?: number, rest: Partial<Omit<Segment, "sack">> = {}): void {
    this.connection.arrive(
      this.#segment({
        sequence: (PEER + from) >>> 0,
        ...(ack !== undefined && { acknowledgement: (OWN + ack) >>> 0 }),
        flags: ack === undefined ? flags : flags | TCP_ACK,
        ...rest,
      }),
    );
  }

  /** An acknowledgement with SACK blocks, relative to the own initial number. */
  report(ack: number, ...blocks: readonly (readonly [number, number])[]): void {
    this.peer(TCP_ACK, 1, ack, {
      options: { sack: blocks.map(([start, end]) => [(OWN + start) >>> 0, (OWN + end) >>> 0] as const) },
    });
  }

  #segment(fields: Partial<Segment>): Segment {
    return {
      sequence: 0,
      acknowledgement: 0,
      flags: 0,
      window: this.window,
      options: {},
      data: NOTHING,
      ...fields,
    };
  }
}

/** An open connection in both directions: the handshake is over, and what was sent is forgotten. */
export function established(
  settings: Partial<TcpSettings> = {},
  options: Segment["options"] = {},
  mssBytes = 1_000,
): Scripted {
  const scripted = new Scripted(settings, "active", mssBytes);
  scripted.clock.run(10_000);
  const offered = { mssBytes, ...(settings.sack !== false && { isSackPermitted: true }), ...options };
  scripted.peer(TCP_SYN, 0, 1, { options: offered });
  scripted.take();
  scripted.events.splice(0);
  return scripted;
}

export interface Crossing {
  readonly from: "a" | "b";
  /** Counts the segments of a direction from 0. */
  readonly number: number;
  readonly segment: Segment;
  readonly atUs: number;
}

interface PairOptions {
  readonly settings?: Partial<TcpSettings>;
  readonly mssBytes?: number;
  /** One way. */
  readonly delayUs?: number;
  /** Bits per second of a bottleneck from a to b with a queue of `queueSegments`; none if absent. */
  readonly rateBps?: number;
  readonly queueSegments?: number;
  readonly loses?: (crossing: Crossing) => boolean;
  /** How much later a segment arrives than its delay: others overtake it. */
  readonly lateUs?: (crossing: Crossing) => number;
  /** Marks segments that are capable of it. */
  readonly marks?: (crossing: Crossing) => boolean;
  /** Both sides open at the same time. */
  readonly isSimultaneous?: boolean;
}

/** Two connections: `a` opens, `b` accepts. */
export class Pair {
  readonly clock = new Clock();
  readonly a: Connection;
  #b: Connection | undefined;
  readonly crossings: Crossing[] = [];
  /** Text that arrived. */
  readonly received = { a: "", b: "" };
  /** Bytes that arrived at an end that discards them. */
  discarded = 0;
  readonly events: { a: string[]; b: string[] } = { a: [], b: [] };
  readonly #options: PairOptions;
  readonly #counts = { a: 0, b: 0 };
  #freeNs = 0;

  constructor(options: PairOptions = {}) {
    this.#options = options;
    this.a = Connection.open(this.clock.world, this.#events("a"), this.#opening(OWN));
    if (options.isSimultaneous)
      this.#b = Connection.open(this.clock.world, this.#events("b"), this.#opening(PEER));
  }

  get b(): Connection {
    if (this.#b === undefined) throw new Error("no SYN has arrived");
    return this.#b;
  }

  run(untilUs?: number): void {
    this.clock.run(untilUs);
  }

  #opening(initial: number) {
    const { settings, mssBytes = 1_000 } = this.#options;
    return { settings: { ...SETTINGS, ...settings }, initial, mssBytes, nowUs: this.clock.world.nowUs };
  }

  #events(from: "a" | "b") {
    return {
      transmit: (segment: Segment) => this.#cross(from, segment),
      report: (event: TcpEvent) => {
        if (event.kind === "data" && typeof event.bytes === "number") this.discarded += event.bytes;
        else if (event.kind === "data") this.received[from] += event.bytes;
        else
          this.events[from].push(
            event.kind === "closed" && event.reason ? `closed: ${event.reason}` : event.kind,
          );
      },
    };
  }

  #cross(from: "a" | "b", segment: Segment): void {
    const crossing = { from, number: this.#counts[from]++, segment, atUs: this.clock.nowUs };
    this.crossings.push(crossing);
    if (this.#options.loses?.(crossing)) return;
    const { delayUs = 10_000 } = this.#options;
    const waitUs = this.#queueUs(from, segment.data.length);
    if (waitUs === undefined) return;
    const isMarked = segment.codepoint !== undefined && this.#options.marks?.(crossing);
    const landed = isMarked ? { ...segment, codepoint: 3 } : segment;
    const lateUs = this.#options.lateUs?.(crossing) ?? 0;
    this.clock.after(delayUs + waitUs + lateUs, () => this.#land(from, landed));
  }

  #queueUs(from: "a" | "b", bytes: number): number | undefined {
    const { rateBps, queueSegments = 100 } = this.#options;
    if (rateBps === undefined || from === "b") return 0;
    const nowUs = this.clock.nowUs;
    const serialUs = ((bytes + 54) * 8e6) / rateBps;
    const startUs = Math.max(nowUs, this.#freeNs);
    if ((startUs - nowUs) / serialUs > queueSegments) return undefined;
    this.#freeNs = startUs + serialUs;
    return Math.round(this.#freeNs - nowUs);
  }

  #land(from: "a" | "b", segment: Segment): void {
    if (from === "b") this.a.arrive(segment);
    else if (this.#b !== undefined) this.#b.arrive(segment);
    else if ((segment.flags & ~(TCP_ECE | TCP_CWR)) === TCP_SYN)
      this.#b = Connection.accept(this.clock.world, this.#events("b"), this.#opening(PEER), segment);
  }
}
