/** Counts the attempts that a store did not serve: what it refused for want of capacity, broke on, or never answered. */
import { count, type MetricName } from "../api/metrics.ts";

type Next = (step: unknown) => Promise<unknown>;

/** What of the SDK's clients is needed here. */
interface Client {
  readonly middlewareStack: {
    add(
      middleware: (next: Next) => Next,
      options: { step: "deserialize"; priority: "high"; name: string },
    ): void;
  };
}

/** Where the response of one attempt is read: outside of it the SDK tries again, and an error may be gone. */
export function countErrors<C>(client: C, metric: MetricName): C {
  const counting = (next: Next) => (step: unknown) =>
    next(step).catch((error: unknown) => {
      if (isStoresFault(error)) count(metric);
      throw error;
    });
  (client as Client).middlewareStack.add(counting, {
    step: "deserialize",
    priority: "high",
    name: `count${metric}`,
  });
  return client;
}

const THROTTLED = /^(ProvisionedThroughputExceeded|RequestLimitExceeded|SlowDown|Throttl|TooManyRequests)/;

function isStoresFault(error: unknown): boolean {
  const { name = "", $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  if (name === "AbortError") return false;
  const status = $metadata?.httpStatusCode;
  return status === undefined || status >= 500 || THROTTLED.test(name);
}
