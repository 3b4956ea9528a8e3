/**
 * Sends typed text as WebSocket messages. Keys that follow each other closely are one message: API Gateway may hand two messages that
 * arrive together to the function in any order.
 */

/** Shorter than the time between two keys that a user presses. */
const TOGETHER_MS = 15;
/** API Gateway takes frames of 32 KiB, and a character takes up to 3 bytes for each UTF-16 unit. */
const MESSAGE_CHARACTERS = 10_000;

export class Keystrokes {
  readonly #send: (text: string) => void;
  #waiting = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  /** Sends text at once, or, soon after other text, together with what follows. */
  type(text: string): void {
    this.#waiting += text;
    if (this.#timer === undefined) this.#sendNext();
  }

  /** Sends what is waiting at once. */
  flush(): void {
    while (this.#waiting !== "") this.#sendNext();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = "";
  }

  #sendNext(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting === "") return;
    this.#send(this.#waiting.slice(0, MESSAGE_CHARACTERS));
    this.#waiting = this.#waiting.slice(MESSAGE_CHARACTERS);
    this.#timer = setTimeout(() => this.#sendNext(), TOGETHER_MS);
  }
}
