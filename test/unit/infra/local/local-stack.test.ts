import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startDynamoDb } from "../../../../infra/local/dynamodb/start.ts";
import {
  type LocalStack,
  type LocalStackOptions,
  startLocalStack,
} from "../../../../infra/local/local-stack.ts";
import { settles } from "../../../helpers/settles.ts";
import { makeAuthorizer, TABLE, writeAssembly } from "./assembly.ts";

/** Returns its environment variables. */
const REPORTING = `
  export const handler = async () => ({ statusCode: 200, body: JSON.stringify(process.env) });`;

/** Begins its response and never ends it. */
const WAITING = `
  export const handler = awslambda.streamifyResponse(async (_event, stream) => {
    awslambda.HttpResponseStream.from(stream, { statusCode: 200 }).write("begun");
    await new Promise((resolve) => stream.once("close", resolve));
  });`;

let synth: string;
let dataDir: string;
let stack: LocalStack | undefined;

beforeAll(() => {
  synth = writeAssembly({
    functions: {
      Reporting: {
        code: REPORTING,
        environment: { TABLE_NAME: { Ref: "State" }, BUCKET_NAME: { Ref: "Data" } },
      },
      Waiting: { code: WAITING },
    },
    methods: [
      { path: "/reporting", target: "Reporting" },
      { path: "/waiting", target: "Waiting", streaming: true },
    ],
    extra: {
      State: TABLE,
      Logs: { Type: "AWS::S3::Bucket" },
      Data: { Type: "AWS::S3::Bucket" },
      Ignored: { Type: "AWS::Logs::LogGroup", Properties: { RetentionInDays: 7 } },
    },
  });
});
afterAll(() => rmSync(synth, { recursive: true }));

beforeEach(() => {
  for (const variable of ["AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_S3"])
    vi.stubEnv(variable, undefined);
  dataDir = mkdtempSync(join(tmpdir(), "wirelab-data-"));
});
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(dataDir, { recursive: true });
});

async function start(options: LocalStackOptions = {}): Promise<LocalStack> {
  stack = await startLocalStack({ synth, dataDir, port: 0, quiet: true, ...options });
  return stack;
}

function clientsOf({ dynamodbEndpoint, s3Endpoint, region, credentials }: LocalStack) {
  return {
    dynamodb: new DynamoDBClient({ endpoint: dynamodbEndpoint, region, credentials: { ...credentials } }),
    s3: new S3Client({ endpoint: s3Endpoint, region, credentials: { ...credentials } }),
  };
}

/** Returns the ids of the processes whose command line contains the text. */
function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && commandLine(name).includes(text))
    .map(Number);
}

function commandLine(pid: number | string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

describe("the local stack", () => {
  it("sets functions' own variables, the region and the stores, and none of this process", async () => {
    const { url, tableName, bucketName, dynamodbEndpoint, s3Endpoint } = await start();

    const variables = (await (await fetch(`${url}/v2/reporting`)).json()) as Record<string, string>;

    expect([tableName, bucketName]).toEqual(["wirelab-state", "wirelab-data"]);
    expect(variables).toMatchObject({
      TABLE_NAME: tableName,
      BUCKET_NAME: bucketName,
      AWS_REGION: "us-east-1",
      AWS_LAMBDA_FUNCTION_NAME: "wirelab-reporting",
      AWS_SDK_UA_APP_ID: "wirelab-reporting/PTEnv/",
      AWS_LAMBDA_FUNCTION_TIMEOUT: "20",
      AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
      AWS_ENDPOINT_URL_S3: s3Endpoint,
      LAMBDA_TASK_ROOT: join(synth, "asset.Reporting"),
    });
    expect(variables).not.toHaveProperty("PATH");
  });

  it.each([
    ["all lines", () => undefined, undefined],
    ["only warnings and errors, since other lines are not printed", undefined, "WARN"],
  ])("lets functions log %s", async (_what, printLogs, level) => {
    const { url } = await start({ printLogs });
    const variables = (await (await fetch(`${url}/v2/reporting`)).json()) as Record<string, string>;
    expect(variables.POWERTOOLS_LOG_LEVEL).toBe(level);
  });

  it("does not listen where other machines reach it if its template has no authorizer", async () => {
    await expect(start({ host: "0.0.0.0" })).rejects.toThrow("HOST is 0.0.0.0, where other machines reach");
    await expect(start({ host: "no.such.host.invalid" })).rejects.toThrow("HOST is no.such.host.invalid");
  });

  it("has a reachable URL when it listens on all addresses", async () => {
    const guarded = writeAssembly({
      functions: { Reporting: { code: REPORTING }, Guard: { code: REPORTING } },
      methods: [{ path: "/reporting", target: "Reporting", authorizer: "Guarding" }],
      securitySchemes: { Guarding: makeAuthorizer("Guard", "method.request.header.Authorization") },
      extra: { State: TABLE, Data: { Type: "AWS::S3::Bucket" } },
    });

    const { url, port } = await start({ synth: guarded, host: "0.0.0.0" });

    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect((await fetch(`${url}/v2/reporting`)).status).toBe(401);
    rmSync(guarded, { recursive: true });
  });

  it("listens on another address of the loopback interface if `host` is one", async () => {
    const { url } = await start({ host: "127.0.0.2" });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/);
    expect((await fetch(`${url}/v2/reporting`)).status).toBe(200);
  });

  it("rejects requests for other host names without authentication, against DNS rebinding", async () => {
    const { port } = await start();
    const answerFor = (host: string) =>
      new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
        get({ host: "127.0.0.1", port, path: "/v2/reporting", headers: { host } }, async (response) => {
          resolve({ status: response.statusCode, body: await text(response) });
        }).on("error", reject);
      });
    const names = [
      `localhost:${port}`,
      "127.0.0.1",
      `[::1]:${port}`,
      `evil.example:${port}`,
      "127.evil.example",
    ];
    const answers = [];
    for (const name of names) answers.push(await answerFor(name));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 403, 403]);
    expect(answers[3]!.body).toContain("accepts requests for names of this machine only; use 127.0.0.1");
  });

  it("keeps its data from one start to the next", async () => {
    const first = await start();
    const { dynamodb, s3 } = clientsOf(first);
    const Item = { pk: { S: "a" }, sk: { S: "b" }, bytes: { B: Uint8Array.of(1, 2) } };
    await dynamodb.send(new PutItemCommand({ TableName: first.tableName, Item }));
    await s3.send(new PutObjectCommand({ Bucket: first.bucketName, Key: "a/b", Body: "kept" }));
    await first.stop();

    const second = await start();
    const clients = clientsOf(second);
    const Key = { pk: Item.pk, sk: Item.sk };
    const found = await clients.dynamodb.send(new GetItemCommand({ TableName: second.tableName, Key }));
    const { Body } = await clients.s3.send(new GetObjectCommand({ Bucket: second.bucketName, Key: "a/b" }));

    expect(found.Item).toEqual(Item);
    expect(await Body?.transformToString()).toBe("kept");
  });

  it("ends live streams when it stops, and leaves nothing running", async () => {
    const { url, dynamodbEndpoint, stop } = await start();
    const reader = (await fetch(`${url}/v2/waiting`)).body!.getReader();
    await reader.read();

    await stop();

    expect(await reader.read()).toMatchObject({ done: true });
    for (const ended of [url, dynamodbEndpoint]) await expect(fetch(ended)).rejects.toThrow();
  });

  it("leaves no files with `inMemory`", async () => {
    const { url, s3Endpoint, stop } = await start({ inMemory: true });
    const variables = (await (await fetch(`${url}/v2/reporting`)).json()) as Record<string, string>;
    expect(variables.AWS_ENDPOINT_URL_S3).toBe(s3Endpoint);

    await stop();

    expect(existsSync(join(dataDir, "lock"))).toBe(false);
    expect(existsSync(join(dataDir, "s3"))).toBe(false);
  });

  it("rejects a data folder that is in use, and a port that is taken", async () => {
    const { port } = await start();

    await expect(startLocalStack({ synth, dataDir, port: 0, quiet: true })).rejects.toThrow(
      `${dataDir} is in use by another instance (process ${process.pid})`,
    );
    await expect(startLocalStack({ synth, dataDir: `${dataDir}/2`, port, quiet: true })).rejects.toThrow(
      `Port ${port} is taken by another program. Choose another one: PORT=`,
    );
    expect(existsSync(`${dataDir}/2`)).toBe(false);
  });

  it("accepts a proxy between the functions and the stores", async () => {
    const { url, dynamodbEndpoint } = await start({
      endpoints: ({ dynamodb, s3 }) => ({ dynamodb: `${dynamodb}/counted`, s3 }),
    });

    const variables = (await (await fetch(`${url}/v2/reporting`)).json()) as Record<string, string>;

    expect(variables.AWS_ENDPOINT_URL_DYNAMODB).toBe(`${dynamodbEndpoint}/counted`);
  });

  it("uses the DynamoDB of AWS_ENDPOINT_URL_DYNAMODB instead of the embedded one", async () => {
    const asked: string[] = [];
    const other = createServer((request, response) => {
      asked.push(String(request.headers["x-amz-target"]));
      response.setHeader("content-type", "application/x-amz-json-1.0");
      response.end('{"Table":{"TableStatus":"ACTIVE","GlobalSecondaryIndexes":[{"IndexName":"projects"}]}}');
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", `http://127.0.0.1:${(other.address() as AddressInfo).port}`);

    const { dynamodbEndpoint } = await start();

    expect(dynamodbEndpoint).toBe(process.env.AWS_ENDPOINT_URL_DYNAMODB);
    expect(asked).toEqual(["DynamoDB_20120810.DescribeTable"]);
    expect(existsSync(join(dataDir, "dynamodb.sqlite"))).toBe(false);
    other.closeAllConnections();
    other.close();
  });

  it("stores its data in the DynamoDB of AWS_ENDPOINT_URL_DYNAMODB", async () => {
    const other = await startDynamoDb("127.0.0.1", undefined, () => {});
    vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", other.endpoint);
    const key = { pk: { S: "a" }, sk: { S: "b" } };
    const first = await start();
    await clientsOf(first).dynamodb.send(
      new PutItemCommand({ TableName: first.tableName, Item: { ...key, kept: { BOOL: true } } }),
    );
    await first.stop();

    const second = await start();

    const { Item } = await clientsOf(second).dynamodb.send(
      new GetItemCommand({ TableName: second.tableName, Key: key }),
    );
    expect(Item?.kept).toEqual({ BOOL: true });
    expect(existsSync(join(dataDir, "dynamodb.sqlite"))).toBe(false);
    await other.stop();
  });

  it("reports the unexpected end of its DynamoDB", async () => {
    const onFault = vi.fn();
    const threads = vi.spyOn(Worker.prototype, "once");
    await start({ onFault });
    const database = threads.mock.contexts.find((thread) => thread instanceof Worker);

    await database?.terminate();

    await settles(() => expect(onFault).toHaveBeenCalledWith(expect.stringContaining("ended unexpectedly")));
  });

  it("starts again after a kill", async () => {
    const script = `
      const { startLocalStack } = await import(${JSON.stringify(new URL("../../../../infra/local/local-stack.ts", import.meta.url).href)});
      await startLocalStack({ synth: ${JSON.stringify(synth)}, dataDir: ${JSON.stringify(dataDir)}, port: 0, quiet: true });
      process.kill(process.pid, "SIGKILL");`;

    expect(() => execFileSync(process.execPath, ["--input-type=module", "-e", script])).toThrow();

    await settles(() => expect(processesWith(dataDir)).toEqual([]));
    expect(readFileSync(join(dataDir, "lock"), "utf8")).toMatch(/^\d+ /);
    await expect(start()).resolves.toMatchObject({ tableName: "wirelab-state" });
  });
});
