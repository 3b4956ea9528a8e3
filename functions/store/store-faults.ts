/**
 * Faults of the stores: refusals for want of capacity, breakdowns, calls without an answer, a table or bucket that does not exist,
 * and damaged data. Each attempt that ends so is counted. What the caller is told depends on the last attempt: `store.unavailable`
 * may be retried, and so may `store.missing` when the operator has created what is missing; `store.damaged` may not.
 */

import { type ApiError, failure } from "../api/errors.ts";
import { count } from "../api/metrics.ts";
import { requiredEnv } from "./env.ts";

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

const STORES = {
  TableErrors: { what: "DynamoDB table", variable: "TABLE_NAME", missing: "ResourceNotFoundException" },
  BucketErrors: { what: "S3 bucket", variable: "BUCKET_NAME", missing: "NoSuchBucket" },
} as const;
type StoreMetric = keyof typeof STORES;

/** Errors of attempts: of a call that fails, the last one's is the call's. */
const faults = new WeakSet<object>();

export const unavailable = (cause: unknown): ApiError => failure("store.unavailable", {}, { cause });

/**
 * Two steps of every call of the client: around each attempt, where its response is read, and around all of them, since the SDK
 * tries again between the two.
 */
export function tellFaults<C>(client: C, metric: StoreMetric): C {
  const eachAttempt = (next: Next) => (step: unknown) =>
    next(step).catch((error: unknown) => {
      if (isStoresFault(error) || isMissing(error, metric)) {
        count(metric);
        faults.add(error as object);
      }
      throw error;
    });
  const wholeCall = (next: Next) => (step: unknown) =>
    next(step).catch((error: unknown) => {
      throw faults.has(error as object) ? toFailure(error as Error, metric) : error;
    });
  const { middlewareStack } = client as Client;
  middlewareStack.add(eachAttempt, { step: "deserialize", priority: "high", name: `count${metric}` });
  middlewareStack.add(wholeCall, { step: "initialize", priority: "high", name: `tell${metric}` });
  return client;
}

/** SQLite's words for SQLITE_CORRUPT and SQLITE_NOTADB: the embedded DynamoDB passes them on in an InternalServerError. */
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

/** `TransactionInProgress`: the first attempt of the same transaction, whose answer was lost, is not over yet. */
const THROTTLED =
  /^(ProvisionedThroughputExceeded|RequestLimitExceeded|SlowDown|Throttl|TooManyRequests|TransactionInProgress)/;

function isStoresFault(error: unknown): boolean {
  const { name = "", $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  if (name === "AbortError") return false;
  const status = $metadata?.httpStatusCode;
  return status === undefined || status >= 500 || THROTTLED.test(name);
}
