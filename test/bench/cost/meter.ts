/** Runs the local stack and counts what AWS charges for: calls to the stores, bytes to clients, and log lines of functions. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Endpoints, type LocalStack, startLocalStack } from "../../../infra/local/local-stack.ts";
import { type CountingProxy, startCountingProxy } from "../../helpers/stores/counting-proxy.ts";
import type { Usage } from "./bill.ts";

/** CloudWatch Logs adds this to the text of each event: PutLogEvents. */
const EVENT_BYTES = 26;
/**
 * Lines that Lambda writes for each invocation.
 * https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
 */
const ID = "00000000-0000-0000-0000-000000000000";
const PLATFORM_LINES = [
  `START RequestId: ${ID} Version: $LATEST\n`,
  `END RequestId: ${ID}\n`,
  `REPORT RequestId: ${ID}\tDuration: 100.00 ms\tBilled Duration: 100 ms\tMemory Size: 1769 MB\tMax Memory Used: 100 MB\t\n`,
];
/** Approximate size of a status line and headers from API Gateway. */
const HEADER_BYTES = 600;
const LINE_POLL_MS = 20;
const LINE_POLLS = 500;

export interface LogBytes {
  /** Bytes of the lines that functions write. */
  readonly functions: number;
  /** Bytes of the lines that Lambda writes. */
  readonly platform: number;
  readonly gateway: number;
}

export interface Measured {
  readonly usage: Usage;
  readonly log: LogBytes;
}

interface Counts {
  lines: number;
  bytes: number;
  gbSeconds: number;
}

const none = (): Counts => ({ lines: 0, bytes: 0, gbSeconds: 0 });
const platformBytes = PLATFORM_LINES.reduce((bytes, line) => bytes + line.length + EVENT_BYTES, 0);

export interface Meter {
  readonly stack: LocalStack;
  /** Base URL for requests to count: the service's address, with its stage. */
  readonly url: string;
  readonly storeUrls: Endpoints;
  /** @throws Error when a function has not logged one of the requests. */
  measure(work: () => Promise<unknown>): Promise<Measured>;
  stop(): Promise<void>;
}

/** @param gatewayLineBytes length of the line that each request adds to the gateway's access log. */
export async function startMeter(adminPassword: string, gatewayLineBytes: number): Promise<Meter> {
  let logged = none();
  const memoryGb: Record<string, number> = {};
  const proxies: CountingProxy[] = [];
  const countTo = async (target: string): Promise<CountingProxy> => {
    const proxy = await startCountingProxy(target);
    proxies.push(proxy);
    return proxy;
  };
  const stores = {} as Record<keyof Endpoints, CountingProxy>;
  const stack = await startLocalStack({
    inMemory: true,
    port: 0,
    quiet: true,
    auth: "basic",
    adminPassword,
    printLogs: (line) => count(logged, line, memoryGb),
    endpoints: async (actual) => {
      stores.dynamodb = await countTo(actual.dynamodb);
      stores.s3 = await countTo(actual.s3);
      return { dynamodb: stores.dynamodb.url, s3: stores.s3.url };
    },
  });
  for (const { name, memoryMb } of Object.values(stack.template.functions)) memoryGb[name] = memoryMb / 1024;
  const front = await countTo(stack.url);

  /** Returns the counts when so many requests are logged: other threads write the lines shortly after the responses. */
  async function linesOf(requests: number): Promise<Counts> {
    for (let poll = 0; poll < LINE_POLLS; poll++) {
      if (logged.lines >= requests) return logged;
      await sleep(LINE_POLL_MS);
    }
    throw new Error(`${requests} requests, but ${logged.lines} lines in the functions' logs`);
  }

  return {
    stack,
    url: `${front.url}/${stack.stage}`,
    storeUrls: { dynamodb: stores.dynamodb.url, s3: stores.s3.url },
    async measure(work) {
      for (const proxy of proxies) proxy.take();
      logged = none();
      await work();
      const { calls: requests, bytes } = front.take();
      const { lines: invocations, bytes: functions, gbSeconds } = await linesOf(requests);
      const table = stores.dynamodb.take();
      const bucket = stores.s3.take();
      const log = {
        functions,
        platform: invocations * platformBytes,
        gateway: requests * (gatewayLineBytes + EVENT_BYTES),
      };
      return {
        log,
        usage: {
          requests,
          invocations,
          gbSeconds,
          readUnits: table.capacityUnits - table.writeUnits,
          writeUnits: table.writeUnits,
          puts: bucket.writes,
          gets: bucket.calls - bucket.writes,
          logBytes: log.functions + log.platform + log.gateway,
          sentBytes: bytes + requests * HEADER_BYTES,
        },
      };
    },
    async stop() {
      await stack.stop();
      for (const proxy of proxies) proxy.close();
    },
  };
}

/** @param line with the function's name as its prefix: `wirelab-runs: {...}`. */
function count(logged: Counts, line: string, memoryGb: Readonly<Record<string, number>>): void {
  const [, name = "", text = ""] = /^(\S+): (.*)$/s.exec(line) ?? [];
  logged.bytes += Buffer.byteLength(text) + EVENT_BYTES;
  const record = text.startsWith("{") ? JSON.parse(text) : {};
  if (record.message !== "request") return;
  logged.lines += 1;
  // Lambda rounds the duration up to whole milliseconds.
  logged.gbSeconds += (Math.ceil(record.total_ms) / 1000) * memoryGb[name]!;
}
