/**
 * Events arrive later than the responses of the calls that caused them. After a change by this page, the events of earlier changes would
 * show the part as it was, so they are skipped until the event of the page's own change. Pure.
 */

type Fields = Readonly<Record<string, unknown>>;

/** How long the event of an own change is awaited. */
const MOST_MS = 3000;

export class OwnChanges {
  readonly #awaited = new Map<string, { readonly result: Fields; readonly untilMs: number }>();

  /** @param result of the call, as the service returned it. */
  note(id: string, result: object, nowMs: number): void {
    this.#awaited.set(id, { result: result as Fields, untilMs: nowMs + MOST_MS });
  }

  /** Whether an event is older than the page's own change. */
  isLate(id: string, event: Fields, nowMs: number): boolean {
    const own = this.#awaited.get(id);
    if (own === undefined) return false;
    const isOwn = Object.entries(event).every(([key, value]) => own.result[key] === value);
    if (isOwn || nowMs > own.untilMs) this.#awaited.delete(id);
    return !isOwn && nowMs <= own.untilMs;
  }
}
