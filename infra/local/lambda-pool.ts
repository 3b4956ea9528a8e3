/** Runs functions as Lambda does: each function has its own workers, and their number follows its calls. */
import { FunctionWorkers, type PoolLimits } from "./function-workers.ts";
import type { Invocation, Log } from "./lambda-instance.ts";
import type { FunctionDefinition } from "./template/functions.ts";

export interface LambdaPool {
  /**
   * @param event the JSON text of the event.
   * @param signal withdraws a call that waits for a worker; a call that has begun runs to its end.
   * @throws InvocationFailure when the function fails, takes too long, or dies.
   */
  invoke(functionId: string, requestId: string, event: string, signal?: AbortSignal): Promise<Invocation>;
  /** The number of running workers of all functions. */
  readonly workers: number;
  /** Ends each streamed response after the bytes that have been sent, as if it were complete. */
  endStreams(): void;
  stop(): Promise<void>;
}

const RETIRE_EVERY_MS = 1_000;

/** @param shared environment variables of all functions; they override a function's own. */
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
