/**
 * The workers of one function. Each worker takes few calls at once, so that the calls share its event loop. Another worker
 * starts when calls wait, and idle workers end after a burst.
 */
import { availableParallelism } from "node:os";
import { type Invocation, InvocationFailure, LambdaInstance, type Log } from "./lambda-instance.ts";
import type { FunctionDefinition } from "./template/functions.ts";

export interface PoolLimits {
  /** The maximum number of workers of one function. */
  readonly mostWorkers: number;
  /** The maximum number of calls that one worker computes at once while the function has fewer workers than `mostWorkers`. */
  readonly callsPerWorker: number;
  /**
   * The same limit when the function has `mostWorkers` workers; further calls wait. The SDK's timers run while the event loop is
   * blocked: with hundreds of calls in one worker, the SDK reports timeouts of connections that were established in time.
   */
  readonly mostCallsPerWorker: number;
  /** A worker ends after this time without a call. An idle worker holds at least 20 MB, at most the memory of its largest call. */
  readonly idleMs: number;
}

const DEFAULTS: PoolLimits = {
  mostWorkers: Math.min(Math.max(availableParallelism(), 2), 4),
  callsPerWorker: 4,
  mostCallsPerWorker: 16,
  idleMs: 30_000,
};

/** A call waits this long before another worker is started: most calls take less time than a start. */
const GROW_AFTER_MS = 50;

interface Waiting {
  readonly requestId: string;
  readonly event: string;
  readonly sinceMs: number;
  readonly resolve: (invocation: Invocation | Promise<Invocation>) => void;
  readonly reject: (reason: unknown) => void;
}

export class FunctionWorkers {
  readonly #start: () => LambdaInstance;
  readonly #limits: PoolLimits;
  /** The workers that take calls. */
  #instances: LambdaInstance[] = [];
  /** All running workers, including those that take no further call but still send a response. */
  readonly #alive = new Set<LambdaInstance>();
  #waiting: Waiting[] = [];
  #growTimer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    definition: FunctionDefinition,
    shared: Readonly<Record<string, string>>,
    log: Log,
    limits: Partial<PoolLimits>,
  ) {
    this.#start = () => new LambdaInstance(definition, shared, log);
    this.#limits = { ...DEFAULTS, ...limits };
  }

  get size(): number {
    return this.#alive.size;
  }

  invoke(requestId: string, event: string, signal?: AbortSignal): Promise<Invocation> {
    return new Promise((resolve, reject) => {
      const call: Waiting = { requestId, event, sinceMs: Date.now(), resolve, reject };
      this.#waiting.push(call);
      this.#dispatch();
      if (signal === undefined || !this.#waiting.includes(call)) return;
      signal.addEventListener("abort", () => this.#withdraw(call, signal.reason), { once: true });
    });
  }

  endStreams(): void {
    for (const instance of this.#alive) instance.endStreams();
  }

  /** Stops the workers that have had no call for `idleMs`. */
  retireIdle(nowMs: number): void {
    for (const instance of [...this.#instances]) {
      if (!instance.isIdle || nowMs - instance.idleSinceMs < this.#limits.idleMs) continue;
      this.#remove(instance);
      void instance.stop();
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#failWaiting("the service stops");
    await Promise.all([...this.#alive].map((instance) => instance.stop()));
  }

  #withdraw(call: Waiting, reason: unknown): void {
    if (!this.#waiting.includes(call)) return;
    this.#waiting = this.#waiting.filter((other) => other !== call);
    call.reject(reason);
  }

  #failWaiting(message: string): void {
    for (const { reject } of this.#waiting.splice(0)) reject(new InvocationFailure("failed", message));
  }

  /** Assigns waiting calls to workers with capacity, and starts a worker if no worker has any. */
  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const worker = this.#withPlace();
      if (worker === undefined) break;
      const { requestId, event, resolve } = this.#waiting.shift()!;
      const answering = worker.invoke(requestId, event);
      resolve(answering);
      const answered = () => {
        if (!worker.usable) this.#remove(worker);
        this.#dispatch();
      };
      answering.then(answered, answered);
    }
    this.#grow();
  }

  /** Returns the first of the workers with the fewest calls, so that the last workers become idle and can end. */
  #withPlace(): LambdaInstance | undefined {
    const ready = this.#instances.filter(({ isReady }) => isReady);
    const { mostWorkers, callsPerWorker, mostCallsPerWorker } = this.#limits;
    const places = ready.length < mostWorkers ? callsPerWorker : mostCallsPerWorker;
    const least = Math.min(...ready.map(({ computing }) => computing));
    return least < places ? ready.find(({ computing }) => computing === least) : undefined;
  }

  #grow(): void {
    clearTimeout(this.#growTimer);
    const [oldest] = this.#waiting;
    const isStarting = this.#instances.some(({ isReady }) => !isReady);
    if (oldest === undefined || isStarting || this.#stopped) return;
    if (this.#instances.length >= this.#limits.mostWorkers) return;
    const leftMs = oldest.sinceMs + GROW_AFTER_MS - Date.now();
    if (this.#instances.length === 0 || leftMs <= 0) this.#add();
    else this.#growTimer = setTimeout(() => this.#grow(), leftMs);
  }

  #add(): void {
    const instance = this.#start();
    this.#alive.add(instance);
    this.#instances.push(instance);
    void instance.ready.then(() => this.#dispatch());
    void instance.ended.then(() => {
      this.#alive.delete(instance);
      this.#remove(instance);
      const others = this.#instances.some(({ isReady }) => isReady);
      if (!instance.isReady && !others) this.#failWaiting("the function could not be loaded");
      this.#dispatch();
    });
  }

  #remove(instance: LambdaInstance): void {
    this.#instances = this.#instances.filter((other) => other !== instance);
  }
}
