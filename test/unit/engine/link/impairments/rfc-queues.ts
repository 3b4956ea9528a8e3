/** CoDel and FQ-CoDel written anew from the text of RFC 8289 (section 5) and RFC 8290 (section 4), in their names. */
import type { Sent } from "./harness.ts";

export interface Packet {
  readonly number: number;
  readonly bytes: number;
  readonly flow: number;
  readonly tstamp: number;
}

export interface Settings {
  readonly target: number;
  readonly interval: number;
  /** Packets. */
  readonly limit: number;
}

export interface Discipline {
  readonly length: number;
  enqueue(packet: Packet): void;
  deque(now: number): Packet | undefined;
}

const MAXPACKET = 1_514;

/** RFC 8289, section 5: the state machine of one queue. */
export class RfcCodel implements Discipline {
  readonly queue: Packet[] = [];
  /** How often a dropping state began with the rate of drops of the one before. */
  resumed = 0;
  readonly #settings: Settings;
  readonly #drop: (packet: Packet, now: number) => void;
  #firstAboveTime = -1;
  #dropNext = 0;
  #count = 0;
  #lastCount = 0;
  #dropping = false;

  constructor(settings: Settings, drop: (packet: Packet, now: number) => void) {
    this.#settings = settings;
    this.#drop = drop;
  }

  get length(): number {
    return this.queue.length;
  }

  get bytes(): number {
    return this.queue.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  enqueue(packet: Packet): void {
    if (this.queue.length < this.#settings.limit) this.queue.push(packet);
  }

  deque(now: number): Packet | undefined {
    let r = this.#dodequeue(now);
    if (this.#dropping) {
      if (!r.okToDrop) this.#dropping = false;
      while (now >= this.#dropNext && this.#dropping) {
        this.#drop(r.p!, now);
        this.#count += 1;
        r = this.#dodequeue(now);
        if (!r.okToDrop) this.#dropping = false;
        else this.#dropNext = this.#controlLaw(this.#dropNext);
      }
    } else if (r.okToDrop) {
      this.#drop(r.p!, now);
      r = this.#dodequeue(now);
      this.#dropping = true;
      const delta = this.#count - this.#lastCount;
      this.#count = 1;
      if (delta > 1 && now - this.#dropNext < 16 * this.#settings.interval) {
        this.#count = delta;
        this.resumed += 1;
      }
      this.#dropNext = this.#controlLaw(now);
      this.#lastCount = this.#count;
    }
    return r.p;
  }

  #controlLaw(t: number): number {
    return t + Math.round(this.#settings.interval / Math.sqrt(this.#count));
  }

  #dodequeue(now: number): { p: Packet | undefined; okToDrop: boolean } {
    const p = this.queue.shift();
    if (p === undefined) {
      this.#firstAboveTime = -1;
      return { p, okToDrop: false };
    }
    const { target, interval } = this.#settings;
    if (now - p.tstamp < target || this.bytes <= MAXPACKET) this.#firstAboveTime = -1;
    else if (this.#firstAboveTime === -1) this.#firstAboveTime = now + interval;
    else return { p, okToDrop: now >= this.#firstAboveTime };
    return { p, okToDrop: false };
  }
}

class FlowQueue extends RfcCodel {
  credits = 0;
}

/** RFC 8290, section 4: the scheduler above the queues. Flows are queues of their own: no two share one. */
export class RfcFqCodel implements Discipline {
  readonly #settings: Settings & { readonly quantum: number; readonly dropBatch: number };
  readonly #drop: (packet: Packet, now: number) => void;
  readonly #queues = new Map<number, FlowQueue>();
  readonly #newQueues: FlowQueue[] = [];
  readonly #oldQueues: FlowQueue[] = [];

  constructor(
    settings: Settings & { readonly quantum: number; readonly dropBatch: number },
    drop: (packet: Packet, now: number) => void,
  ) {
    this.#settings = settings;
    this.#drop = drop;
  }

  get length(): number {
    return [...this.#queues.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Section 4.1. */
  enqueue(packet: Packet): void {
    const { quantum, limit, dropBatch } = this.#settings;
    const queue =
      this.#queues.get(packet.flow) ??
      new FlowQueue({ ...this.#settings, limit: Number.POSITIVE_INFINITY }, this.#drop);
    this.#queues.set(packet.flow, queue);
    queue.enqueue(packet);
    if (!this.#newQueues.includes(queue) && !this.#oldQueues.includes(queue)) {
      queue.credits = quantum;
      this.#newQueues.push(queue);
    }
    if (this.length <= limit) return;
    const fullest = [...this.#queues.values()].reduce((most, each) =>
      each.bytes > most.bytes ? each : most,
    );
    const backlog = fullest.bytes;
    for (let dropped = 0; dropped < dropBatch && fullest.bytes > backlog / 2; dropped++)
      this.#drop(fullest.queue.shift()!, packet.tstamp);
  }

  /** Section 4.2. */
  deque(now: number): Packet | undefined {
    for (;;) {
      const list = this.#newQueues.length > 0 ? this.#newQueues : this.#oldQueues;
      const queue = list[0];
      if (queue === undefined) return undefined;
      // "It has already dequeued at least a quantum of bytes."
      if (queue.credits <= 0) {
        queue.credits += this.#settings.quantum;
        list.shift();
        this.#oldQueues.push(queue);
        continue;
      }
      const packet = queue.deque(now);
      if (packet !== undefined) {
        queue.credits -= packet.bytes;
        return packet;
      }
      list.shift();
      // The RFC moves it always; Linux and the engine only if there are old queues, which it could starve (docs/impairments.md).
      if (list === this.#newQueues && this.#oldQueues.length > 0) this.#oldQueues.push(queue);
    }
  }
}

/** Serves a queue at a rate; returns the packets that leave, each with its time. */
export function serve(
  arrivals: readonly (Sent & { readonly flow?: number })[],
  nsPerByte: number,
  discipline: Discipline,
): [number: number, leftNs: number][] {
  const left: [number, number][] = [];
  let freeNs = 0;
  const run = (untilNs: number, nowNs: number): void => {
    while (discipline.length > 0 && freeNs <= untilNs) {
      const startNs = Math.max(freeNs, nowNs);
      const packet = discipline.deque(startNs);
      if (packet === undefined) return;
      freeNs = startNs + packet.bytes * nsPerByte;
      left.push([packet.number, freeNs]);
    }
  };
  let lastNs = 0;
  for (const [index, { atNs, data, bytes = data?.length ?? 100, flow = 0 }] of arrivals.entries()) {
    run(atNs, lastNs);
    discipline.enqueue({ number: index + 1, bytes, flow, tstamp: atNs });
    run(atNs, atNs);
    lastNs = atNs;
  }
  run(Number.POSITIVE_INFINITY, lastNs);
  return left;
}
