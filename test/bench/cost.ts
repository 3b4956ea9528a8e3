/**
 * `npm run cost`: computes what the service costs from requests measured against the local stack and a table of prices.
 * Writes docs/cost.md. The times of functions are those of the machine that runs it.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { STREAM_MAX_BYTES } from "../../functions/shared/edge/stream-limit.ts";
import { ACCESS } from "../../infra/access.ts";
import { type BuiltLab, buildLab, type Call, readLabFile } from "../helpers/service/lab-file.ts";
import { templateOf } from "../helpers/stack/stack.ts";
import { measurePings, measurePublisher, useStoresOf } from "./cost/background.ts";
import {
  type Bill,
  billOf,
  costOf,
  downloadsOf,
  followingOf,
  HOURS_PER_MONTH,
  PRICES,
  sum,
  times,
  type Usage,
} from "./cost/bill.ts";
import { measureLargeLab, type Send } from "./cost/large-labs.ts";
import { type LogBytes, startMeter } from "./cost/meter.ts";
import { dollars, renderPage } from "./cost/page.ts";
import { accessLineBytes, OPERATIONS, readStanding } from "./standing.ts";

const PAGE = new URL("../../docs/cost.md", import.meta.url);
const DEMO = new URL("../../infra/local/demo.ts", import.meta.url).pathname;

const CONSOLE_CALLS = 200;
const CONSOLE_FACTOR = 1_000 / CONSOLE_CALLS;
const SIGN_INS = 5;
/** The PCs of the larger labs. */
const LABS = [30, 300, 1_000];
const FOLLOW_SECONDS = 30;
const HOUR_SECONDS = 3_600;
const LABS_KEPT = 20;
/** infra/sockets.ts */
const PINGS_PER_HOUR = 15;
const DAY_MS = 86_400_000;
/** Log bytes of one run of the sweeper: its own line and Lambda's lines. */
const SWEEP_LOG_BYTES = 1_000;

/** The routes that infra/local/demo.ts calls, and the number of calls. */
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

/** What the functions write for the whole service while labs run without faults: functions/shared/edge/metrics.ts. */
const RUN_METRICS = ["Duration", "Runs", "Events", "Packets", "CapturedBytes"];
const SERVICE_METRICS = [...RUN_METRICS, "Captures"];

const USER = "admin";
const PASSWORD = "what-does-it-cost";
const CREDENTIALS = Buffer.from(`${USER}:${PASSWORD}`).toString("base64");

const template = templateOf();
const standing = {
  plain: readStanding(template),
  watched: readStanding(templateOf({ alarms: "true", dashboard: "true" })),
};
const meter = await startMeter(PASSWORD, accessLineBytes(template));
const { measure } = meter;

const send = (method: string, path: string, authorization: string, body?: unknown): Promise<Response> =>
  fetch(`${meter.url}${path}`, {
    method,
    headers: { authorization },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const call: Call = async (method, path, body) => {
  const response = await send(method, path, `Basic ${CREDENTIALS}`, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? {} : JSON.parse(text);
};

/** Sends requests whose bodies may be archives. */
const sendAny: Send = async (method, path, body) => {
  const response = await fetch(`${meter.url}${path}`, {
    method,
    headers: {
      authorization: `Basic ${CREDENTIALS}`,
      ...(body instanceof Uint8Array && { "content-type": "application/octet-stream" }),
    },
    ...(body && { body: body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
};

/** @returns the number of metrics in an hour in which these operations are called: one for each route, and the service's. */
function metricsOf(operations: readonly string[], ofService: readonly string[]): number {
  const unknown = operations.filter((name) => !OPERATIONS.has(name));
  if (unknown.length > 0) throw new Error(`no operations: ${unknown.join(", ")}`);
  return operations.length + ofService.length;
}

/** The gateway caches decisions by the header's spelling. The authorizer accepts all these spellings as the same credentials. */
const spellings = Array.from(
  { length: SIGN_INS + 1 },
  (_, spaces) => `Basic${" ".repeat(spaces + 2)}${CREDENTIALS}`,
);

/** The same token in spellings that the gateway caches apart. */
async function spelledToken(): Promise<string[]> {
  const response = await send("POST", "/tokens", spellings[0]!);
  const { token } = (await response.json()) as { token: string };
  return spellings.map((_, spaces) => `Bearer${" ".repeat(spaces + 2)}${token}`);
}

/** Measures one call of the authorizer: a request that needs the call, less a request whose decision is cached. */
async function measureSignIn(spellings: readonly string[]): Promise<{ usage: Usage; seconds: number }> {
  const ask = async (authorization: string): Promise<number> => {
    const begin = performance.now();
    const response = await send("GET", "/projects", authorization);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`GET /projects: ${response.status}`);
    return performance.now() - begin;
  };
  // The first call starts the functions.
  await ask(spellings[0]!);
  const timesMs = { asked: [] as number[], cached: [] as number[] };
  const asked = await measure(async () => {
    for (const spelling of spellings.slice(1)) timesMs.asked.push(await ask(spelling));
  });
  const cached = await measure(async () => {
    for (const spelling of spellings.slice(1)) timesMs.cached.push(await ask(spelling));
  });
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const seconds = (mean(timesMs.asked) - mean(timesMs.cached)) / 1000;
  const more = (name: "readUnits" | "writeUnits"): number =>
    (asked.usage[name] - cached.usage[name]) / SIGN_INS;
  const usage = {
    requests: 0,
    invocations: 1,
    gbSeconds: (seconds * ACCESS.authorizer!.memoryMb) / 1024,
    readUnits: more("readUnits"),
    writeUnits: more("writeUnits"),
    puts: 0,
    gets: 0,
    logBytes: 0,
    sentBytes: 0,
  };
  return { usage, seconds };
}

/** Measures an hour in which a client follows an idle capture and reconnects each time the function reaches its time limit. */
async function measureFollower(lab: BuiltLab): Promise<Usage> {
  const url = `${meter.stack.url}/${meter.stack.stage}${lab.path}/links/${lab.links["PC1-PC2"]}/pcap`;
  const { usage } = await measure(async () => {
    const gone = new AbortController();
    const headers = { authorization: `Basic ${CREDENTIALS}` };
    const response = await fetch(url, { headers, signal: gone.signal });
    if (!response.ok) throw new Error(`GET ${url}: ${response.status}`);
    await sleep(FOLLOW_SECONDS * 1000);
    gone.abort();
  });
  const { memoryMb, timeoutSeconds } = ACCESS.follow!;
  const factor = HOUR_SECONDS / FOLLOW_SECONDS;
  const responses = HOUR_SECONDS / timeoutSeconds;
  return {
    requests: responses,
    invocations: responses,
    gbSeconds: (HOUR_SECONDS * memoryMb) / 1024,
    readUnits: usage.readUnits * factor,
    writeUnits: usage.writeUnits * responses,
    // Each response reads the capture's packets once, and that read is counted as a download.
    puts: 0,
    gets: 0,
    logBytes: 0,
    sentBytes: 0,
  };
}

/** @returns the names of the metrics that a sweeper run writes when the labs' data is two days old. */
async function sweep(): Promise<string[]> {
  // The store creates its clients when it is loaded.
  const [{ sweep: sweepOnce }, { metricsOf }, { countInto }] = await Promise.all([
    import("../../functions/sweeper/sweep.ts"),
    import("../../functions/sweeper/metrics-of.ts"),
    import("../../functions/shared/edge/metrics.ts"),
  ]);
  const counts = {};
  const options = {
    nowMs: Date.now() + 2 * DAY_MS,
    abandonedMs: 30 * DAY_MS,
    remainingTimeMs: () => 900_000,
  };
  await countInto(counts, () => sweepOnce(options));
  return Object.keys(metricsOf(counts));
}

async function measureIdle(): Promise<Bill> {
  // This run deletes what the calls above left behind; every later hour is like the one before it.
  await sweep();
  let swept: string[] = [];
  const begin = performance.now();
  const { usage } = await measure(async () => {
    swept = await sweep();
  });
  const gbSeconds = (((performance.now() - begin) / 1000) * ACCESS.sweeper!.memoryMb) / 1024;
  // Listing objects costs as much as writing one, and the sweeper does little else in the bucket.
  const puts = usage.puts + usage.gets;
  const sweeping = { ...usage, invocations: 1, gbSeconds, puts, gets: 0, logBytes: SWEEP_LOG_BYTES };
  const { alarms, dashboards, secrets } = standing.plain;
  if (alarms + dashboards + secrets + swept.length > 0)
    throw new Error("a stack without settings has alarms, a dashboard, a secret or a metric of each hour");
  return {
    "the sweeper, once an hour": costOf(sweeping) * HOURS_PER_MONTH,
    "pings to WebSockets, every 4 minutes":
      costOf(await measurePings(meter)) * HOURS_PER_MONTH * PINGS_PER_HOUR,
    "table and bucket (20 labs, 1 GB of captures)":
      ((LABS_KEPT * 20_000) / 1e9) * PRICES.dynamodb_gb_month + PRICES.s3_gb_month,
  };
}

async function main(): Promise<void> {
  const signIn = await measureSignIn(spellings);
  const tokenCheck = await measureSignIn(await spelledToken());
  const lab = await buildLab(call, readLabFile("pair"), { name: `cost-${process.pid}` });
  const start = await measure(() => call("POST", `${lab.path}/nodes/start`));
  await call("POST", `${lab.path}/links/${lab.links["PC1-PC2"]}/start_capture`, {});
  const ping = () =>
    call("POST", `${lab.path}/nodes/${lab.nodes.PC1}/console`, { commands: ["ping 10.0.0.2 -c 5"] });
  const first = await measure(ping);
  const consoles = await measure(async () => {
    for (let i = 0; i < CONSOLE_CALLS; i++) await ping();
  });
  const larger = [];
  for (const [number, pcs] of LABS.entries())
    larger.push(await measureLargeLab(meter, sendAny, number + 1, pcs));
  const demo = await measure(async () => {
    const env = {
      ...process.env,
      WIRELAB_URL: meter.url,
      WIRELAB_USER: USER,
      WIRELAB_PASSWORD: PASSWORD,
      WIRELAB_DEMO_PCAP: join(tmpdir(), `cost-${process.pid}.pcapng`),
    };
    // Runs the demo in its own process: in this one it would wait for responses that pass through this process.
    await promisify(execFile)(process.execPath, [DEMO], { env });
  });
  if (demo.usage.requests !== sum(DEMO_CALLS))
    throw new Error(`the demo made ${demo.usage.requests} requests; DEMO_CALLS has ${sum(DEMO_CALLS)}`);
  const followed = await measureFollower(lab);
  useStoresOf(meter);
  const published = await measurePublisher(meter, lab.path.split("/").at(-1)!, lab.nodes.PC1!);
  const idle = await measureIdle();
  const cachedSeconds = Object.values(meter.stack.template.authorizers)[0]!.ttlMs / 1000;
  const figures = {
    idle,
    standing,
    consoles: {
      usage: times(consoles.usage, CONSOLE_FACTOR),
      log: Object.fromEntries(
        Object.entries(consoles.log).map(([name, bytes]) => [name, bytes * CONSOLE_FACTOR]),
      ) as unknown as LogBytes,
      metrics: metricsOf(["runConsole"], RUN_METRICS),
    },
    labs: [
      { pcs: 2, start: start.usage, broadcast: first.usage, ping: times(consoles.usage, 1 / CONSOLE_CALLS) },
      ...larger,
    ],
    demo: { usage: demo.usage, metrics: metricsOf(Object.keys(DEMO_CALLS), SERVICE_METRICS) },
    signIn: signIn.usage,
    signInSeconds: signIn.seconds,
    tokenCheck: tokenCheck.usage,
    followed,
    followSeconds: FOLLOW_SECONDS,
    published,
    following: followingOf(ACCESS.notifications!.memoryMb / 1024, ACCESS.notifications!.timeoutSeconds),
    downloads: downloadsOf(STREAM_MAX_BYTES, ACCESS.captures!.memoryMb / 1024),
    operations: OPERATIONS.size,
    serviceMetrics: SERVICE_METRICS.length,
  };
  writeFileSync(PAGE, renderPage(figures, HOUR_SECONDS / cachedSeconds));
  console.log(
    `idle month ${dollars(sum(idle))}, 1,000 console calls ${dollars(costOf(figures.consoles.usage))}, one demo ${dollars(costOf(demo.usage))}, an hour of following ${dollars(sum(billOf(followed)))}`,
  );
}

try {
  await main();
} finally {
  await meter.stop();
}
