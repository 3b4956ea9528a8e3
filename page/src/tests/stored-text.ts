/**
 * The text of a lab's tests. It is a file of the project: exports and duplicates have it, and so do the colleagues who see the lab. What is typed
 * is stored soon after; a text that was stored elsewhere meanwhile is never overwritten without a question.
 */
import { signal } from "@preact/signals";
import type { TextStore } from "../lab/tests-file.ts";

/** How long the user pauses before the text is stored. */
const PAUSE_MS = 800;

export class StoredText {
  readonly text = signal("");
  /** What was stored elsewhere while this page had changes of its own. */
  readonly theirs = signal<string | undefined>(undefined);
  /** Why the text is not stored, in words; empty if nothing has failed. */
  readonly problem = signal("");
  readonly #store: TextStore;
  readonly #onStored: (before: string | undefined, after: string) => void;
  /** The text as the store has it, as far as this page knows. */
  #known: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #storing: Promise<void> | undefined;

  /**
   * @param first of a lab without tests.
   * @param onStored called with what the store had, undefined for nothing, and what this page has stored.
   */
  constructor(
    store: TextStore,
    first: string,
    onStored: (before: string | undefined, after: string) => void = () => {},
  ) {
    this.#store = store;
    this.#onStored = onStored;
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
      if (stored !== text) this.#onStored(stored, text);
      this.problem.value = "";
    } catch (error) {
      this.problem.value = `The tests are not stored: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}
