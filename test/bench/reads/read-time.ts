/**
 * Measures a function's time for a read beside a GetItem of the same item in the same process; the difference is the function's
 * own work. The two alternate, so that other load on the machine affects both.
 */
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import type { LocalStack } from "../../../infra/local/local-stack.ts";
import { makeEvent } from "../../helpers/service/event.ts";

const ROUNDS = 40;
const CALLS_A_ROUND = 25;
const TARGET = 1.5;

type Handler = (event: object, stream: PassThrough, context: object) => Promise<void>;

/** @param link the path of a link. */
export async function printReadTimes(stack: LocalStack, link: string): Promise<void> {
  const call = callerOf(await loadFunction(stack, "links"));
  const reads: Readonly<Record<string, () => Promise<void>>> = {
    GetItem: getItemOf(stack, link),
    "GET link": () => call(link),
    "GET available_filters": () => call(`${link}/available_filters`),
  };
  const samples = new Map(Object.keys(reads).map((name) => [name, { ms: [] as number[], cpuMs: 0 }]));
  const print = process.stdout.write;
  // Discards the line that a function logs for each request.
  process.stdout.write = () => true;
  try {
    for (let round = -1; round < ROUNDS; round++) {
      for (const [name, read] of Object.entries(reads)) {
        const taken = await repeat(read);
        if (round < 0) continue;
        samples.get(name)!.ms.push(...taken.ms);
        samples.get(name)!.cpuMs += taken.cpuMs;
      }
    }
  } finally {
    process.stdout.write = print;
  }
  printTable(samples);
}

interface Taken {
  readonly ms: readonly number[];
  readonly cpuMs: number;
}

async function repeat(read: () => Promise<void>): Promise<Taken> {
  const used = process.cpuUsage();
  const ms: number[] = [];
  for (let index = 0; index < CALLS_A_ROUND; index++) {
    const begin = performance.now();
    await read();
    ms.push(performance.now() - begin);
  }
  const { user, system } = process.cpuUsage(used);
  return { ms, cpuMs: (user + system) / 1000 };
}

function printTable(samples: ReadonlyMap<string, Taken>): void {
  const [floor] = [...samples.values()].map(figuresOf);
  console.log("\nread                      median ms    x GetItem       CPU ms    x GetItem");
  for (const [name, taken] of samples) {
    const { ms, cpuMs } = figuresOf(taken);
    const cells = [ms, ms / floor!.ms, cpuMs, cpuMs / floor!.cpuMs].map((cell) =>
      cell.toFixed(2).padStart(13),
    );
    const tooMuch = ms > TARGET * floor!.ms ? `   over ${TARGET} times a GetItem` : "";
    console.log(name.padEnd(22) + cells.join("") + tooMuch);
  }
}

const figuresOf = ({ ms, cpuMs }: Taken) => ({
  ms: ms.toSorted((a, b) => a - b)[Math.floor(ms.length / 2)]!,
  cpuMs: cpuMs / ms.length,
});

/** Loads the bundle of a function as Lambda's runtime would, with the variables of the stack. */
async function loadFunction(stack: LocalStack, group: string): Promise<Handler> {
  const { region, credentials } = stack;
  Object.assign(process.env, {
    TABLE_NAME: stack.tableName,
    BUCKET_NAME: stack.bucketName,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: stack.dynamodbEndpoint,
    AWS_ENDPOINT_URL_S3: stack.s3Endpoint,
  });
  Object.assign(globalThis, {
    awslambda: {
      streamifyResponse: (handler: Handler) => handler,
      HttpResponseStream: {
        from: (stream: PassThrough, head: { statusCode: number }) => Object.assign(stream, head),
      },
    },
  });
  const functions = Object.entries(stack.template.functions);
  const [, definition] = functions.find(([id]) => id.toLowerCase().startsWith(group))!;
  const { handler } = await import(pathToFileURL(join(definition.bundleFolder, "index.mjs")).href);
  return handler;
}

const callerOf = (handler: Handler) => async (path: string) => {
  const stream = Object.assign(new PassThrough().resume(), { statusCode: 0 });
  const context = { awsRequestId: "bench", getRemainingTimeInMillis: () => 29_000 };
  await handler(makeEvent("GET", path, {}), stream, context);
  if (stream.statusCode !== 200) throw new Error(`GET ${path}: ${stream.statusCode}`);
};

function getItemOf({ tableName }: LocalStack, link: string) {
  const client = new DynamoDBClient({});
  const [, project, id] = /^\/projects\/([^/]+)\/links\/([^/]+)$/.exec(link)!;
  const Key = { pk: { S: `PROJECT#${project}` }, sk: { S: `LINK#${id}` } };
  return async () => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true }),
    );
    if (Item === undefined) throw new Error(`There is no item of ${link}`);
  };
}
