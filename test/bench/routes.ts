/**
 * `npm run bench`: measures the store calls and capacity units of one request for every route, and requests a second and latency
 * on this machine; for two reads, the function's time beside a bare GetItem; for every function, its bundle. Compare figures
 * only within one run: all parts share the machine's cores.
 */
import { GROUPS } from "../../functions/routes.ts";
import { startLocalStack } from "../../infra/local/local-stack.ts";
import { type CountingProxy, startCountingProxy } from "../helpers/stores/counting-proxy.ts";
import { printFunctions } from "./functions.ts";
import { printReadTimes } from "./reads/read-time.ts";
import { NOT_MEASURED, RECIPES, type Send, type Shot } from "./recipes.ts";

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 60);
const CONNECTIONS = 4;

let dynamodb: CountingProxy;
let s3: CountingProxy;

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

async function shoot({ method, path, body }: Shot): Promise<Buffer> {
  const response = await fetch(`${base}${path}`, { method, body: body ?? null });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${bytes}`);
  return bytes;
}

const send: Send = async (shot) => {
  const bytes = await shoot(shot);
  return bytes[0] === 0x7b || bytes[0] === 0x5b ? JSON.parse(bytes.toString()) : undefined;
};

interface Figures {
  readonly dynamodbCalls: number;
  readonly capacityUnits: number;
  readonly s3Calls: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function measure(name: string): Promise<Figures> {
  const recipe = RECIPES[name];
  if (recipe === undefined) throw new Error(`test/bench/recipes.ts has no request for ${name}`);
  const [first, counted, ...rest] = await recipe(send, REQUESTS + 2);
  await shoot(first!);
  dynamodb.take();
  s3.take();
  await shoot(counted!);
  const costs = { table: dynamodb.take(), bucket: s3.take() };
  const latencies: number[] = [];
  const queue = rest.values();
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (const shot of queue) {
        const sent = performance.now();
        await shoot(shot);
        latencies.push(performance.now() - sent);
      }
    }),
  );
  const seconds = (performance.now() - begin) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    dynamodbCalls: costs.table.calls,
    capacityUnits: costs.table.capacityUnits,
    s3Calls: costs.bucket.calls,
    perSecond: rest.length / seconds,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)]!,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)]!,
  };
}

function row(...cells: (string | number)[]): string {
  const [name, ...numbers] = cells.map((cell) => (typeof cell === "number" ? format(cell) : cell));
  return name!.padEnd(24) + numbers.map((cell) => cell!.padStart(10)).join("");
}
const format = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(1));

try {
  console.log(
    `${REQUESTS} requests a route over ${CONNECTIONS} connections; calls and capacity are of one request\n`,
  );
  console.log(row("route", "DynamoDB", "capacity", "S3", "req/s", "p50 ms", "p99 ms"));
  for (const name of GROUPS.flatMap((group) => Object.keys(group.routes))) {
    if (NOT_MEASURED.has(name)) continue;
    const figures = await measure(name);
    const { dynamodbCalls, capacityUnits, s3Calls, perSecond, p50Ms, p99Ms } = figures;
    console.log(row(name, dynamodbCalls, capacityUnits, s3Calls, perSecond, p50Ms, p99Ms));
  }
  const [link] = await RECIPES.getLink!(send, 1);
  await printReadTimes(stack, link!.path);
  await printFunctions(
    Object.entries(stack.template.functions).map(([id, { bundleFolder }]) => ({
      name: id.replace(/Function.*$/, ""),
      folder: bundleFolder,
    })),
  );
} finally {
  await stack.stop();
  dynamodb!.close();
  s3!.close();
}
