/**
 * Events arrive later than the responses of the calls that caused them. After a change by this page, the events of earlier changes would
 * show the part as it was, so the page keeps its own values of the changed fields until the event of its own change. If that event came
 * before the response, the others are newer: the values of the last of them are shown when the wait is over. Pure.
 */

export type Fields = Readonly<Record<string, unknown>>;

/** How long the event of an own change is awaited. */
export const OWN_EVENT_MS = 3_000;

interface Awaited {
  /** The changed fields, as the service returned them. */
  readonly own: Fields;
  readonly untilMs: number;
  /** Shows the last event that was taken for late. */
  readonly show?: () => void;
}

export class OwnChanges {
  readonly #awaited = new Map<string, Awaited>();

  /** @param fields that the call has changed, as the service returned them. */
  note(id: string, fields: Fields, nowMs: number): void {
    const { own = {} } = this.#awaited.get(id) ?? {};
    this.#awaited.set(id, { own: { ...own, ...fields }, untilMs: nowMs + OWN_EVENT_MS });
  }

  /**
   * @param event the fields of an event; it may have fewer or more than the page has changed.
   * @param show what `overdue` returns if the event was newer in the end.
   * @returns the page's own values, if the event is older than they are.
   */
  newerThan(id: string, event: Fields, nowMs: number, show: () => void): Fields | undefined {
    const awaited = this.#awaited.get(id);
    if (awaited === undefined) return undefined;
    const isOwn = Object.entries(awaited.own).every(
      ([name, value]) => !Object.hasOwn(event, name) || isSame(value, event[name]),
    );
    const isLate = !isOwn && nowMs < awaited.untilMs;
    if (isLate) this.#awaited.set(id, { ...awaited, show });
    else this.#awaited.delete(id);
    return isLate ? awaited.own : undefined;
  }

  /** Ends the waits that are over. @returns what shows the events that were taken for late meanwhile. */
  overdue(nowMs: number): readonly (() => void)[] {
    const over = [...this.#awaited].filter(([, { untilMs }]) => nowMs >= untilMs);
    for (const [id] of over) this.#awaited.delete(id);
    return over.flatMap(([, { show }]) => (show === undefined ? [] : [show]));
  }
}

/** Whether two values are the same as JSON; the order of keys has no meaning. */
export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

const sorted = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, sorted(each)] as const)
      .toSorted(([one], [another]) => (one < another ? -1 : 1)),
  );
};
