/**
 * The text of a lab's tests. It is a file of the project: exports and duplicates have it, and so do the colleagues who see the lab. What is typed
 * is stored soon after; a text that was stored elsewhere meanwhile is never overwritten without a question.
 */
import { signal } from "@preact/signals";
import { ApiProblem, call, send } from "../api/call.ts";

export const TESTS_FILE = "tests.yaml";
/** How long the user pauses before the text is stored. */
const PAUSE_MS = 800;

export interface TextStore {
  /** @returns undefined if there is no file. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

/** @param path of the project. */
export const projectFile = (path: string): TextStore => ({
  async read() {
    try {
      return await (await send("GET", `${path}/files/${TESTS_FILE}`)).text();
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 404) return undefined;
      throw error;
    }
  },
  async write(text) {
    await call("POST", `${path}/files/${TESTS_FILE}`, { body: new Blob([text]) });
  },
});

export class StoredText {
  readonly text = signal("");
  /** What was stored elsewhere while this page had changes of its own. */
  readonly theirs = signal<string | undefined>(undefined);
  /** Why the text is not stored, in words; empty if nothing has failed. */
  readonly problem = signal("");
  readonly #store: TextStore;
  /** The text as the store has it, as far as this page knows. */
  #known: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #storing: Promise<void> | undefined;

  /** @param first of a lab without tests. */
  constructor(store: TextStore, first: string) {
    this.#store = store;
    this.text.value = first;
    this.#known = first;
  }

  /** Reads the text, unless this page has changes that are not stored. */
  async refresh(): Promise<void> {
    const before = this.text.peek();
    const isChanged = before !== this.#known;
    const stored = await this.#store.read();
    if (stored === undefined || isChanged || this.text.peek() !== before) return;
    this.#known = stored;
    this.text.value = stored;
  }

  edit(text: string): void {
    this.text.value = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.store(), PAUSE_MS);
  }

  /** Stores what is typed, if anything is. Failures are in `problem`. */
  async store(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#storing !== undefined) await this.#storing;
    this.#storing = this.#storeNow();
    await this.#storing;
    this.#storing = undefined;
  }

  keepOwn(): Promise<void> {
    this.#known = this.theirs.peek();
    this.theirs.value = undefined;
    return this.store();
  }

  takeTheirs(): void {
    const text = this.theirs.peek();
    if (text === undefined) return;
    this.#known = text;
    this.theirs.value = undefined;
    this.text.value = text;
  }

  async #storeNow(): Promise<void> {
    const text = this.text.peek();
    if (text === this.#known || this.theirs.peek() !== undefined) return;
    try {
      const stored = await this.#store.read();
      if (stored !== undefined && stored !== this.#known && stored !== text) {
        this.theirs.value = stored;
        return;
      }
      if (stored !== text) await this.#store.write(text);
      this.#known = text;
      this.problem.value = "";
    } catch (error) {
      this.problem.value = `The tests are not stored: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}
