/** The way to the thread of one guest: requests are posted, and their replies taken in the same order. */
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { Reply, Request } from "./protocol.ts";

/** The longest real time of one reply: a slice takes milliseconds, the start of a guest about a second. */
const REPLY_TIMEOUT_MS = 120_000;

export interface Channel {
  post(request: Request): void;
  /** Waits for the reply to the first request that has none yet. */
  take(): Reply;
  close(): void;
}

export class ThreadChannel implements Channel {
  readonly #worker: Worker;
  readonly #port: MessageChannel["port1"];
  readonly #answered = new Int32Array(new SharedArrayBuffer(4));
  readonly #isParallel: boolean;
  /** Requests that are not sent before their reply is taken. */
  readonly #waiting: Request[] = [];
  #taken = 0;

  /** @param isParallel whether the thread works while the caller does something else. The replies are the same. */
  constructor(isParallel: boolean) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#isParallel = isParallel;
    this.#worker = new Worker(new URL("./guest-worker.js", import.meta.url), {
      workerData: { port: port2, answered: this.#answered },
      transferList: [port2],
    });
    this.#worker.unref();
    port1.unref();
  }

  post(request: Request): void {
    if (this.#isParallel) this.#port.postMessage(request);
    else this.#waiting.push(request);
  }

  take(): Reply {
    const request = this.#waiting.shift();
    if (request !== undefined) this.#port.postMessage(request);
    for (let answered = Atomics.load(this.#answered, 0); answered <= this.#taken; ) {
      if (Atomics.wait(this.#answered, 0, answered, REPLY_TIMEOUT_MS) === "timed-out")
        return { kind: "failed", message: `it did not answer within ${REPLY_TIMEOUT_MS / 1_000} s` };
      answered = Atomics.load(this.#answered, 0);
    }
    this.#taken += 1;
    const received = receiveMessageOnPort(this.#port) as { message: Reply } | undefined;
    return received?.message ?? { kind: "failed", message: "no answer" };
  }

  close(): void {
    this.#port.close();
    void this.#worker.terminate();
  }
}
