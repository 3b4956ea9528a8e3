/** Converts usage into the items of a bill. */
import { readFileSync } from "node:fs";

export const PRICES = JSON.parse(readFileSync(new URL("prices.json", import.meta.url), "utf8"));

export const HOURS_PER_MONTH = 730;
/** Price of one metric for an hour in which a function writes it. */
export const METRIC_HOUR = PRICES.cloudwatch_metric_month / HOURS_PER_MONTH;

export interface Usage {
  /** Requests to API Gateway. */
  readonly requests: number;
  /** Invocations of functions. */
  readonly invocations: number;
  /** Sum of memory times duration over all invocations. */
  readonly gbSeconds: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly puts: number;
  readonly gets: number;
  readonly logBytes: number;
  /** Bytes of responses, headers included. */
  readonly sentBytes: number;
}

/** Dollars by item. */
export type Bill = Readonly<Record<string, number>>;

const GB = 1e9;

export const billOf = (usage: Usage): Bill => ({
  "API Gateway": usage.requests * PRICES.api_gateway_rest_request,
  Lambda: usage.invocations * PRICES.lambda_request + usage.gbSeconds * PRICES.lambda_gb_second_arm64,
  DynamoDB: usage.readUnits * PRICES.dynamodb_read_unit + usage.writeUnits * PRICES.dynamodb_write_unit,
  S3: usage.puts * PRICES.s3_put + usage.gets * PRICES.s3_get,
  logs: (usage.logBytes / GB) * PRICES.cloudwatch_logs_gb,
  egress: (usage.sentBytes / GB) * PRICES.egress_gb,
});

export const sum = (bill: Bill): number => Object.values(bill).reduce((a, b) => a + b, 0);

export const costOf = (usage: Usage): number => sum(billOf(usage));

export const times = (usage: Usage, factor: number): Usage =>
  Object.fromEntries(
    Object.entries(usage).map(([name, value]) => [name, value * factor]),
  ) as unknown as Usage;

/** Lambda streams this much of a response at full speed and without charge, and the rest at 2 MB/s. */
const BURST_BYTES = 6_000_000;
const STREAM_BYTES_PER_SECOND = 2_000_000;
const BYTES_PER_REQUEST = 10_000_000;

/**
 * Returns the price of a GB of packets that a client downloads, in dollars.
 * @param responseBytes the length of a function's longest response.
 */
export function downloadsOf(responseBytes: number, memoryGb: number): { bucket: Bill; streamed: Bill } {
  const responses = GB / responseBytes;
  const slowBytes = responses * (responseBytes - BURST_BYTES);
  const requests = responses * Math.ceil(responseBytes / BYTES_PER_REQUEST);
  const seconds = slowBytes / STREAM_BYTES_PER_SECOND;
  return {
    bucket: { egress: PRICES.egress_gb },
    streamed: {
      egress: PRICES.egress_gb,
      "Lambda, time": seconds * memoryGb * PRICES.lambda_gb_second_arm64,
      "Lambda, bytes streamed": (slowBytes / GB) * PRICES.lambda_streamed_gb,
      "API Gateway": requests * PRICES.api_gateway_rest_request,
    },
  };
}
