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
import { type CountingProxy, startCountingProxy } from "../helpers/counting-proxy.ts";
import { buildLab, type Call, readLabFile } from "../helpers/lab-file.ts";
import { templateOf } from "../helpers/stack.ts";
import { OPERATIONS, readStanding } from "./standing.ts";

const PRICES = JSON.parse(readFileSync(new URL("prices.json", import.meta.url), "utf8"));
const PAGE = new URL("../../docs/cost.md", import.meta.url);
const DEMO = new URL("../../infra/local/demo.ts", import.meta.url).pathname;

/** Of the functions that run labs; the others have less. */
const MEMORY_GB = 1769 / 1024;
/** What one request adds to the logs. */
const LOG_BYTES = 1_000;
const CONSOLE_CALLS = 200;
const HOURS_PER_MONTH = 730;
/** A month's working hours, in which a project's CI jobs run. */
const WORKING_HOURS = 176;
const LABS_KEPT = 20;
const DAY_MS = 86_400_000;

/** What infra/local/demo.ts calls, and how often. */
const DEMO_CALLS: Readonly<Record<string, number>> = {
  createProject: 1,
  createNode: 7,
  createLink: 6,
  startAllNodes: 1,
  startCapture: 2,
  runLab: 2,
  runConsole: 1,
  stopCapture: 2,
  downloadPcapng: 1,
};

/** What the functions tell for the whole service while labs run without faults: functions/api/metrics.ts. */
const OF_RUNS = ["Duration", "Runs", "Events", "Packets", "CapturedBytes"];
const OF_THE_SERVICE = [...OF_RUNS, "Captures"];
const METRIC_HOUR = PRICES.cloudwatch_metric_month / HOURS_PER_MONTH;

const standing = readStanding(templateOf());

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

/** How many metrics the functions write in an hour in which these operations are called: by route, and of the service. */
function metricsOf(operations: readonly string[], ofService: readonly string[]): number {
  const unknown = operations.filter((name) => !OPERATIONS.has(name));
  if (unknown.length > 0) throw new Error(`no operations: ${unknown.join(", ")}`);
  return operations.length + ofService.length;
}

/** With the metrics of one hour: what is called in it again adds none. */
const billOfAnHour = (usage: Usage, metrics: number): Record<string, number> => ({
  ...bill(usage),
  [`metrics, ${metrics} for an hour`]: metrics * METRIC_HOUR,
});

/** @returns the metrics that a run of the sweeper tells, when what the labs keep is two days old. */
async function sweep(): Promise<string[]> {
  Object.assign(process.env, {
    AWS_REGION: stack.region,
    AWS_ACCESS_KEY_ID: stack.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: stack.credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_S3: s3.url,
    TABLE_NAME: stack.tableName,
    BUCKET_NAME: stack.bucketName,
  });
  // The store makes its clients when it is loaded.
  const [{ sweep: sweepOnce }, { countInto }] = await Promise.all([
    import("../../functions/sweeper/sweep.ts"),
    import("../../functions/api/metrics.ts"),
  ]);
  const counts = {};
  const options = {
    nowMs: Date.now() + 2 * DAY_MS,
    abandonedMs: 30 * DAY_MS,
    remainingTimeMs: () => 900_000,
  };
  await countInto(counts, () => sweepOnce(options));
  return Object.keys(counts);
}

const times = (usage: Usage, factor: number): Usage =>
  Object.fromEntries(
    Object.entries(usage).map(([name, value]) => [name, value * factor]),
  ) as unknown as Usage;
const sum = (positions: Readonly<Record<string, number>>): number =>
  Object.values(positions).reduce((a, b) => a + b, 0);
const dollars = (value: number): string =>
  `$${value.toFixed(value === 0 ? 2 : value < 0.01 ? 6 : value < 0.1 ? 4 : 2)}`;

function table(positions: Record<string, number>): string {
  const rows = Object.entries(positions).map(([name, value]) => `| ${name} | ${dollars(value)} |`);
  return ["| | |", "| --- | ---: |", ...rows, `| **together** | **${dollars(sum(positions))}** |`].join("\n");
}

const usageText = ({ requests, seconds, readUnits, writeUnits, puts, gets }: Usage): string =>
  `${requests.toFixed(0)} requests, ${seconds.toFixed(1)} s, ${readUnits.toFixed(0)} read and ${writeUnits.toFixed(0)} write units, ` +
  `${puts.toFixed(0)} objects written and ${gets.toFixed(0)} read`;

/** What an account has free, when nothing else in it uses that up. */
function freeTiers(metrics: number): string {
  const { cloudwatch_free: free } = PRICES;
  const { alarms, dashboards, dashboardMetrics } = standing;
  const isSmall = dashboardMetrics <= free.metrics_of_a_dashboard * dashboards;
  const off = {
    alarms: Math.min(alarms, free.alarms) * PRICES.cloudwatch_alarm_month,
    metrics: Math.min(metrics, free.metrics) * PRICES.cloudwatch_metric_month,
    dashboards: isSmall ? Math.min(dashboards, free.dashboards) * PRICES.cloudwatch_dashboard_month : 0,
  };
  return `The free tiers of an account take ${dollars(sum(off))} off, where nothing else in it has used them up: ${dollars(off.alarms)} for alarms (${free.alarms}
are free), ${dollars(off.metrics)} for metrics (${free.metrics}) and ${dollars(off.dashboards)} for the dashboard (${free.dashboards}, of up to ${free.metrics_of_a_dashboard} metrics each; this one has ${dashboardMetrics}).`;
}

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
  const demo = await measure(async () => {
    const env = {
      ...process.env,
      WIRELAB_URL: base,
      WIRELAB_DEMO_PCAP: join(tmpdir(), `cost-${process.pid}.pcapng`),
    };
    // Not in this process: it would wait for answers that pass through it.
    await promisify(execFile)(process.execPath, [DEMO], { env });
  }, sum(DEMO_CALLS));
  // What the calls above left behind is gone then: from there on every hour is like the one before.
  await sweep();
  let swept: string[] = [];
  const sweeping = await measure(async () => {
    swept = await sweep();
  }, 0);
  const { alarms, dashboards, secrets } = standing;
  const idle = {
    [`${alarms} alarms`]: alarms * PRICES.cloudwatch_alarm_month,
    [`${dashboards} dashboard`]: dashboards * PRICES.cloudwatch_dashboard_month,
    [`${swept.length} metric of the sweeper (${swept.join(", ")})`]:
      swept.length * PRICES.cloudwatch_metric_month,
    [`${secrets} secret`]: secrets * PRICES.secret_month,
    // To list objects costs as much as to write one, and it does little else there.
    "the sweeper, once an hour":
      sum(bill({ ...sweeping, puts: sweeping.puts + sweeping.gets, gets: 0 })) * HOURS_PER_MONTH,
    "table and bucket (20 labs, 1 GB of captures)":
      ((LABS_KEPT * 20_000) / 1e9) * PRICES.dynamodb_gb_month + PRICES.s3_gb_month,
  };
  const { always_on: machine } = PRICES;
  const always = {
    [machine.instance]: machine.hour * HOURS_PER_MONTH,
    [machine.disk]: machine.disk_gb * machine.disk_gb_month,
  };
  const demoMetrics = metricsOf(Object.keys(DEMO_CALLS), OF_THE_SERVICE);
  const consoleMetrics = metricsOf(["runConsole"], OF_RUNS);
  /** How often a month's price pays for the demo, when its runs are in so many of the month's hours. */
  const runsForTheMachine = (hours: number): string => {
    const left = sum(always) - sum(idle) - hours * demoMetrics * METRIC_HOUR;
    return Math.max(0, Math.floor(left / sum(bill(demo)))).toLocaleString("en-US");
  };
  const busiest = {
    [`requests by route: ${OPERATIONS.size} metrics`]: OPERATIONS.size * PRICES.cloudwatch_metric_month,
    [`the whole service: ${OF_THE_SERVICE.length} metrics`]:
      OF_THE_SERVICE.length * PRICES.cloudwatch_metric_month,
  };
  writeFileSync(
    PAGE,
    `# What it costs

Made by \`npm run cost\` from requests measured against the local stack and the prices of test/bench/prices.json (${PRICES.region},
${PRICES.date}, ${PRICES.source}). Times are those of the machine that measured, its client and gateway included.

## A month in which nobody calls

${table(idle)}

${freeTiers(swept.length)}

## 1,000 console calls in an hour

A ping of five packets between two PCs, with a capture that runs: ${usageText(consoles)}.

${table(billOfAnHour(consoles, consoleMetrics))}

## One run of the demo, as a CI job would do it, alone in its hour

Two subnets, four PCs, two captures: ${usageText(demo)}.

${table(billOfAnHour(demo, demoMetrics))}

## Metrics, in a month in which every route is called in every hour

CloudWatch charges for a metric by the hour in which a function writes it, ${dollars(METRIC_HOUR)} each: more calls in that hour add nothing,
and an hour without calls costs nothing. API Gateway's own metrics are free, because the stack does not switch on those of each method.
At most, without metrics of faults:

${table(busiest)}

## Beside it: the smallest machine that is always on

What the reference implementation needs at least, a month of ${HOURS_PER_MONTH} hours:

${table(always)}

For the price of that machine, the demo runs ${runsForTheMachine(WORKING_HOURS)} times a month when its runs are in ${WORKING_HOURS} working hours, and
${runsForTheMachine(HOURS_PER_MONTH)} times when they are spread over every hour: then its ${demoMetrics} metrics are most of the price.
`,
  );
  console.log(
    `1,000 console calls ${dollars(sum(bill(consoles)))}, one demo ${dollars(sum(bill(demo)))} and ${dollars(demoMetrics * METRIC_HOUR)} of metrics, idle month ${dollars(sum(idle))}`,
  );
}

try {
  await main();
} finally {
  await stack.stop();
  dynamodb!.close();
  s3!.close();
}
