/** What of the SDK's clients is needed here. */
interface Client {
  readonly middlewareStack: { remove(name: string): boolean };
}

/**
 * Takes out of a client what prepares its log: for each call it copies all that is sent and received, though nobody reads
 * it. In calls of many items this is a tenth of the work.
 */
export function withoutLog<C>(client: C): C {
  (client as Client).middlewareStack.remove("loggerMiddleware");
  return client;
}
