/**
 * In place of a package that makes the invocation's store when the runtime has made none. The runtime makes one where it calls a function
 * several times at once, which it does not here; the SDK then finds the trace in the environment.
 */
export const InvokeStore = {
  getInstanceAsync: async (): Promise<unknown> =>
    (globalThis as { awslambda?: { InvokeStore?: unknown } }).awslambda?.InvokeStore,
};
