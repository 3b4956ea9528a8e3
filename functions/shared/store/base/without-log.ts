/** The part of the SDK's clients that this module needs. */
interface Client {
  readonly middlewareStack: { remove(name: string): boolean };
}

/**
 * Removes the middleware that prepares a client's log: for each call it copies all data that is sent and received, although the log
 * is unused. In calls of many items this is a tenth of the work.
 */
export function withoutLog<C>(client: C): C {
  (client as Client).middlewareStack.remove("loggerMiddleware");
  return client;
}
