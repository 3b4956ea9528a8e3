import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startDynamoDb } from "../../../../../infra/local/dynamodb/start.ts";
import { findDynoxide, startDynoxide } from "../../../../helpers/stores/dynoxide.ts";
import { call } from "./call.ts";
import { TABLE } from "./request.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wirelab-dynamodb-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const HOST = "127.0.0.1";
const TableName = "table";
const file = () => join(folder, "database.sqlite");
const fail = (message: string) => {
  throw new Error(message);
};

type Start = typeof startDynamoDb;
async function using<Result>(start: Start, use: (endpoint: string) => Promise<Result>): Promise<Result> {
  const server = await start(HOST, file(), fail);
  try {
    return await use(server.endpoint);
  } finally {
    await server.stop();
  }
}

const items = [
  { pk: { S: "a" }, sk: { S: "é" }, num: { N: "-1.5" }, grp: { S: "g" } },
  { pk: { S: "a" }, sk: { S: "😀" }, num: { N: "3" }, grp: { S: "g" } },
];
const fill = async (endpoint: string) => {
  await call(endpoint, "CreateTable", { ...TABLE, TableName });
  for (const Item of items) await call(endpoint, "PutItem", { TableName, Item });
};
const list = async (endpoint: string) => {
  const { json } = await call(endpoint, "Query", {
    TableName,
    IndexName: "by-group",
    KeyConditionExpression: "grp = :g",
    ExpressionAttributeValues: { ":g": { S: "g" } },
  });
  return json.Items;
};

describe("our DynamoDB", () => {
  it("keeps what it has acknowledged", async () => {
    await using(startDynamoDb, fill);
    expect(await using(startDynamoDb, list)).toEqual(items);
  });

  it.skipIf(findDynoxide() === undefined)(
    "opens a database of Dynoxide, and the other way round (skipped where it is not installed)",
    async () => {
      await using(startDynoxide, fill);
      expect(await using(startDynamoDb, list)).toEqual(items);
      await using(startDynamoDb, (endpoint) =>
        call(endpoint, "UpdateItem", {
          TableName,
          Key: { pk: { S: "a" }, sk: { S: "é" } },
          UpdateExpression: "ADD num :one",
          ExpressionAttributeValues: { ":one": { N: "1" } },
        }),
      );
      const [first] = await using(startDynoxide, list);
      expect(first).toEqual({ ...items[0], num: { N: "-0.5" } });
    },
  );

  it("reports a damaged database in one line", async () => {
    writeFileSync(file(), "this is no database, and long enough for its header".repeat(20));
    await expect(startDynamoDb(HOST, file(), fail)).rejects.toThrow(`The database ${file()} is damaged`);
  });

  it("refuses operations and requests that it does not know", async () => {
    const [unknown, list] = await using(startDynamoDb, async (endpoint) => [
      await call(endpoint, "CreateBackup", {}),
      await call(endpoint, "ListTables", {}),
    ]);
    expect([unknown!.status, unknown!.json.__type]).toEqual([
      400,
      "com.amazon.coral.service#UnknownOperationException",
    ]);
    expect(list!.json).toEqual({ TableNames: [] });
  });

  it("commits one of many transactions that want the same key", async () => {
    const codes = await using(startDynamoDb, async (endpoint) => {
      await call(endpoint, "CreateTable", { ...TABLE, TableName });
      const Item = { pk: { S: "a" }, sk: { S: "port" } };
      const claim = { Put: { TableName, Item, ConditionExpression: "attribute_not_exists(pk)" } };
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          call(endpoint, "TransactWriteItems", {
            TransactItems: [
              claim,
              { Put: { TableName, Item: { pk: { S: "a" }, sk: { S: `link#${index}` } } } },
            ],
          }),
        ),
      );
      return answers.map(({ status }) => status);
    });
    expect(codes.filter((status) => status === 200)).toHaveLength(1);
  });
});
