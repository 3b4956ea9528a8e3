/** Runs functions as Lambda would: each in workers of its own, as many as its calls need. */
import { FunctionWorkers, type PoolLimits } from "./function-workers.ts";
import type { Invocation, Log } from "./lambda-instance.ts";
import type { FunctionDefinition } from "./template.ts";

export interface LambdaPool {
  /**
   * @param event the JSON text of the event.
   * @param signal withdraws the call while it waits for a worker; one that has begun runs to its end.
   * @throws InvocationFailure when the function fails, takes too long, or dies.
   */
  invoke(functionId: string, requestId: string, event: string, signal?: AbortSignal): Promise<Invocation>;
  /** How many workers there are. */
  readonly workers: number;
  /** Ends every streamed response where it stands, as complete. */
  endStreams(): void;
  stop(): Promise<void>;
}

const RETIRE_EVERY_MS = 1_000;

/** @param shared variables that every function has besides its own. */
export function makeLambdaPool(
  functions: Readonly<Record<string, FunctionDefinition>>,
  shared: Readonly<Record<string, string>>,
  log: Log,
  limits: Partial<PoolLimits> = {},
): LambdaPool {
  const pools = new Map(
    Object.entries(functions).map(([id, definition]) => [
      id,
      new FunctionWorkers(definition, shared, log, limits),
    ]),
  );
  const all = [...pools.values()];
  const retiring = setInterval(() => {
    for (const pool of all) pool.retireIdle(Date.now());
  }, RETIRE_EVERY_MS).unref();
  return {
    async invoke(functionId, requestId, event, signal) {
      const pool = pools.get(functionId);
      if (pool === undefined) throw new Error(`the template has no function ${functionId}`);
      signal?.throwIfAborted();
      return pool.invoke(requestId, event, signal);
    },
    get workers() {
      return all.reduce((sum, pool) => sum + pool.size, 0);
    },
    endStreams() {
      for (const pool of all) pool.endStreams();
    },
    async stop() {
      clearInterval(retiring);
      await Promise.all(all.map((pool) => pool.stop()));
    },
  };
}
