/**
 * Faults of the stores: throttled calls, breakdowns, calls without a response, a table or bucket that does not exist, and damaged
 * data. Each attempt that ends with a fault is counted. The error of the call depends on its last attempt: the caller may retry
 * `store.unavailable`, and `store.missing` after the operator has created what is missing, but not `store.damaged`.
 */

import { type ApiError, failure } from "../../edge/errors.ts";
import { count } from "../../edge/metrics.ts";
import { requiredEnv } from "./env.ts";
import { isThrottle, Patience } from "./patience.ts";

type Next = (step: unknown) => Promise<unknown>;

/** The part of the SDK's clients that this module needs. */
interface Client {
  readonly middlewareStack: {
    add(
      middleware: (next: Next) => Next,
      options: { step: "initialize" | "deserialize"; priority: "high"; name: string },
    ): void;
  };
}

const STORES = {
  TableErrors: { what: "DynamoDB table", variable: "TABLE_NAME", missing: "ResourceNotFoundException" },
  BucketErrors: { what: "S3 bucket", variable: "BUCKET_NAME", missing: "NoSuchBucket" },
} as const;
type StoreMetric = keyof typeof STORES;

/** Errors of attempts. The error of a failed call is that of its last attempt. */
const faults = new WeakSet<object>();

export const unavailable = (cause: unknown): ApiError => failure("store.unavailable", {}, { cause });

/**
 * Adds two steps to every call of the client: one around each attempt, which reads its response, and one around all attempts,
 * because the SDK retries between the two. The SDK makes three attempts; a call that the table throttles is made again after them.
 */
export function reportFaults<C>(client: C, metric: StoreMetric): C {
  const eachAttempt = (next: Next) => (step: unknown) =>
    next(step).catch((error: unknown) => {
      if (isStoresFault(error) || isMissing(error, metric)) {
        count(metric);
        faults.add(error as object);
      }
      throw error;
    });
  const wholeCall = (next: Next) => async (step: unknown) => {
    for (const patience = new Patience(); ; ) {
      try {
        return await next(step);
      } catch (error) {
        if (!faults.has(error as object)) throw error;
        if (isThrottle((error as Error).name) && (await patience.goesOn())) continue;
        throw toFailure(error as Error, metric);
      }
    }
  };
  const { middlewareStack } = client as Client;
  middlewareStack.add(eachAttempt, { step: "deserialize", priority: "high", name: `count${metric}` });
  middlewareStack.add(wholeCall, { step: "initialize", priority: "high", name: `report${metric}` });
  return client;
}

/** SQLite's messages for SQLITE_CORRUPT and SQLITE_NOTADB, which the embedded DynamoDB passes on in an InternalServerError. */
const DAMAGED = /database disk image is malformed|file is not a database/;

function toFailure(error: Error, metric: StoreMetric): ApiError {
  const { what, variable } = STORES[metric];
  if (isMissing(error, metric))
    return failure("store.missing", { what, name: requiredEnv(variable) }, { cause: error });
  const detail = DAMAGED.exec(error.message)?.[0];
  return detail === undefined
    ? unavailable(error)
    : failure("store.damaged", { what, detail }, { cause: error });
}

const isMissing = (error: unknown, metric: StoreMetric): boolean =>
  (error as { name?: string }).name === STORES[metric].missing;

/** `TransactionInProgress`: the first attempt of the same transaction, whose response was lost, is not over yet. */
const THROTTLED =
  /^(ProvisionedThroughputExceeded|RequestLimitExceeded|SlowDown|Throttl|TooManyRequests|TransactionInProgress)/;

function isStoresFault(error: unknown): boolean {
  const { name = "", $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  if (name === "AbortError") return false;
  const status = $metadata?.httpStatusCode;
  return status === undefined || status >= 500 || THROTTLED.test(name);
}
