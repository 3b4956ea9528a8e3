/**
 * Allocates scratch memory words as registers. Allocation is round-robin, as in libpcap: it determines the listing, and which
 * expressions run out of registers.
 */
import { MEMORY_WORDS } from "../instructions.ts";

export class Registers {
  readonly #used: boolean[] = new Array<boolean>(MEMORY_WORDS).fill(false);
  readonly #whenExhausted: () => never;
  #next = 0;

  constructor(whenExhausted: () => never) {
    this.#whenExhausted = whenExhausted;
  }

  allocate(): number {
    for (let tries = 0; tries < MEMORY_WORDS; tries += 1) {
      if (!this.#used[this.#next]) {
        this.#used[this.#next] = true;
        return this.#next;
      }
      this.#next = (this.#next + 1) % MEMORY_WORDS;
    }
    return this.#whenExhausted();
  }

  free(register: number): void {
    this.#used[register] = false;
  }
}
