/** The way to the thread of one guest: requests are posted, and their replies taken in the same order. */
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import { Exchange } from "./exchange.ts";
import type { Reply, Request } from "./protocol.ts";
import type { ServeData } from "./serve.ts";

/** The longest real time of one reply: a slice takes milliseconds, the start of a guest about a second. */
const REPLY_TIMEOUT_MS = 120_000;

export interface Channel {
  post(request: Request): void;
  /** Waits for the reply to the first request that has none yet. */
  take(): Reply;
  close(): void;
}

export interface ChannelOptions {
  /** Whether the thread works while the caller does something else. The replies are the same. */
  readonly isParallel: boolean;
  /** What the thread runs; default a guest. */
  readonly script?: URL;
  readonly timeoutMs?: number;
}

export class ThreadChannel implements Channel {
  readonly #worker: Worker;
  readonly #port: MessageChannel["port1"];
  readonly #exchange = new Exchange();
  readonly #isParallel: boolean;
  readonly #timeoutMs: number;
  /** Requests that are not sent yet. */
  readonly #waiting: Request[] = [];
  #isUnderWay = false;
  #taken = 0;

  constructor({
    isParallel,
    script = new URL("./guest-worker.js", import.meta.url),
    timeoutMs = REPLY_TIMEOUT_MS,
  }: ChannelOptions) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#isParallel = isParallel;
    this.#timeoutMs = timeoutMs;
    this.#worker = new Worker(script, {
      workerData: { port: port2, memory: this.#exchange.memory } satisfies ServeData,
      transferList: [port2],
    });
    this.#worker.unref();
    port1.unref();
  }

  post(request: Request): void {
    this.#waiting.push(request);
    if (this.#isParallel) this.#sendNext();
  }

  take(): Reply {
    this.#sendNext();
    if (!this.#exchange.waitForReply(this.#taken, this.#timeoutMs))
      return { kind: "failed", message: `it did not answer within ${this.#timeoutMs / 1_000} s` };
    this.#taken += 1;
    const reply = this.#exchange.readReply() ?? this.#received();
    this.#isUnderWay = false;
    if (this.#isParallel) this.#sendNext();
    return reply;
  }

  close(): void {
    this.#port.close();
    void this.#worker.terminate();
  }

  #sendNext(): void {
    if (this.#isUnderWay) return;
    const request = this.#waiting.shift();
    if (request === undefined) return;
    this.#isUnderWay = true;
    const isInMemory = request.kind === "advance" && this.#exchange.writeRequest(request);
    if (!isInMemory) this.#port.postMessage(request);
    this.#exchange.sendRequest(isInMemory);
  }

  #received(): Reply {
    const received = receiveMessageOnPort(this.#port) as { message: Reply } | undefined;
    return received?.message ?? { kind: "failed", message: "no answer" };
  }
}
