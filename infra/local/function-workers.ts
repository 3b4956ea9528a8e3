/**
 * The workers of one function. Each worker takes few calls at once, so that the calls share its event loop; a worker of a function that
 * computes takes one, as on AWS. A worker whose event loop does not answer is full. Another worker starts when calls wait, and idle
 * workers end after a burst.
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

/** With this memory, Lambda gives a function a whole processor: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const COMPUTING_MB = 1769;
/** A computing worker waits for the stores as well, so more workers than processors are of use. */
const MORE_COMPUTING = 2;
/** Workers that do not answer do not count as workers, up to this multiple of `mostWorkers`. */
const MOST_SILENT = 4;

const DEFAULTS: PoolLimits = {
  mostWorkers: Math.min(Math.max(availableParallelism(), 2), 4),
  callsPerWorker: 4,
  mostCallsPerWorker: 16,
  idleMs: 30_000,
};

const limitsOf = ({ memoryMb }: FunctionDefinition): PoolLimits =>
  memoryMb < COMPUTING_MB
    ? DEFAULTS
    : { ...DEFAULTS, callsPerWorker: 1, mostWorkers: DEFAULTS.mostWorkers * MORE_COMPUTING };

/**
 * A call waits this long before another worker is started: most calls take less time than a start. A worker that has not answered for this
 * time is full.
 */
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
    this.#start = () => new LambdaInstance(definition, shared, log, () => this.#dispatch());
    this.#limits = { ...limitsOf(definition), ...limits };
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

  /**
   * Returns the first of the workers with the fewest calls, so that the last workers become idle and can end. Asks those that are not idle
   * whether they are free; their answer dispatches again.
   */
  #withPlace(): LambdaInstance | undefined {
    const ready = this.#instances.filter(({ isReady }) => isReady);
    const { mostWorkers, callsPerWorker, mostCallsPerWorker } = this.#limits;
    const places = ready.length < mostWorkers ? callsPerWorker : mostCallsPerWorker;
    const withPlace = ready.filter(({ computing }) => computing < places);
    const least = Math.min(...withPlace.map(({ computing }) => computing));
    const best = withPlace.find(({ computing, isFree }) => computing === least && isFree);
    if (best) return best;
    for (const instance of withPlace) if (!instance.isFree) instance.ask();
    return withPlace.find(({ isFree }) => isFree);
  }

  /** The number of workers that answer, or were not asked. */
  get #answering(): number {
    return this.#instances.filter((instance) => !instance.isSilentFor(GROW_AFTER_MS)).length;
  }

  #grow(): void {
    clearTimeout(this.#growTimer);
    const [oldest] = this.#waiting;
    const isStarting = this.#instances.some(({ isReady }) => !isReady);
    if (oldest === undefined || isStarting || this.#stopped) return;
    const { mostWorkers } = this.#limits;
    if (this.#instances.length >= mostWorkers * MOST_SILENT) return;
    const leftMs = oldest.sinceMs + GROW_AFTER_MS - Date.now();
    const mayGrow = this.#answering < mostWorkers;
    if (this.#instances.length === 0 || (mayGrow && leftMs <= 0)) this.#add();
    // Workers that answer now may be silent later.
    else this.#growTimer = setTimeout(() => this.#grow(), mayGrow ? leftMs : GROW_AFTER_MS);
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
