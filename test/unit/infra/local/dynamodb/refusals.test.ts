/** What DynamoDB refuses, and what ours refuses by name because it has no counterpart. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDynamoDb } from "../../../../../infra/local/dynamodb/start.ts";
import type { EmbeddedServer } from "../../../../../infra/local/embedded-server.ts";
import { call } from "./call.ts";
import { TABLE } from "./request.ts";

const TableName = "table";
const Key = { pk: { S: "a" }, sk: { S: "a" } };
const Item = { ...Key, a: { S: "x" } };

let server: EmbeddedServer;
beforeAll(async () => {
  server = await startDynamoDb("127.0.0.1", undefined, (message) => console.error(message), {
    pageBytes: 20,
  });
  await call(server.endpoint, "CreateTable", { ...TABLE, TableName });
  for (const sk of ["a", "b", "c"])
    await call(server.endpoint, "PutItem", { TableName, Item: { ...Item, sk: { S: sk } } });
});
afterAll(() => server.stop());

const ask = (operation: string, body: object) => call(server.endpoint, operation, body);

describe("our DynamoDB", () => {
  const bytes = (count: number) => ({ S: "x".repeat(count) });
  test.each([
    ["GetItem", { TableName, Key, AttributesToGet: ["a"] }, "AttributesToGet of GetItem is not supported"],
    ["PutItem", { TableName, Item, Expected: {} }, "Expected of PutItem is not supported"],
    ["Scan", { TableName, TotalSegments: 2, Segment: 0 }, "TotalSegments of Scan is not supported"],
    [
      "TransactWriteItems",
      { TransactItems: [{ Put: { TableName, Item, ReturnValues: "NONE" } }] },
      "ReturnValues of Put is not supported",
    ],
    ["PutItem", { TableName }, "Value null at 'item'"],
    ["PutItem", { TableName: "no", Item }, "length greater than or equal to 3"],
    ["PutItem", { TableName, Item: { ...Item, a: { S: 1 } } }, "cannot be a number"],
    ["PutItem", { TableName, Item: { ...Item, a: { B: "#" } } }, "A value of the type B"],
    ["PutItem", { TableName, Item: { ...Item, a: { NULL: false } } }, "must have the value of true"],
    ["PutItem", { TableName, Item: { ...Item, pk: bytes(2049) } }, "Size of hashkey"],
    ["GetItem", { TableName, Key: { ...Key, sk: bytes(1025) } }, "size limit of 1024"],
    ["DeleteItem", { TableName, Key, ReturnValues: "ALL_NEW" }, "enum value set: [ALL_OLD, NONE]"],
    [
      "PutItem",
      { TableName, Item, ConditionExpression: "attribute_exists(Status)" },
      "reserved keyword: Status",
    ],
    [
      "PutItem",
      { TableName, Item, ConditionExpression: "attribute_exists(a) OR ".repeat(200).concat("a = a") },
      "Expression size has exceeded",
    ],
    ["BatchGetItem", { RequestItems: {} }, "length greater than or equal to 1"],
  ])("%s refuses %j: %s", async (operation, body, message) => {
    const { status, json } = await ask(operation, body);
    expect(status).toBe(400);
    expect(json.message).toContain(message);
  });

  test("ends a page at the size that its switch has", async () => {
    // Each item has 8 bytes, so two are less than 20.
    const { json } = await ask("Scan", { TableName });
    expect(json.Items).toHaveLength(2);
    const { json: next } = await ask("Scan", { TableName, ExclusiveStartKey: json.LastEvaluatedKey });
    expect(next).toEqual({ Items: [{ ...Item, sk: { S: "c" } }], Count: 1, ScannedCount: 1 });
  });

  test("compares the beginnings of sort keys with their case", async () => {
    const { json } = await ask("Query", {
      TableName,
      KeyConditionExpression: "pk = :p AND begins_with(sk, :s)",
      ExpressionAttributeValues: { ":p": { S: "a" }, ":s": { S: "A" } },
      ScanIndexForward: false,
    });
    expect(json.Items).toEqual([]);
  });
});

test("a database of another layout is refused by name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-layout-"));
  const file = join(folder, "dynamodb.sqlite");
  const start = () => startDynamoDb("127.0.0.1", file, () => {});
  await (await start()).stop();
  const database = new DatabaseSync(file);
  database.exec("UPDATE _config SET value = '10' WHERE key = 'schema_version'");
  database.close();
  await expect(start()).rejects.toThrow("the layout of its tables is 10, and this release reads 9");
  rmSync(folder, { recursive: true });
});
