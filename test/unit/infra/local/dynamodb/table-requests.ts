/** Random requests about the table itself: its indexes, its stream, its time to live, and what the time to live deletes. */
import fc from "fast-check";
import { type Request, secondOf } from "./request.ts";

const named = (operation: string, rest: object): Request => ({
  operation,
  body: (TableName) => ({ TableName, ...rest }),
});

const index = (IndexName: string, AttributeName: string, ProjectionType: string, more: object = {}) =>
  named("UpdateTable", {
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "sk", AttributeType: "S" },
      { AttributeName: "grp", AttributeType: "S" },
      { AttributeName: "num", AttributeType: "N" },
    ],
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName,
          KeySchema: [{ AttributeName, KeyType: "HASH" }],
          Projection: { ProjectionType, ...more },
        },
      },
    ],
  });
const noIndex = (IndexName: string) =>
  named("UpdateTable", { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }] });

const KEY = { pk: { S: "a" } };
const SMALL_TABLE = {
  BillingMode: "PAY_PER_REQUEST",
  KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
  AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
};
/** About a table that may not be there; without a sort key. */
const second = (operation: string, rest: object): Request => ({
  operation,
  body: (TableName) => ({ TableName: secondOf(TableName), ...rest }),
});

export const tableRequests: fc.Arbitrary<Request> = fc.oneof(
  fc.constantFrom(
    index("by-sort", "sk", "ALL"),
    index("by-sort", "sk", "KEYS_ONLY"),
    index("by-sort", "grp", "INCLUDE", { NonKeyAttributes: ["a", "b"] }),
    noIndex("by-sort"),
    named("Scan", { IndexName: "by-sort" }),
  ),
  fc.constantFrom(
    named("UpdateTimeToLive", { TimeToLiveSpecification: { AttributeName: "num", Enabled: true } }),
    named("UpdateTimeToLive", { TimeToLiveSpecification: { AttributeName: "a", Enabled: true } }),
    named("DescribeTimeToLive", {}),
    named("Expire", { AttributeName: "num", nowS: 3 }),
  ),
  fc.constantFrom(named("DescribeTable", {}), named("DescribeStream", {}), named("ListTables", {})),
  fc.constantFrom(
    second("CreateTable", SMALL_TABLE),
    second("CreateTable", SMALL_TABLE),
    second("DeleteTable", {}),
    second("DescribeTable", {}),
    second("PutItem", { Item: { ...KEY, a: { S: "x" } } }),
    second("GetItem", { Key: KEY }),
    second("Scan", {}),
    named("GetItem", { Key: KEY }),
    named("CreateTable", SMALL_TABLE),
  ),
);
