/**
 * Replaces a package that creates the invocation's store if the runtime has created none. The runtime creates a store only if it runs
 * several invocations of a function at once, which it does not here; the SDK then reads the trace from the environment.
 */
export const InvokeStore = {
  getInstanceAsync: async (): Promise<unknown> =>
    (globalThis as { awslambda?: { InvokeStore?: unknown } }).awslambda?.InvokeStore,
};
