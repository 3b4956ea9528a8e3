/** The local store refuses what DynamoDB refuses. */
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startDynamoDb } from "../../../infra/local/dynamodb/start.ts";
import type { EmbeddedServer } from "../../../infra/local/embedded-server.ts";
import { PartitionLimits } from "../../helpers/stores/partition-limits.ts";
import { type StoreProxy, startStoreProxy } from "../../helpers/stores/store-proxy.ts";

const TableName = "limits";
let server: EmbeddedServer;
let proxy: StoreProxy;
let client: DynamoDBClient;
let nowMs = 0;
const limits = new PartitionLimits(() => nowMs);

beforeAll(async () => {
  server = await startDynamoDb("127.0.0.1", undefined, () => {});
  proxy = await startStoreProxy(server.endpoint, limits.over());
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  client = new DynamoDBClient({ endpoint: proxy.url, region: "us-east-1", credentials, maxAttempts: 1 });
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
    }),
  );
});

afterAll(async () => {
  client.destroy();
  proxy.close();
  await server.stop();
});

/** Long enough for the units of all keys to come back. */
const LONG_MS = 60_000;
beforeEach(() => {
  nowMs += LONG_MS;
  limits.take();
});

const itemOf = (pk: string, sk: string, bytes = 0) => ({
  pk: { S: pk },
  sk: { S: sk },
  text: { S: "x".repeat(bytes) },
});
const put = (pk: string, sk: string, bytes?: number) =>
  client.send(new PutItemCommand({ TableName, Item: itemOf(pk, sk, bytes) }));
const putAll = (pk: string, count: number, bytes?: number) => {
  const TransactItems = Array.from({ length: count }, (_, i) => ({
    Put: { TableName, Item: itemOf(pk, `${i}`, bytes) },
  }));
  return client.send(new TransactWriteItemsCommand({ TransactItems }));
};
const query = (pk: string) =>
  client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": { S: pk } },
      ConsistentRead: true,
    }),
  );

describe("the embedded DynamoDB", () => {
  test("refuses an item of more than 400 KB, new or by an update", async () => {
    await expect(put("size", "new", 410_000)).rejects.toThrow("Item size");
    await put("size", "grown", 400_000);
    const growing = new UpdateItemCommand({
      TableName,
      Key: { pk: { S: "size" }, sk: { S: "grown" } },
      UpdateExpression: "SET more = :more",
      ExpressionAttributeValues: { ":more": { S: "x".repeat(10_000) } },
    });
    await expect(client.send(growing)).rejects.toThrow("Item size");
  });

  test("refuses a transaction of more than 100 items", async () => {
    await putAll("items", 100);
    nowMs += LONG_MS;
    await expect(putAll("items", 101)).rejects.toThrow("less than or equal to 100");
  });

  test("refuses a transaction of more than 4 MB", async () => {
    await expect(putAll("bytes", 11, 400_000)).rejects.toThrow("4MB");
  });

  test("ends a page at 1 MB", async () => {
    for (let i = 0; i < 4; i++) {
      await put("page", `${i}`, 300_000);
      nowMs += LONG_MS;
    }
    const { Items, LastEvaluatedKey } = await query("page");
    expect(Items!.length).toBeLessThan(4);
    expect(LastEvaluatedKey).toBeDefined();
  });
});

describe("the throughput of a partition key", () => {
  const EXCEEDED = { name: "ProvisionedThroughputExceededException" };

  test("is 1,000 write units a second; a call may overdraw it", async () => {
    for (let i = 0; i < 3; i++) await put("writes", `${i}`, 399_000);
    await expect(put("writes", "late")).rejects.toMatchObject(EXCEEDED);
    // Of 1,200 units, 1,000 were saved.
    nowMs += 150;
    await expect(put("writes", "late")).rejects.toMatchObject(EXCEEDED);
    nowMs += 50 + 1;
    await put("writes", "late");
    const { writeUnits, ...rest } = limits.take();
    expect(writeUnits).toBeCloseTo(3 * 390 + 1, -1);
    expect(rest).toEqual({ calls: 4, throttled: 2, readUnits: 0 });
  });

  test("counts a write of a transaction twice, and cancels the transaction", async () => {
    await putAll("transactions", 2, 300_000);
    expect(limits.take().writeUnits).toBe(2 * 2 * 293);
    const refused = await putAll("transactions", 2).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TransactionCanceledException);
    const { CancellationReasons } = refused as TransactionCanceledException;
    expect(CancellationReasons!.map(({ Code }) => Code)).toEqual(["ThrottlingError", "ThrottlingError"]);
  });

  test("is each key's own, also in a batch", async () => {
    for (let i = 0; i < 3; i++) await put("full", `${i}`, 399_000);
    await put("other", "0");
    const batch = (...keys: string[]) => {
      const writes = keys.map((pk) => ({ PutRequest: { Item: itemOf(pk, "batch") } }));
      return client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: writes } }));
    };
    await batch("other");
    await expect(batch("other", "full")).rejects.toMatchObject(EXCEEDED);
  });

  test("is 3,000 read units a second, beside its write units", async () => {
    await put("reads", "0", 399_000);
    await put("reads", "1", 399_000);
    for (let i = 0; i < 16; i++) await query("reads");
    await expect(query("reads")).rejects.toMatchObject(EXCEEDED);
    await put("reads", "2");
    nowMs += 1_000;
    await query("reads");
  });

  test("lets calls pass that a proxy of its own has decided about", async () => {
    const own = await startStoreProxy(server.endpoint, limits.over({ decide: () => "cut-before" }));
    const { url } = own;
    const cut = new DynamoDBClient({
      endpoint: url,
      region: "us-east-1",
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
      maxAttempts: 1,
    });
    await expect(cut.send(new PutItemCommand({ TableName, Item: itemOf("own", "0") }))).rejects.toThrow();
    expect(limits.take()).toEqual({ calls: 0, throttled: 0, writeUnits: 0, readUnits: 0 });
    cut.destroy();
    own.close();
  });
});
