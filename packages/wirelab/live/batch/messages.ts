/**
 * Arrays of `struct mmsghdr` (recvmmsg(2)) in memory that is laid out once. Each message has one buffer and room for one address.
 *
 *     struct mmsghdr, 64 bytes:  name 0..8  name length 8..12  iovec 16..24  iovec count 24..32  ...  length 56..60
 *     struct iovec,   16 bytes:  base 0..8  length 8..16
 */
import { fixedMemory, type Libc } from "./libc.ts";

const HEADER_WORDS = 16;
const NAME_LENGTH_WORD = 2;
const IOVEC_WORD = 4;
const IOVEC_COUNT_WORD = 6;
const LENGTH_WORD = 14;
const IOVEC_WORDS = 4;
const IOVEC_LENGTH_WORD = 2;
const WORD_BYTES = 4;
const WORD_VALUES = 2 ** 32;
/** `struct sockaddr_in6` has 28. */
export const NAME_BYTES = 32;

export class Messages {
  /** What the calls take. */
  readonly headers: Uint8Array;
  /** The buffers of all messages. */
  readonly data: Buffer;
  readonly names: Uint8Array;
  readonly #headerWords: Uint32Array;
  readonly #iovecWords: Uint32Array;
  readonly #dataAt: number;

  constructor(libc: Libc, count: number, dataBytes: number) {
    this.headers = fixedMemory(count * HEADER_WORDS * WORD_BYTES);
    const iovecs = fixedMemory(count * IOVEC_WORDS * WORD_BYTES);
    this.names = fixedMemory(count * NAME_BYTES);
    this.data = Buffer.from(fixedMemory(dataBytes).buffer);
    this.#headerWords = new Uint32Array(this.headers.buffer);
    this.#iovecWords = new Uint32Array(iovecs.buffer);
    this.#dataAt = libc.addressOf(this.data);
    const iovecsAt = libc.addressOf(iovecs);
    const namesAt = libc.addressOf(this.names);
    for (let index = 0; index < count; index++) {
      const header = index * HEADER_WORDS;
      putPointer(this.#headerWords, header, namesAt + index * NAME_BYTES);
      putPointer(this.#headerWords, header + IOVEC_WORD, iovecsAt + index * IOVEC_WORDS * WORD_BYTES);
      this.#headerWords[header + IOVEC_COUNT_WORD] = 1;
    }
  }

  /** Sets where the bytes of a message are. */
  place(index: number, offset: number, bytes: number): void {
    putPointer(this.#iovecWords, index * IOVEC_WORDS, this.#dataAt + offset);
    this.#iovecWords[index * IOVEC_WORDS + IOVEC_LENGTH_WORD] = bytes;
  }

  /** The room for the address of a message; the kernel overwrites it with the address's length. 0: the message has none. */
  setNameLength(index: number, bytes: number): void {
    this.#headerWords[index * HEADER_WORDS + NAME_LENGTH_WORD] = bytes;
    if (bytes === 0) putPointer(this.#headerWords, index * HEADER_WORDS, 0);
  }

  /** Sets the address that a message goes to. */
  setName(index: number, sockaddr: Uint8Array): void {
    this.names.set(sockaddr, index * NAME_BYTES);
    this.setNameLength(index, sockaddr.length);
  }

  /** How many bytes of a message were received. */
  lengthOf(index: number): number {
    return this.#headerWords[index * HEADER_WORDS + LENGTH_WORD] as number;
  }

  /** The headers from a message on, for a call that continues after others. */
  headersFrom(index: number): Uint8Array {
    return this.headers.subarray(index * HEADER_WORDS * WORD_BYTES);
  }
}

function putPointer(words: Uint32Array, at: number, pointer: number): void {
  words[at] = pointer % WORD_VALUES;
  words[at + 1] = Math.floor(pointer / WORD_VALUES);
}
