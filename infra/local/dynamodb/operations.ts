/** The operations by their names in `X-Amz-Target`. */
import { batchGetItem, batchWriteItem } from "./batches.ts";
import type { Database } from "./database.ts";
import * as items from "./item-operations.ts";
import { PARAMETERS, type Parameters } from "./parameters.ts";
import { query, scan } from "./query.ts";
import * as tables from "./table-operations.ts";
import { transactWriteItems } from "./transactions.ts";

export interface Operation {
  readonly name: keyof typeof PARAMETERS;
  readonly parameters: Parameters;
  /** Writes of items check everything before the first change; changes of tables do not. */
  readonly kind: "read" | "write" | "table";
  /** @throws DynamoDbError */
  readonly run: (database: Database, request: never) => object;
}

const TABLES = "DynamoDB_20120810";
const STREAMS = "DynamoDBStreams_20120810";

const of =
  (service: string, kind: Operation["kind"]) =>
  (name: Operation["name"], run: Operation["run"]): [string, Operation] => [
    `${service}.${name}`,
    { name, parameters: PARAMETERS[name], kind, run },
  ];
const [reads, writes, changes] = [of(TABLES, "read"), of(TABLES, "write"), of(TABLES, "table")];
const readsStream = of(STREAMS, "read");

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  reads("BatchGetItem", batchGetItem),
  writes("BatchWriteItem", batchWriteItem),
  changes("CreateTable", tables.createTable),
  writes("DeleteItem", items.deleteItem),
  changes("DeleteTable", tables.deleteTable),
  reads("DescribeTable", tables.describeTable),
  reads("DescribeTimeToLive", tables.describeTimeToLive),
  reads("GetItem", items.getItem),
  reads("ListTables", tables.listTables),
  writes("PutItem", items.putItem),
  reads("Query", query),
  reads("Scan", scan),
  writes("TransactWriteItems", transactWriteItems),
  writes("UpdateItem", items.updateItem),
  changes("UpdateTable", tables.updateTable),
  changes("UpdateTimeToLive", tables.updateTimeToLive),
  readsStream("DescribeStream", tables.describeStream),
  readsStream("GetRecords", tables.getRecords),
  readsStream("GetShardIterator", tables.getShardIterator),
]);
