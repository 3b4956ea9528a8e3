/**
 * Sends places of devices: a few requests at once, and those of one device one after another, so that the last place wins. A place that is
 * replaced before it was sent is not sent.
 */

export interface Place {
  readonly x: number;
  readonly y: number;
}

interface Waiting {
  place: Place;
  readonly settle: ((outcome: Promise<void>) => void)[];
}

/** As many requests at once as browsers send over HTTP/1.1. */
const AT_ONCE = 6;

export class PlaceSender {
  readonly #waiting = new Map<string, Waiting>();
  readonly #sending = new Set<string>();
  readonly #put: (id: string, place: Place) => Promise<void>;

  constructor(put: (id: string, place: Place) => Promise<void>) {
    this.#put = put;
  }

  /** Whether a place of the device has not been sent yet. */
  isWaiting(id: string): boolean {
    return this.#waiting.has(id);
  }

  /** Resolves or rejects with the request that has sent this place, or a later one. */
  send(id: string, place: Place): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id);
      if (waiting === undefined) this.#waiting.set(id, { place, settle: [resolve] });
      else {
        waiting.place = place;
        waiting.settle.push(resolve);
      }
      this.#sendNext();
    });
  }

  #sendNext(): void {
    for (const [id, { place, settle }] of this.#waiting) {
      if (this.#sending.size >= AT_ONCE) return;
      if (this.#sending.has(id)) continue;
      this.#waiting.delete(id);
      this.#sending.add(id);
      const outcome = this.#put(id, place).finally(() => {
        this.#sending.delete(id);
        this.#sendNext();
      });
      for (const each of settle) each(outcome);
    }
  }
}
