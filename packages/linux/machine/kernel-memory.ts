/** The guest's memory by the addresses of its kernel, which sees it all at one place: Linux for 32 bits, Documentation/mm/highmem.rst. */

/** Where the kernel sees the first byte of the memory. */
export const MEMORY_ADDRESS = 0xc000_0000;

export class KernelMemory {
  readonly #buffer: () => ArrayBufferLike;
  readonly #start: number;
  readonly #bytes: number;
  #view: DataView | undefined;

  /**
   * @param buffer returns the memory that the guest's is part of: memory of WebAssembly that has grown is another buffer.
   * @param start the guest's first byte there.
   * @param bytes of the guest's memory.
   */
  constructor(buffer: () => ArrayBufferLike, start: number, bytes: number) {
    this.#buffer = buffer;
    this.#start = start;
    this.#bytes = bytes;
  }

  /** @throws RangeError if there is no memory at the address, like in the other methods. */
  word(address: number): number {
    return this.#current.getUint32(address - MEMORY_ADDRESS, true);
  }

  /** The address after the last byte. */
  get end(): number {
    return MEMORY_ADDRESS + this.#bytes;
  }

  /** A signed number of 64 bits. */
  long(address: number): bigint {
    return this.#current.getBigInt64(address - MEMORY_ADDRESS, true);
  }

  setLong(address: number, value: bigint): void {
    this.#current.setBigInt64(address - MEMORY_ADDRESS, value, true);
  }

  /** All of it, until the guest runs. */
  words(): Uint32Array {
    return new Uint32Array(this.#buffer(), this.#start, this.#bytes / 4);
  }

  get #current(): DataView {
    const buffer = this.#buffer();
    if (this.#view?.buffer !== buffer) this.#view = new DataView(buffer, this.#start, this.#bytes);
    return this.#view;
  }
}
