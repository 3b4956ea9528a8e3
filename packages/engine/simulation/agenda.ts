/**
 * The agenda of a simulation: an event queue that stores consecutively planned events of one moment as one entry. A frame that
 * a switch floods to a hundred ports arrives at all of them at once; a plain heap would sort a hundred entries.
 *
 * The order stays (time, insertion): events are joined only if no other event is planned between them.
 */
import { EventQueue } from "../base/event-queue.ts";

export class Agenda<E extends object> {
  readonly #queue = new EventQueue<E | Moment<E>>();
  /** The events planned last, all at `#latestNs`; not in the queue yet. */
  #latestNs = -1;
  #latest: E | undefined;
  #more: E[] | undefined;
  /** The remaining events of the current moment. */
  #current: Moment<E> | undefined;

  get nowNs(): number {
    return this.#queue.nowNs;
  }

  /** The time of the next event; Infinity if there is none. */
  get nextTimeNs(): number {
    if (this.#current !== undefined) return this.#queue.nowNs;
    if (this.#latest !== undefined) this.#settle();
    return this.#queue.nextTimeNs;
  }

  push(timeNs: number, event: E): void {
    if (this.#latest !== undefined && timeNs === this.#latestNs) {
      this.#more ??= [this.#latest];
      this.#more.push(event);
      return;
    }
    if (this.#latest !== undefined) this.#settle();
    this.#latestNs = timeNs;
    this.#latest = event;
  }

  /** Removes and returns the next event and moves the clock to its time; undefined if there is none. */
  pop(): E | undefined {
    if (this.#current !== undefined) return this.#next(this.#current);
    if (this.#latest !== undefined) this.#settle();
    const entry = this.#queue.pop();
    if (!(entry instanceof Moment)) return entry;
    this.#current = entry;
    return this.#next(entry);
  }

  /** The events that wait, in order, with their times. */
  entries(): [timeNs: number, event: E][] {
    if (this.#latest !== undefined) this.#settle();
    const moment = this.#current?.events.slice(this.#current.taken) ?? [];
    return [
      ...moment.map((event): [number, E] => [this.#queue.nowNs, event]),
      ...this.#queue
        .entries()
        .flatMap(([timeNs, entry]): [number, E][] =>
          entry instanceof Moment
            ? entry.events.map((event): [number, E] => [timeNs, event as E])
            : [[timeNs, entry]],
        ),
    ];
  }

  /** Sets the clock of an empty agenda. */
  beginAt(nowNs: number): void {
    this.#queue.advanceTo(nowNs);
  }

  #next(moment: Moment<E>): E {
    const event = moment.events[moment.taken++] as E;
    if (moment.taken === moment.events.length) this.#current = undefined;
    return event;
  }

  #settle(): void {
    this.#queue.push(this.#latestNs, this.#more ? new Moment(this.#more) : (this.#latest as E));
    this.#latest = undefined;
    this.#more = undefined;
  }
}

/** Several events of one moment, in order. */
class Moment<E> {
  readonly events: readonly E[];
  taken = 0;

  constructor(events: readonly E[]) {
    this.events = events;
  }
}
