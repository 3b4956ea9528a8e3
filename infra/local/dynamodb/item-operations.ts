/** Operations on single items, and batches of them. */
import { checkItem, type Item, sizeOfItem } from "./attribute.ts";
import { consumed, readUnits, writeUnits } from "./capacity.ts";
import type { Database } from "./database.ts";
import { invalid } from "./dynamodb-error.ts";
import { Bindings, type Placeholders } from "./expressions/bindings.ts";
import { pickPaths } from "./expressions/path.ts";
import { projectionOf } from "./expressions/projection.ts";
import { type ItemRequest, prepareWrite, store, tableNamed, type WriteKind } from "./item-writes.ts";
import { keyOfRequest } from "./table.ts";

interface Answered extends ItemRequest {
  readonly ReturnValues?: "NONE" | "ALL_OLD" | "UPDATED_OLD" | "ALL_NEW" | "UPDATED_NEW";
  readonly ReturnConsumedCapacity?: string;
}

interface GetRequest extends Placeholders {
  readonly TableName: string;
  readonly Key: Item;
  readonly ProjectionExpression?: string;
  readonly ConsistentRead?: boolean;
  readonly ReturnConsumedCapacity?: string;
}

export function getItem(database: Database, request: GetRequest): object {
  const bindings = new Bindings(request);
  const projected = projectionOf(request.ProjectionExpression, bindings);
  const table = tableNamed(database, request.TableName);
  bindings.checkUse();
  const item = database.get(table, keyOfRequest(checkItem(request.Key ?? {}), table));
  const units = readUnits(item === undefined ? 0 : sizeOfItem(item), request.ConsistentRead === true);
  return {
    ...(item && { Item: projected(item) }),
    ...consumed(request.ReturnConsumedCapacity, table.name, units),
  };
}

const write =
  (kind: WriteKind) =>
  (database: Database, request: Answered): object => {
    const prepared = prepareWrite(database, kind, request);
    const before = database.get(prepared.table, prepared.key);
    prepared.check(before);
    const after = prepared.after(before);
    store(database, prepared, before, after);
    const { updatedPaths } = prepared;
    const attributes = {
      NONE: () => undefined,
      ALL_OLD: () => before,
      ALL_NEW: () => after,
      UPDATED_OLD: () => before && pickPaths(before, updatedPaths),
      UPDATED_NEW: () => after && pickPaths(after, updatedPaths),
    }[request.ReturnValues ?? "NONE"]();
    const isAny = attributes !== undefined && Object.keys(attributes).length > 0;
    return {
      ...(isAny && { Attributes: attributes }),
      ...consumed(request.ReturnConsumedCapacity, prepared.table.name, writeUnits(before, after)),
    };
  };

export const putItem = write("Put");
export const updateItem = write("Update");
export const deleteItem = write("Delete");

interface BatchGet {
  readonly RequestItems: Readonly<
    Record<string, Omit<GetRequest, "TableName" | "Key"> & { readonly Keys: readonly Item[] }>
  >;
}

const MOST_READS = 100;
const MOST_WRITES = 25;

export function batchGetItem(database: Database, { RequestItems = {} }: BatchGet): object {
  const count = Object.values(RequestItems).reduce((sum, { Keys = [] }) => sum + Keys.length, 0);
  if (count > MOST_READS) throw invalid("Too many items requested for the BatchGetItem call");
  const Responses: Record<string, Item[]> = {};
  for (const [name, request] of Object.entries(RequestItems)) {
    const bindings = new Bindings(request);
    const projected = projectionOf(request.ProjectionExpression, bindings);
    const table = tableNamed(database, name);
    bindings.checkUse();
    const keys = request.Keys.map((key) => keyOfRequest(checkItem(key), table));
    if (new Set(keys.map(({ pk, sk }) => JSON.stringify([pk, sk]))).size !== keys.length)
      throw invalid("Provided list of item keys contains duplicates");
    Responses[name] = keys.flatMap((key) => {
      const item = database.get(table, key);
      return item === undefined ? [] : [projected(item)];
    });
  }
  return { Responses, UnprocessedKeys: {} };
}

interface BatchWrite {
  readonly RequestItems: Readonly<
    Record<
      string,
      readonly {
        readonly PutRequest?: { readonly Item: Item };
        readonly DeleteRequest?: { readonly Key: Item };
      }[]
    >
  >;
}

export function batchWriteItem(database: Database, { RequestItems = {} }: BatchWrite): object {
  const requests = Object.entries(RequestItems).flatMap(([TableName, each]) => {
    if (each.length === 0)
      throw invalid(
        `1 validation error detected: Value at 'requestItems.${TableName}.member' failed to satisfy constraint: Member must have length greater than or equal to 1`,
      );
    return each.map(({ PutRequest, DeleteRequest }) =>
      PutRequest === undefined
        ? prepareWrite(database, "Delete", { TableName, ...DeleteRequest })
        : prepareWrite(database, "Put", { TableName, ...PutRequest }),
    );
  });
  if (requests.length > MOST_WRITES) throw invalid("Too many items requested for the BatchWriteItem call");
  const places = requests.map(({ table, key }) => JSON.stringify([table.name, key.pk, key.sk]));
  if (new Set(places).size !== places.length) throw invalid("Provided list of item keys contains duplicates");
  for (const prepared of requests) {
    const before = database.get(prepared.table, prepared.key);
    store(database, prepared, before, prepared.after(before));
  }
  return { UnprocessedItems: {} };
}
