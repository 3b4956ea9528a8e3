/** A guest in a thread of its own; each call waits for the thread. */
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { Advance, Advanced, Guest } from "./guest.ts";
import type { OpenRequest, Reply, Request } from "./protocol.ts";

/** The longest real time of one call: a slice takes milliseconds, the start of a guest about a second. */
const CALL_TIMEOUT_MS = 120_000;

/** A guest has failed, or does not answer. */
class GuestError extends Error {
  override readonly name = "GuestError";
}

export interface SavedGuest {
  /** From the image's state. */
  readonly difference: Uint8Array;
  /** The guest's clock. */
  readonly nowNs: number;
}

export class ThreadGuest implements Guest {
  readonly #worker: Worker;
  readonly #port: MessageChannel["port1"];
  readonly #answered = new Int32Array(new SharedArrayBuffer(4));
  readonly #name: string;
  readonly #keep: (saved: SavedGuest) => string;
  #nowNs: number;

  /**
   * @param name for messages.
   * @param keep stores a state, and returns the name under which it is found.
   * @throws GuestError if the guest cannot be started.
   */
  constructor(name: string, request: OpenRequest, keep: (saved: SavedGuest) => string) {
    const { port1, port2 } = new MessageChannel();
    this.#name = name;
    this.#keep = keep;
    this.#port = port1;
    this.#nowNs = request.nowNs;
    this.#worker = new Worker(new URL("./guest-worker.js", import.meta.url), {
      workerData: { port: port2, answered: this.#answered },
      transferList: [port2],
    });
    this.#worker.unref();
    port1.unref();
    this.#ask(request);
  }

  get nowNs(): number {
    return this.#nowNs;
  }

  advance(step: Advance): Advanced {
    const reply = this.#ask({ kind: "advance", ...step });
    if (reply.kind !== "advanced") throw new GuestError(`${this.#name}: the guest's thread is out of step`);
    this.#nowNs = reply.nowNs;
    return reply;
  }

  save(): string {
    const reply = this.#ask({ kind: "save" });
    if (reply.kind !== "saved") throw new GuestError(`${this.#name}: the guest's thread is out of step`);
    return this.#keep(reply);
  }

  close(): void {
    this.#port.close();
    void this.#worker.terminate();
  }

  #ask(request: Request): Reply {
    const before = Atomics.load(this.#answered, 0);
    this.#port.postMessage(request);
    // The notification of the answer before may come late: only the count says that this one is there.
    while (Atomics.load(this.#answered, 0) === before)
      if (Atomics.wait(this.#answered, 0, before, CALL_TIMEOUT_MS) === "timed-out")
        throw new GuestError(`${this.#name}: the guest did not answer within ${CALL_TIMEOUT_MS / 1_000} s`);
    const reply = receiveMessageOnPort(this.#port)?.message as Reply | undefined;
    if (reply === undefined || reply.kind === "failed")
      throw new GuestError(`${this.#name}: the guest failed: ${reply?.message ?? "no answer"}`);
    return reply;
  }
}
