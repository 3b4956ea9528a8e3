import { DynamoDBClient, UpdateContinuousBackupsCommand } from "@aws-sdk/client-dynamodb";
import {
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDynamoDb } from "../../../../../infra/local/dynamodb/start.ts";
import type { EmbeddedServer } from "../../../../../infra/local/embedded-server.ts";
import { provisionTables } from "../../../../../infra/local/provision.ts";
import { EMBEDDED_CREDENTIALS } from "../../../../../infra/local/s3/s3-request.ts";
import { TABLE } from "../assembly.ts";

const TableName = "wirelab-test";
let server: EmbeddedServer;
let client: DynamoDBDocumentClient;

beforeAll(async () => {
  server = await startDynamoDb("127.0.0.1", undefined, () => {});
  const settings = { endpoint: server.endpoint, region: "us-east-1", credentials: EMBEDDED_CREDENTIALS };
  const tables = [{ name: TableName, properties: TABLE.Properties }];
  for (let time = 0; time < 2; time++) await provisionTables(settings, tables);
  client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ ...settings, credentials: { ...EMBEDDED_CREDENTIALS } }),
  );
});

afterAll(async () => {
  client.destroy();
  await server.stop();
});

describe("the embedded DynamoDB", () => {
  it("commits one of many concurrent transactions for the same key", async () => {
    const attempts = Array.from({ length: 50 }, (_, index) =>
      client.send(
        new TransactWriteCommand({
          TransactItems: [
            {
              Put: {
                TableName,
                Item: { pk: "race", sk: "port" },
                ConditionExpression: "attribute_not_exists(pk)",
              },
            },
            { Put: { TableName, Item: { pk: "race", sk: `link#${index}` } } },
          ],
        }),
      ),
    );
    const outcomes = await Promise.allSettled(attempts);

    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { Count } = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": "race" },
        ConsistentRead: true,
      }),
    );
    expect(Count).toBe(2);
  });

  it("writes in batches, queries an index, and reports the consumed capacity", async () => {
    const items = Array.from({ length: 25 }, (_, index) => ({ pk: `p${index}`, sk: "META", listing: "all" }));
    await client.send(
      new BatchWriteCommand({
        RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) },
      }),
    );

    const { Items, ConsumedCapacity } = await client.send(
      new QueryCommand({
        TableName,
        IndexName: "projects",
        KeyConditionExpression: "listing = :all",
        ExpressionAttributeValues: { ":all": "all" },
        ReturnConsumedCapacity: "TOTAL",
      }),
    );

    expect(Items).toHaveLength(25);
    expect(ConsumedCapacity?.CapacityUnits).toBeGreaterThan(0);
  });

  it("returns stored bytes", async () => {
    const Item = { pk: "bytes", sk: "a", bytes: Uint8Array.of(0, 255) };
    await client.send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item } }] }));

    const found = await client.send(new GetCommand({ TableName, Key: { pk: "bytes", sk: "a" } }));

    expect(found.Item).toEqual(Item);
  });

  it("does not support backups, so provisionTables omits them", async () => {
    const command = new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });

    await expect(client.send(command)).rejects.toMatchObject({ name: "UnknownOperationException" });
  });

  it("replaces the indexes of an earlier version, and fills the new ones with the stored items", async () => {
    const settings = { endpoint: server.endpoint, region: "us-east-1", credentials: EMBEDDED_CREDENTIALS };
    const name = "wirelab-upgraded";
    const [index] = TABLE.Properties.GlobalSecondaryIndexes;
    const newer = { ...index, IndexName: "newer", Projection: { ProjectionType: "KEYS_ONLY" } };
    await provisionTables(settings, [{ name, properties: TABLE.Properties }]);
    const Item = { pk: "p", sk: "META", listing: "all", more: 1 };
    await client.send(new PutCommand({ TableName: name, Item }));
    const properties = { ...TABLE.Properties, GlobalSecondaryIndexes: [newer] };
    await provisionTables(settings, [{ name, properties }]);

    const list = (IndexName: string) =>
      client.send(
        new QueryCommand({
          TableName: name,
          IndexName,
          KeyConditionExpression: "listing = :all",
          ExpressionAttributeValues: { ":all": "all" },
        }),
      );
    expect((await list("newer")).Items).toEqual([{ pk: "p", sk: "META", listing: "all" }]);
    await expect(list(index!.IndexName)).rejects.toMatchObject({ name: "ValidationException" });
  });
});
