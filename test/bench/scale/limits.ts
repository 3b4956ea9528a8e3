/** Limits of an AWS account in us-east-1, as AWS documents their defaults, and those of the stack's settings. */
import { DEFAULTS } from "./stack-defaults.ts";

export interface Limit {
  readonly name: string;
  /** Units a second, or units at once. */
  readonly most: number;
  readonly unit: string;
  /** What happens to a request above the limit. */
  readonly above: string;
  /** How the operator raises it. */
  readonly raise: string;
}

export const LIMITS = {
  /** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
  executions: {
    name: "executions of functions at once",
    most: 1_000,
    unit: "at once",
    above: "429 of API Gateway",
    raise: "a quota of the account; a new account has 10",
  },
  /** https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html: 1,000 environments in 10 s for each function. */
  environments: {
    name: "new environments of one function in 10 s",
    most: 1_000,
    unit: "in 10 s",
    above: "429 of API Gateway",
    raise: "fixed",
  },
  stage: {
    name: "requests of the stage, apart from runs",
    most: DEFAULTS.throttle_rate,
    unit: "a second",
    above: "429 of API Gateway",
    raise: "`throttle_rate`, up to the account's 10,000",
  },
  runs: {
    name: "requests of one route that runs a lab",
    most: DEFAULTS.throttle_runs_rate,
    unit: "a second",
    above: "429 of API Gateway",
    raise: "`throttle_runs_rate`",
  },
  /** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
  partition: {
    name: "write units of the busiest project",
    most: 1_000,
    unit: "a second",
    above: "the function retries; 503 after some seconds",
    raise: "fixed for a partition key",
  },
  /** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html: a new table. */
  table: {
    name: "write units of a table that is new",
    most: 4_000,
    unit: "a second",
    above: "the function retries; DynamoDB doubles the capacity within 30 minutes",
    raise: "warm throughput of the table",
  },
  /** https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html */
  objects: {
    name: "objects written below one prefix",
    most: 3_500,
    unit: "a second",
    above: "the function retries",
    raise: "S3 splits prefixes by itself",
  },
  /** One batch at a time for each shard of the table's stream. */
  poller: {
    name: "changes that one poller of the stream hands on",
    most: 100 / DEFAULTS.dispatch_seconds,
    unit: "a second",
    above: "events come later",
    raise: "more shards: DynamoDB splits a large table",
  },
  /** https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html */
  connections: {
    name: "new WebSockets",
    most: 500,
    unit: "a second",
    above: "the page uses the streamed response, and tries again",
    raise: "a quota of the account",
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;
