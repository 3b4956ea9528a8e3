/**
 * The messages of one connection that wait for a function. A few are handled at the same time, in the order of their arrival, so that the messages of
 * one client take no more workers than those of others. A client that sends faster than they are handled is read no further.
 */

/** As many of a connection at once. */
const AT_ONCE = 4;
/** The connection is read again when half of them are left. */
const MOST_WAITING = 256;

interface Flow {
  pause(): void;
  resume(): void;
}

export class SocketInbox {
  readonly #handle: (text: string) => Promise<void>;
  readonly #flow: Flow;
  #waiting: string[] = [];
  #handled = 0;
  #isPaused = false;

  /** @param handle never rejects. */
  constructor(handle: (text: string) => Promise<void>, flow: Flow) {
    this.#handle = handle;
    this.#flow = flow;
  }

  add(text: string): void {
    this.#waiting.push(text);
    this.#begin();
    if (this.#waiting.length < MOST_WAITING || this.#isPaused) return;
    this.#isPaused = true;
    this.#flow.pause();
  }

  #begin(): void {
    while (this.#handled < AT_ONCE && this.#waiting.length > 0) {
      this.#handled++;
      void this.#handle(this.#waiting.shift()!).then(() => {
        this.#handled--;
        this.#begin();
      });
    }
    if (!this.#isPaused || this.#waiting.length > MOST_WAITING / 2) return;
    this.#isPaused = false;
    this.#flow.resume();
  }
}
