/**
 * The emulator's own memory as it is before the machine has run: the memory of its WebAssembly module without that of the guest. It has what a
 * saved state does not have and what yet decides when code is compiled and how the guest's counter of cycles goes on: counters of hot pages, the cache of
 * translated addresses, the emulator's heap. A machine that gets it back and then its state is as one that was made anew and has restored this state.
 */
const PAGE_BYTES = 4_096;
const ZEROS = new Uint8Array(PAGE_BYTES);

export class FreshMemory {
  /** Pages that are not zero, by their address. */
  readonly #pages = new Map<number, Uint8Array>();
  readonly #guestStart: number;
  readonly #guestEnd: number;
  readonly #end: number;

  /** @param guestStart where the guest's memory begins; a multiple of 4,096 like `guestEnd`. */
  constructor(memory: Uint8Array, guestStart: number, guestEnd: number) {
    this.#guestStart = guestStart;
    this.#guestEnd = guestEnd;
    this.#end = memory.length;
    for (const [at, page] of this.#pagesOf(memory)) if (!isZero(page)) this.#pages.set(at, page.slice());
  }

  /** What the memory has grown by stays as it is: the emulator's heap, as it was, has nothing there. */
  restore(memory: Uint8Array): void {
    for (const [at, page] of this.#pagesOf(memory)) {
      const before = this.#pages.get(at);
      if (before !== undefined) page.set(before);
      // A page that was never written takes no memory of the host.
      else if (!isZero(page)) page.fill(0);
    }
  }

  *#pagesOf(memory: Uint8Array): Generator<[at: number, page: Uint8Array]> {
    for (
      let at = 0;
      at < this.#end;
      at = at + PAGE_BYTES === this.#guestStart ? this.#guestEnd : at + PAGE_BYTES
    )
      yield [at, memory.subarray(at, at + PAGE_BYTES)];
  }
}

const isZero = (page: Uint8Array): boolean => Buffer.compare(page, ZEROS) === 0;
