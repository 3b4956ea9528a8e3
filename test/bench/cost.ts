/**
 * `npm run cost`: what the service costs, from requests measured against the local stack and a table of prices; writes
 * docs/cost.md. Times are this machine's, client and gateway included, so that functions come out dearer than they are.
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startLocalStack } from "../../infra/local/local-stack.ts";
import { buildLab, type Call, readLabFile } from "../helpers/lab-file.ts";
import { type CountingProxy, startCountingProxy } from "./counting-proxy.ts";

const PRICES = JSON.parse(readFileSync(new URL("prices.json", import.meta.url), "utf8"));
const PAGE = new URL("../../docs/cost.md", import.meta.url);
const DEMO = new URL("../../infra/local/demo.ts", import.meta.url).pathname;

/** Of the functions that run labs; the others have less. */
const MEMORY_GB = 1769 / 1024;
/** What one request adds to the logs. */
const LOG_BYTES = 1_000;
const CONSOLE_CALLS = 200;
const HOURS_PER_MONTH = 730;
/** The alarms of the stack, and one secret. */
const ALARMS = 10;
const LABS_KEPT = 20;

interface Usage {
  readonly requests: number;
  readonly seconds: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly puts: number;
  readonly gets: number;
}

let dynamodb: CountingProxy;
let s3: CountingProxy;
let requests = 0;

const stack = await startLocalStack({
  inMemory: true,
  port: 0,
  quiet: true,
  endpoints: async (actual) => {
    dynamodb = await startCountingProxy(actual.dynamodb);
    s3 = await startCountingProxy(actual.s3);
    return { dynamodb: dynamodb.url, s3: s3.url };
  },
});
const base = `${stack.url}/${stack.stage}`;

const call: Call = async (method, path, body) => {
  requests += 1;
  const response = await fetch(`${base}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? {} : JSON.parse(text);
};

async function measure(work: () => Promise<unknown>, requestCount?: number): Promise<Usage> {
  dynamodb.take();
  s3.take();
  requests = 0;
  const begin = performance.now();
  await work();
  const seconds = (performance.now() - begin) / 1000;
  const table = dynamodb.take();
  const bucket = s3.take();
  return {
    requests: requestCount ?? requests,
    seconds,
    readUnits: table.capacityUnits - table.writeUnits,
    writeUnits: table.writeUnits,
    puts: bucket.writes,
    gets: bucket.calls - bucket.writes,
  };
}

/** Positions of a bill, in dollars. */
const bill = (usage: Usage): Record<string, number> => ({
  "API Gateway": usage.requests * PRICES.api_gateway_rest_request,
  Lambda: usage.requests * PRICES.lambda_request + usage.seconds * MEMORY_GB * PRICES.lambda_gb_second_arm64,
  DynamoDB: usage.readUnits * PRICES.dynamodb_read_unit + usage.writeUnits * PRICES.dynamodb_write_unit,
  S3: usage.puts * PRICES.s3_put + usage.gets * PRICES.s3_get,
  logs: ((usage.requests * LOG_BYTES) / 1e9) * PRICES.cloudwatch_logs_gb,
});

const times = (usage: Usage, factor: number): Usage =>
  Object.fromEntries(
    Object.entries(usage).map(([name, value]) => [name, value * factor]),
  ) as unknown as Usage;
const sum = (positions: Record<string, number>): number =>
  Object.values(positions).reduce((a, b) => a + b, 0);
const dollars = (value: number): string => `$${value.toFixed(value < 0.01 ? 6 : value < 1 ? 4 : 2)}`;

function table(positions: Record<string, number>): string {
  const rows = Object.entries(positions).map(([name, value]) => `| ${name} | ${dollars(value)} |`);
  return ["| | |", "| --- | ---: |", ...rows, `| **together** | **${dollars(sum(positions))}** |`].join("\n");
}

const usageText = ({ requests, seconds, readUnits, writeUnits, puts, gets }: Usage): string =>
  `${requests.toFixed(0)} requests, ${seconds.toFixed(1)} s, ${readUnits.toFixed(0)} read and ${writeUnits.toFixed(0)} write units, ` +
  `${puts.toFixed(0)} objects written and ${gets.toFixed(0)} read`;

async function main(): Promise<void> {
  const lab = await buildLab(call, readLabFile("pair"), { name: `cost-${process.pid}` });
  await call("POST", `${lab.path}/nodes/start`);
  await call("POST", `${lab.path}/links/${lab.links["PC1-PC2"]}/start_capture`, {});
  const ping = () =>
    call("POST", `${lab.path}/nodes/${lab.nodes.PC1}/console`, { commands: ["ping 10.0.0.2 -c 5"] });
  await ping();
  const consoles = times(
    await measure(async () => {
      for (let i = 0; i < CONSOLE_CALLS; i++) await ping();
    }),
    1_000 / CONSOLE_CALLS,
  );
  let demoRequests = 0;
  const demo = await measure(async () => {
    const env = {
      ...process.env,
      WIRELAB_URL: base,
      WIRELAB_DEMO_PCAP: join(tmpdir(), `cost-${process.pid}.pcapng`),
    };
    // Not in this process: it would wait for answers that pass through it.
    await promisify(execFile)(process.execPath, [DEMO], { env });
    // 1 project, 7 nodes, 6 links, start, 2 captures started and stopped, 2 runs, 1 console, 1 download.
    demoRequests = 23;
  });
  const idle = {
    alarms: ALARMS * PRICES.cloudwatch_alarm_month,
    secret: PRICES.secret_month,
    "table and bucket (20 labs, 1 GB of captures)":
      ((LABS_KEPT * 20_000) / 1e9) * PRICES.dynamodb_gb_month + PRICES.s3_gb_month,
  };
  const { always_on: machine } = PRICES;
  const always = {
    [machine.instance]: machine.hour * HOURS_PER_MONTH,
    [machine.disk]: machine.disk_gb * machine.disk_gb_month,
  };
  const ciRun = { ...demo, requests: demoRequests };
  const runsForTheMachine = Math.floor((sum(always) - sum(idle)) / sum(bill(ciRun)));
  writeFileSync(
    PAGE,
    `# What it costs

Made by \`npm run cost\` from requests measured against the local stack and the prices of test/bench/prices.json (${PRICES.region},
${PRICES.date}, ${PRICES.source}). Times are those of the machine that measured, its client and gateway included.

## A month in which nobody calls

${table(idle)}

## 1,000 console calls

A ping of five packets between two PCs, with a capture that runs: ${usageText(consoles)}.

${table(bill(consoles))}

## One run of the demo, as a CI job would do it

Two subnets, four PCs, two captures: ${usageText(ciRun)}.

${table(bill(ciRun))}

## Beside it: the smallest machine that is always on

What the reference implementation needs at least, a month of ${HOURS_PER_MONTH} hours:

${table(always)}

For the price of that machine, the demo runs ${runsForTheMachine.toLocaleString("en-US")} times a month.
`,
  );
  console.log(
    `1,000 console calls ${dollars(sum(bill(consoles)))}, one demo ${dollars(sum(bill(ciRun)))}, idle month ${dollars(sum(idle))}`,
  );
}

try {
  await main();
} finally {
  await stack.stop();
  dynamodb!.close();
  s3!.close();
}
