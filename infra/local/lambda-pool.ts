/** Runs functions as Lambda would: one worker for each, started when first needed and replaced when it dies. */

import { type Invocation, LambdaInstance, type Log } from "./lambda-instance.ts";
import type { FunctionDefinition } from "./template.ts";

export interface LambdaPool {
  /**
   * @param event the JSON text of the event.
   * @throws InvocationFailure when the function fails, takes too long, or dies.
   */
  invoke(functionId: string, requestId: string, event: string): Promise<Invocation>;
  /** Ends every streamed response where it stands, as complete. */
  endStreams(): void;
  stop(): Promise<void>;
}

/** @param shared variables that every function has besides its own. */
export function makeLambdaPool(
  functions: Readonly<Record<string, FunctionDefinition>>,
  shared: Readonly<Record<string, string>>,
  log: Log,
): LambdaPool {
  const current = new Map<string, LambdaInstance>();
  /** Those that still run out beside their replacement are among them. */
  const alive = new Set<LambdaInstance>();

  const start = (functionId: string): LambdaInstance => {
    const definition = functions[functionId];
    if (definition === undefined) throw new Error(`the template has no function ${functionId}`);
    const instance = new LambdaInstance(definition, shared, log);
    alive.add(instance);
    void instance.ended.then(() => alive.delete(instance));
    current.set(functionId, instance);
    return instance;
  };

  return {
    invoke(functionId, requestId, event) {
      const running = current.get(functionId);
      const instance = running?.usable ? running : start(functionId);
      return instance.invoke(requestId, event);
    },
    endStreams() {
      for (const instance of alive) instance.endStreams();
    },
    async stop() {
      await Promise.all([...alive].map((instance) => instance.stop()));
    },
  };
}
