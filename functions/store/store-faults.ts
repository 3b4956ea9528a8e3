/**
 * Faults of the stores: refusals for want of capacity, breakdowns, and calls that got no answer. Each attempt that ends so is
 * counted; a call whose last attempt does is told as `store.unavailable`, which callers may try again.
 */

import { type ApiError, failure } from "../api/errors.ts";
import { count, type MetricName } from "../api/metrics.ts";

type Next = (step: unknown) => Promise<unknown>;

/** What of the SDK's clients is needed here. */
interface Client {
  readonly middlewareStack: {
    add(
      middleware: (next: Next) => Next,
      options: { step: "initialize" | "deserialize"; priority: "high"; name: string },
    ): void;
  };
}

/** Errors of attempts: of a call that fails, the last one's is the call's. */
const faults = new WeakSet<object>();

export const unavailable = (cause: unknown): ApiError => failure("store.unavailable", {}, { cause });

/**
 * Two steps of every call of the client: around each attempt, where its response is read, and around all of them, since the SDK
 * tries again between the two.
 */
export function tellFaults<C>(client: C, metric: MetricName): C {
  const eachAttempt = (next: Next) => (step: unknown) =>
    next(step).catch((error: unknown) => {
      if (isStoresFault(error)) {
        count(metric);
        faults.add(error as object);
      }
      throw error;
    });
  const wholeCall = (next: Next) => (step: unknown) =>
    next(step).catch((error: unknown) => {
      throw faults.has(error as object) ? unavailable(error) : error;
    });
  const { middlewareStack } = client as Client;
  middlewareStack.add(eachAttempt, { step: "deserialize", priority: "high", name: `count${metric}` });
  middlewareStack.add(wholeCall, { step: "initialize", priority: "high", name: `tell${metric}` });
  return client;
}

/** `TransactionInProgress`: the first attempt of the same transaction, whose answer was lost, is not over yet. */
const THROTTLED =
  /^(ProvisionedThroughputExceeded|RequestLimitExceeded|SlowDown|Throttl|TooManyRequests|TransactionInProgress)/;

function isStoresFault(error: unknown): boolean {
  const { name = "", $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  if (name === "AbortError") return false;
  const status = $metadata?.httpStatusCode;
  return status === undefined || status >= 500 || THROTTLED.test(name);
}
