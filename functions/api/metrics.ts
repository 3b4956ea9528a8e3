/**
 * What the functions measure. A line of the log that names its numbers by CloudWatch's embedded metric format becomes
 * metrics when it arrives; no call is made for it.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** The stack's name, as infra/ tells it. */
const NAMESPACE = process.env.METRICS_NAMESPACE || "Wirelab";

/** Every metric and its unit; docs/operations.md says what each is. */
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
} as const;

export type MetricName = keyof typeof METRICS;
export type Measured = Partial<Record<MetricName, number>>;

/** Attributes of a log line that make metrics of `measured`: for the whole service, or by the dimensions named. */
export interface MetricSet {
  readonly measured: Measured;
  readonly by?: Readonly<Record<string, string>>;
}

/** @returns what a log line needs besides its own attributes; a name that is in several sets has one value. */
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

/** Runs a task; what is counted during it, however deep below, adds up in `into`. */
export const countInto = <T>(into: Measured, task: () => T): T => counting.run(into, task);

/** Counts something for whoever is being answered. Where nobody listens, as in a test, it is not counted. */
export function count(name: MetricName, amount = 1): void {
  const into = counting.getStore();
  if (into) into[name] = (into[name] ?? 0) + amount;
}
