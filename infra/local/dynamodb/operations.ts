/** The operations by their names in `X-Amz-Target`. */
import type { Database } from "./database.ts";
import * as items from "./item-operations.ts";
import { query, scan } from "./query.ts";
import * as tables from "./table-operations.ts";
import { transactWriteItems } from "./transactions.ts";

export interface Operation {
  /** Writes of items check everything before the first change; changes of tables do not. */
  readonly kind: "read" | "write" | "table";
  /** @throws DynamoDbError */
  readonly run: (database: Database, request: never) => object;
}

const reads = (run: Operation["run"]): Operation => ({ kind: "read", run });
const writes = (run: Operation["run"]): Operation => ({ kind: "write", run });

const changes = (run: Operation["run"]): Operation => ({ kind: "table", run });

const TABLES = "DynamoDB_20120810";
const STREAMS = "DynamoDBStreams_20120810";

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  [`${TABLES}.BatchGetItem`, reads(items.batchGetItem)],
  [`${TABLES}.BatchWriteItem`, writes(items.batchWriteItem)],
  [`${TABLES}.CreateTable`, changes(tables.createTable)],
  [`${TABLES}.DeleteItem`, writes(items.deleteItem)],
  [`${TABLES}.DeleteTable`, changes(tables.deleteTable)],
  [`${TABLES}.DescribeTable`, reads(tables.describeTable)],
  [`${TABLES}.DescribeTimeToLive`, reads(tables.describeTimeToLive)],
  [`${TABLES}.GetItem`, reads(items.getItem)],
  [`${TABLES}.ListTables`, reads(tables.listTables)],
  [`${TABLES}.PutItem`, writes(items.putItem)],
  [`${TABLES}.Query`, reads(query)],
  [`${TABLES}.Scan`, reads(scan)],
  [`${TABLES}.TransactWriteItems`, writes(transactWriteItems)],
  [`${TABLES}.UpdateItem`, writes(items.updateItem)],
  [`${TABLES}.UpdateTable`, changes(tables.updateTable)],
  [`${TABLES}.UpdateTimeToLive`, changes(tables.updateTimeToLive)],
  [`${STREAMS}.DescribeStream`, reads(tables.describeStream)],
  [`${STREAMS}.GetRecords`, reads(tables.getRecords)],
  [`${STREAMS}.GetShardIterator`, reads(tables.getShardIterator)],
]);
