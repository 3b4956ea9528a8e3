/**
 * The memory that the simulation and the thread of a guest share: a slice is asked for and answered in it, for a message to another thread
 * takes as long as the slice of a guest that waits. One request is under way at a time; the memory has the request, then its reply.
 *
 *     words     how many requests were sent, and how many answered; where the request is, where its reply is; bytes of messages
 *     times     the request's, or the reply's
 *     messages  one after another: kind, port, length, time, data
 *
 * A request or reply of another kind, or one that is too large, is a message to the other thread's port.
 */
import type { Advanced, Message, Output } from "./guest.ts";
import type { AdvanceRequest, Reply } from "./protocol.ts";

const REQUESTS = 0;
const REPLIES = 1;
const PLACE = 2;
const MESSAGES_LENGTH = 3;
const WORD_COUNT = 4;

const IN_MEMORY = 0;
const AT_PORT = 1;

const TIME_COUNT = 2;
const TIMES_AT = 4 * WORD_COUNT;
const MESSAGES_AT = TIMES_AT + 8 * TIME_COUNT;
/** Some frames of the largest size. */
const MESSAGES_BYTES = 64 * 1_024;
const HEADER_BYTES = 16;
const KINDS = ["frame", "serial", "drop"] as const;

export class Exchange {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #times: Float64Array;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  /** @param memory that of the other thread's exchange; a new one if it is absent. */
  constructor(memory = new SharedArrayBuffer(MESSAGES_AT + MESSAGES_BYTES)) {
    this.memory = memory;
    this.#words = new Int32Array(memory, 0, WORD_COUNT);
    this.#times = new Float64Array(memory, TIMES_AT, TIME_COUNT);
    this.#bytes = new Uint8Array(memory, MESSAGES_AT);
    this.#view = new DataView(memory, MESSAGES_AT);
  }

  /** @returns false if the request is too large for the memory. */
  writeRequest({ toNs, inputs }: AdvanceRequest): boolean {
    this.#times[0] = toNs;
    return this.#write(inputs);
  }

  /** @returns undefined if the request is at the port. */
  readRequest(): AdvanceRequest | undefined {
    if (this.#words[PLACE] === AT_PORT) return undefined;
    return { kind: "advance", toNs: this.#times[0]!, inputs: this.#read() };
  }

  /** @returns false if the reply is too large for the memory. */
  writeReply({ nowNs, wakeNs, outputs }: Advanced): boolean {
    this.#times[0] = nowNs;
    this.#times[1] = wakeNs;
    return this.#write(outputs);
  }

  /** @returns undefined if the reply is at the port. */
  readReply(): Reply | undefined {
    if (this.#words[PLACE] === AT_PORT) return undefined;
    const [nowNs, wakeNs] = this.#times as unknown as [number, number];
    return { kind: "advanced", nowNs, wakeNs, outputs: this.#read() };
  }

  /** @param isInMemory whether the request is in the memory, else it is at the port. */
  sendRequest(isInMemory: boolean): void {
    this.#send(REQUESTS, isInMemory);
  }

  sendReply(isInMemory: boolean): void {
    this.#send(REPLIES, isInMemory);
  }

  /** Waits for the request after the first `count`. */
  waitForRequest(count: number): void {
    this.#wait(REQUESTS, count);
  }

  /** Waits for the reply after the first `count`. @returns false if it does not come. */
  waitForReply(count: number, timeoutMs: number): boolean {
    return this.#wait(REPLIES, count, timeoutMs);
  }

  #send(counter: number, isInMemory: boolean): void {
    this.#words[PLACE] = isInMemory ? IN_MEMORY : AT_PORT;
    Atomics.add(this.#words, counter, 1);
    Atomics.notify(this.#words, counter);
  }

  #wait(counter: number, count: number, timeoutMs = Infinity): boolean {
    while (Atomics.load(this.#words, counter) === count)
      if (Atomics.wait(this.#words, counter, count, timeoutMs) === "timed-out") return false;
    return true;
  }

  #write(messages: readonly (Message & { readonly atNs?: number })[]): boolean {
    let at = 0;
    for (const { kind, port, data, atNs = 0 } of messages) {
      if (at + HEADER_BYTES + data.length > MESSAGES_BYTES) return false;
      this.#view.setUint8(at, KINDS.indexOf(kind));
      this.#view.setUint8(at + 1, port);
      this.#view.setUint32(at + 4, data.length);
      this.#view.setFloat64(at + 8, atNs);
      this.#bytes.set(data, at + HEADER_BYTES);
      at += HEADER_BYTES + data.length;
    }
    this.#words[MESSAGES_LENGTH] = at;
    return true;
  }

  /** The messages' data is their own. */
  #read(): Output[] {
    const messages: Output[] = [];
    for (let at = 0; at < this.#words[MESSAGES_LENGTH]!; ) {
      const data = at + HEADER_BYTES;
      const length = this.#view.getUint32(at + 4);
      messages.push({
        kind: KINDS[this.#view.getUint8(at)]!,
        port: this.#view.getUint8(at + 1),
        atNs: this.#view.getFloat64(at + 8),
        data: this.#bytes.slice(data, data + length),
      });
      at = data + length;
    }
    return messages;
  }
}
