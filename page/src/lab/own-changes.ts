/**
 * Events arrive later than the responses of the calls that caused them. After a change by this page, the events of earlier changes would
 * show the part as it was, so they are skipped until the event of the page's own change. If that event came before the response, the
 * skipped ones are newer: the last of them is shown when the wait is over. Pure.
 */

type Fields = Readonly<Record<string, unknown>>;

/** How long the event of an own change is awaited. */
export const OWN_EVENT_MS = 3_000;

interface Awaited {
  readonly result: Fields;
  readonly untilMs: number;
  /** Shows the last event that was skipped. */
  readonly show?: () => void;
}

export class OwnChanges {
  readonly #awaited = new Map<string, Awaited>();

  /** @param result of the call, as the service returned it. */
  note(id: string, result: object, nowMs: number): void {
    this.#awaited.set(id, { result: result as Fields, untilMs: nowMs + OWN_EVENT_MS });
  }

  /** Whether an event is older than the page's own change. @param show what `overdue` returns if it was not. */
  isLate(id: string, event: Fields, nowMs: number, show: () => void): boolean {
    const own = this.#awaited.get(id);
    if (own === undefined) return false;
    const isOwn = Object.entries(event).every(([key, value]) => own.result[key] === value);
    const isLate = !isOwn && nowMs < own.untilMs;
    if (isLate) this.#awaited.set(id, { ...own, show });
    else this.#awaited.delete(id);
    return isLate;
  }

  /** Ends the waits that are over. @returns what shows the events that were skipped meanwhile. */
  overdue(nowMs: number): readonly (() => void)[] {
    const over = [...this.#awaited].filter(([, { untilMs }]) => nowMs >= untilMs);
    for (const [id] of over) this.#awaited.delete(id);
    return over.flatMap(([, { show }]) => (show === undefined ? [] : [show]));
  }
}
