/**
 * Metrics of the functions. CloudWatch turns a log line in its embedded metric format into metrics; no API call is needed.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** The stack's name, which infra/ sets. */
const NAMESPACE = process.env.METRICS_NAMESPACE || "Wirelab";

/** Every metric and its unit; docs/operations.md describes each. */
export const METRICS = {
  Requests: "Count",
  Errors: "Count",
  Duration: "Milliseconds",
  Runs: "Count",
  Events: "Count",
  Packets: "Count",
  Captures: "Count",
  CapturedBytes: "Bytes",
  LostCaptures: "Count",
  TableErrors: "Count",
  BucketErrors: "Count",
  Sweeps: "Count",
  SweepFailures: "Count",
  SweptObjects: "Count",
  SweptBytes: "Bytes",
  StoppedCaptures: "Count",
  ExpiredProjects: "Count",
  FinishedDeletions: "Count",
  ChangeFailures: "Count",
} as const;

export type MetricName = keyof typeof METRICS;
export type Measured = Partial<Record<MetricName, number>>;

/** Attributes of a log line that become metrics of `measured`: for the whole service, or by the named dimensions. */
export interface MetricSet {
  readonly measured: Measured;
  readonly by?: Readonly<Record<string, string>>;
}

/** @returns the attributes that a log line needs besides its own; a name in several sets has one value. */
export function embedMetrics(sets: readonly MetricSet[], epochMs = Date.now()): Record<string, unknown> {
  const filled = sets.filter(({ measured }) => Object.keys(measured).length > 0);
  return {
    ...Object.assign({}, ...filled.flatMap(({ by, measured }) => [by ?? {}, measured])),
    _aws: {
      Timestamp: epochMs,
      CloudWatchMetrics: filled.map(({ measured, by = {} }) => ({
        Namespace: NAMESPACE,
        Dimensions: [Object.keys(by)],
        Metrics: (Object.keys(measured) as MetricName[]).map((Name) => ({ Name, Unit: METRICS[Name] })),
      })),
    },
  };
}

const counting = new AsyncLocalStorage<Measured>();

/** Runs a task; adds all counts during it to `into`, also those of nested calls. */
export const countInto = <T>(into: Measured, task: () => T): T => counting.run(into, task);

/** Adds to a counter of the current request. Does nothing outside a request, for example in a test. */
export function count(name: MetricName, amount = 1): void {
  const into = counting.getStore();
  if (into) into[name] = (into[name] ?? 0) + amount;
}
