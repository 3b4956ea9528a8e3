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

/** Holding the follower and noting what was sent are a write each; the follower's project and the events are a read each. */
const FOLLOWER_UNITS = { writes: 2, reads: 2 };

/** These calls, and that of API Gateway, take the publisher about as long; it has 512 MB. */
const SENDING_GB_SECONDS = 0.5 * 0.02;

/** Returns the price of events that the publisher sends to one follower over a WebSocket, one at a time. */
export const sendingOf = (events: number): Bill => ({
  "API Gateway, messages": events * PRICES.websocket_message,
  "Lambda, time of the publisher": events * SENDING_GB_SECONDS * PRICES.lambda_gb_second_arm64,
  DynamoDB:
    events *
    (FOLLOWER_UNITS.writes * PRICES.dynamodb_write_unit + FOLLOWER_UNITS.reads * PRICES.dynamodb_read_unit),
});

/**
 * Counted from the code. functions/sockets is called at the beginning, when the connection has opened, and at its end; the publisher is
 * called with the connection, calls functions/sockets for the second time, and functions/watcher, which looks whether there are computes.
 */
const CONNECTION = {
  calls: { sockets: 3, publisher: 1, watcher: 1 },
  gbSeconds: 3 * 1.73 * 0.05 + 0.5 * 0.02 + 0.25 * 0.05,
  writes: 6 + 2,
  reads: 6 + 2,
  logBytes: 1_500 + 600,
};

/** Returns the price of WebSockets that follow events, without their minutes and events. */
export function connectingOf(connections: number): Bill {
  const { calls, gbSeconds, writes, reads, logBytes } = CONNECTION;
  const invocations = Object.values(calls).reduce((a, b) => a + b, 0);
  const each = {
    "API Gateway, messages": PRICES.websocket_message,
    Lambda: invocations * PRICES.lambda_request + gbSeconds * PRICES.lambda_gb_second_arm64,
    DynamoDB: writes * PRICES.dynamodb_write_unit + reads * PRICES.dynamodb_read_unit,
    logs: (logBytes / GB) * PRICES.cloudwatch_logs_gb,
  };
  return Object.fromEntries(Object.entries(each).map(([name, price]) => [name, connections * price]));
}

/** A follower over HTTP reads the events this often while nothing changes: functions/notifications/follow.ts. */
const POLL_SECONDS = 1;

/** Returns the price of an hour in which one client follows events of which there are none. */
export function followingOf(memoryGb: number, timeoutSeconds: number): { socket: Bill; stream: Bill } {
  const seconds = 3_600;
  const responses = seconds / timeoutSeconds;
  return {
    socket: { "API Gateway, minutes of the connection": (seconds / 60) * PRICES.websocket_connection_minute },
    stream: {
      "API Gateway": responses * PRICES.api_gateway_rest_request,
      Lambda: responses * PRICES.lambda_request + seconds * memoryGb * PRICES.lambda_gb_second_arm64,
      DynamoDB: (seconds / POLL_SECONDS) * PRICES.dynamodb_read_unit,
    },
  };
}

/** Returns the price of what CloudFront adds (`-c edge=true`) to requests and a number of bytes to viewers. */
export const edgeOf = (requests: number, sentBytes: number): Bill => ({
  "CloudFront, requests": requests * PRICES.cloudfront_request,
  "CloudFront, its function": requests * PRICES.cloudfront_function_call,
  "CloudFront, bytes": (sentBytes / GB) * PRICES.cloudfront_gb,
});
