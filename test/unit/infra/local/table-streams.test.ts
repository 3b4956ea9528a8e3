import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startDynamoDb } from "../../../../infra/local/dynamodb/start.ts";
import type { EmbeddedServer } from "../../../../infra/local/embedded-server.ts";
import type { LambdaPool } from "../../../../infra/local/lambda-pool.ts";
import { provisionTables } from "../../../../infra/local/provision.ts";
import { EMBEDDED_CREDENTIALS } from "../../../../infra/local/s3/s3-request.ts";
import { deliverTo } from "../../../../infra/local/stream-deliveries.ts";
import { startStreams } from "../../../../infra/local/stream-thread.ts";
import { openTrimmer, type StreamTrimmer } from "../../../../infra/local/stream-trim.ts";
import { followStreams, toChange } from "../../../../infra/local/table-streams.ts";
import type { StreamDefinition } from "../../../../infra/local/template/streams.ts";
import { settles } from "../../../helpers/settles.ts";
import { TABLE } from "./assembly.ts";

const NO_QUEUES = { send: () => {} };
const TableName = "wirelab-test";
const StreamSpecification = { StreamViewType: "NEW_AND_OLD_IMAGES" };

let folder: string;
let server: EmbeddedServer;
let client: DynamoDBClient;
let trimmer: StreamTrimmer;
let stop: (() => Promise<void>) | undefined;

const settings = () => ({
  endpoint: server.endpoint,
  region: "us-east-1",
  credentials: { ...EMBEDDED_CREDENTIALS },
});
const provision = (properties: object) =>
  provisionTables(settings(), [{ name: TableName, properties: { ...TABLE.Properties, ...properties } }]);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "wirelab-streams-"));
  const file = join(folder, "dynamodb.sqlite");
  server = await startDynamoDb("127.0.0.1", file, () => {});
  client = new DynamoDBClient(settings());
  trimmer = openTrimmer(file);
});

afterEach(async () => {
  await stop?.();
  stop = undefined;
  trimmer.close();
  client.destroy();
  await server.stop();
  rmSync(folder, { recursive: true });
});

const put = (sk: string, pk = "pk") =>
  client.send(new PutItemCommand({ TableName, Item: { pk: { S: pk }, sk: { S: sk } } }));

interface Event {
  readonly Records: { dynamodb: { Keys: { sk: { S: string } }; SequenceNumber: string } }[];
}

/** A function that notes the keys of each batch, after `perform`. */
function makePool(perform: (keys: string[]) => Promise<void> = async () => {}) {
  const batches: string[][] = [];
  const invoke = async (_function: string, _request: string, event: string) => {
    const keys = (JSON.parse(event) as Event).Records.map(({ dynamodb }) => dynamodb.Keys.sk.S);
    await perform(keys);
    batches.push(keys);
  };
  return { pool: { invoke } as unknown as LambdaPool, batches };
}

/** Follows the streams in this thread. */
function follow(
  streams: readonly StreamDefinition[],
  pool: LambdaPool,
  watched: StreamTrimmer = trimmer,
): () => Promise<void> {
  const stopping = new AbortController();
  const report = () => {};
  const end = followStreams(streams, {
    settings: settings(),
    deliver: deliverTo({ pool, queues: NO_QUEUES, stopping: stopping.signal, report }),
    positionsFile: join(folder, "streams.json"),
    trimmer: watched,
    report,
  });
  stop = async () => {
    stopping.abort();
    await end();
  };
  return stop;
}

function start(pool: LambdaPool, options: { batchSize?: number; pk?: string } = {}) {
  const { batchSize = 100, pk } = options;
  const isWanted = (change: unknown) =>
    pk === undefined || (change as { dynamodb: { Keys: { pk: { S: string } } } }).dynamodb.Keys.pk.S === pk;
  const stream = {
    functionId: "Publisher",
    tableName: TableName,
    batchSize,
    patterns: [],
    matches: [isWanted],
  };
  return follow([stream], pool);
}

describe("a stream of a local table", () => {
  it("calls its function with the changes in the order of their commits, in batches", async () => {
    await provision({ StreamSpecification });
    const { pool, batches } = makePool();
    for (const sk of ["a", "b", "c"]) await put(sk);
    start(pool, { batchSize: 2 });

    await settles(() => expect(batches).toEqual([["a", "b"], ["c"]]));
  });

  it("passes only changes that a filter accepts", async () => {
    await provision({ StreamSpecification });
    const { pool, batches } = makePool();
    await put("a", "wanted");
    await put("b", "other");
    await put("c", "wanted");
    start(pool, { pk: "wanted" });

    await settles(() => expect(batches.flat()).toEqual(["a", "c"]));
  });

  it("keeps the changes that another function of the table has not read", async () => {
    await provision({ StreamSpecification });
    const trimmed: string[] = [];
    const watched = { ...trimmer, trim: (_table: string, number: string) => void trimmed.push(number) };
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const handled: string[] = [];
    const invoke = async (functionId: string) => {
      if (functionId === "Slow") await released;
      handled.push(functionId);
    };
    for (const sk of ["a", "b"]) await put(sk);
    const streamOf = (functionId: string) => ({
      functionId,
      tableName: TableName,
      batchSize: 100,
      patterns: [],
      matches: [() => true],
    });
    follow([streamOf("Fast"), streamOf("Slow")], { invoke } as unknown as LambdaPool, watched);
    await settles(() => expect(handled).toEqual(["Fast"]));
    expect(trimmed).toEqual([]);
    release();
    await settles(() => expect(trimmed).toHaveLength(1));
    expect(handled).toEqual(["Fast", "Slow"]);
  });

  it("repeats a batch until the function succeeds, before it passes later changes", async () => {
    await provision({ StreamSpecification });
    const calls: string[][] = [];
    const { pool, batches } = makePool(async (keys) => {
      calls.push(keys);
      if (calls.length === 1) throw new Error("it failed");
    });
    await put("a");
    start(pool, { batchSize: 1 });
    await put("b");

    await settles(() => expect(batches).toEqual([["a"], ["b"]]));
    expect(calls).toEqual([["a"], ["a"], ["b"]]);
  });

  it("continues after a restart where it stopped, and repeats a batch whose call failed", async () => {
    await provision({ StreamSpecification });
    const { pool, batches } = makePool();
    await put("a");
    await start(pool)();
    const begun = batches.length;
    await put("b");
    const failing = makePool(() => Promise.reject(new Error("the process was killed")));
    const end = start(failing.pool);
    await end();
    await put("c");
    const after = makePool();
    start(after.pool);

    await settles(() => expect(after.batches.flat()).toContain("c"));
    expect([...batches.flat(), ...after.batches.flat()]).toEqual(["a", "b", "c"]);
    expect(begun).toBeLessThanOrEqual(1);
  });

  it("begins anew with the stream of a new database", async () => {
    await provision({ StreamSpecification });
    const { pool, batches } = makePool();
    for (const sk of ["a", "b"]) await put(sk);
    const end = start(pool);
    await settles(() => expect(batches.flat()).toEqual(["a", "b"]));
    await end();
    trimmer.close();
    client.destroy();
    await server.stop();

    const file = join(folder, "new.sqlite");
    server = await startDynamoDb("127.0.0.1", file, () => {});
    client = new DynamoDBClient(settings());
    trimmer = openTrimmer(file);
    await provision({ StreamSpecification });
    await put("c");
    start(pool);

    await settles(() => expect(batches.flat()).toEqual(["a", "b", "c"]));
  });

  it("is added to a table that an earlier release created, and stays when the service starts again", async () => {
    await provision({});
    await put("before");
    await provision({ StreamSpecification });
    await put("a");
    await provision({ StreamSpecification });
    await put("b");
    const { pool, batches } = makePool();
    start(pool);

    await settles(() => expect(batches.flat()).toEqual(["a", "b"]));
  });

  it("is read in a thread of its own, in order, with filters, and goes on after a restart", async () => {
    await provision({ StreamSpecification });
    const pattern = { dynamodb: { Keys: { pk: { S: ["wanted"] } } } };
    const stream = {
      functionId: "Publisher",
      tableName: TableName,
      batchSize: 2,
      patterns: [pattern],
      matches: [],
    };
    const positionsFile = join(folder, "streams.json");
    const reports: string[] = [];
    const begin = (pool: LambdaPool) => {
      stop = startStreams([stream], {
        settings: settings(),
        pool,
        positionsFile,
        databaseFile: join(folder, "dynamodb.sqlite"),
        queues: NO_QUEUES,
        report: (line) => reports.push(line),
      });
      return stop;
    };
    for (const sk of ["a", "b", "c", "d"]) await put(sk, sk === "b" ? "other" : "wanted");
    const first = makePool();
    const end = begin(first.pool);
    await settles(() => expect(first.batches).toEqual([["a", "c"], ["d"]]));
    await end();
    await put("e", "wanted");
    const second = makePool();
    begin(second.pool);

    await settles(() => expect(second.batches).toEqual([["e"]]));
    expect(reports).toEqual([]);
  });

  it("has its bytes in base64, as Lambda passes them", async () => {
    await provision({ StreamSpecification });
    const events: string[] = [];
    const invoke = async (_function: string, _request: string, event: string) => void events.push(event);
    const bytes = { B: new Uint8Array([1, 2, 255]) };
    await client.send(new PutItemCommand({ TableName, Item: { pk: { S: "pk" }, sk: { S: "a" }, bytes } }));
    start({ invoke } as unknown as LambdaPool);

    await settles(() => expect(events).toHaveLength(1));
    expect(JSON.parse(events[0]!).Records[0].dynamodb.NewImage.bytes).toEqual({ B: "AQL/" });
  });

  it("keeps its numbers when handled changes are deleted", async () => {
    await provision({ StreamSpecification });
    for (const sk of ["a", "b", "c"]) await put(sk);
    trimmer.trim(TableName, "3");
    await put("d");
    const { pool, batches } = makePool();
    start(pool);

    await settles(() => expect(batches.flat()).toEqual(["c", "d"]));
  });
});

it("a change has its time in whole seconds, as Lambda passes it", () => {
  const record = {
    eventName: "INSERT" as const,
    dynamodb: {
      ApproximateCreationDateTime: 1_700_000_000.5,
      NewImage: { bytes: { B: "AQL/" } },
    },
  };
  expect(toChange(record, "arn")).toEqual({
    eventName: "INSERT",
    eventSourceARN: "arn",
    dynamodb: { ApproximateCreationDateTime: 1_700_000_000, NewImage: { bytes: { B: "AQL/" } } },
  });
});
