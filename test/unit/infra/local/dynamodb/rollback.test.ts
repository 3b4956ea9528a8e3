import { expect, test } from "vitest";
import { Database } from "../../../../../infra/local/dynamodb/database.ts";
import { getItem } from "../../../../../infra/local/dynamodb/item-operations.ts";
import { createTable } from "../../../../../infra/local/dynamodb/table-operations.ts";
import { transactWriteItems } from "../../../../../infra/local/dynamodb/transactions.ts";

test("a transaction that a full disk has undone is not taken for repeated", () => {
  const database = new Database(undefined);
  const TableName = "table";
  const Item = { pk: { S: "a" } };
  database.commit(() => {
    createTable(database, {
      TableName,
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    });
  });
  const write = () =>
    transactWriteItems(database, {
      TransactItems: [{ Put: { TableName, Item } }],
      ClientRequestToken: "one",
    });

  const fail = () => {
    write();
    throw new Error("database or disk is full");
  };
  expect(() => database.commit(fail)).toThrow("full");
  expect(getItem(database, { TableName, Key: Item })).toEqual({});

  database.commit(() => void write());
  expect(getItem(database, { TableName, Key: Item })).toEqual({ Item });
  database.close();
});
