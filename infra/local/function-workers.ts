/**
 * The workers of one function: few calls in each, so that the event loop gets round to all of them, and another worker when calls
 * have to wait. What was used for a burst is given back when it is over.
 */
import { availableParallelism } from "node:os";
import { type Invocation, InvocationFailure, LambdaInstance, type Log } from "./lambda-instance.ts";
import type { FunctionDefinition } from "./template.ts";

export interface PoolLimits {
  /** Workers of one function. */
  readonly mostWorkers: number;
  /** Answers that one worker computes at once while there can be more workers. */
  readonly callsPerWorker: number;
  /**
   * The same when there cannot; further calls wait. The SDK's timers count while the event loop is blocked: with hundreds of calls
   * in one worker, connections that were made in time are taken for ones that were not.
   */
  readonly mostCallsPerWorker: number;
  /** How long a worker without a call keeps its memory: 20 MB at least, and what its largest call needed at most. */
  readonly idleMs: number;
}

const DEFAULTS: PoolLimits = {
  mostWorkers: Math.min(Math.max(availableParallelism(), 2), 4),
  callsPerWorker: 4,
  mostCallsPerWorker: 16,
  idleMs: 30_000,
};

/** How long calls wait for a place before a further worker is started: most calls take less time than a start. */
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
  /** Those that take calls. */
  #instances: LambdaInstance[] = [];
  /** All that run, among them those that still send an answer and take no further call. */
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

  /** Ends the workers that have had no call for `idleMs`. */
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

  /** Gives calls that wait to workers with a place for them, and starts a worker when there is none. */
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

  /** The first of those that compute the fewest answers: the last ones become idle. */
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
