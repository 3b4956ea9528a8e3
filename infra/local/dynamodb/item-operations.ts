/** Operations on single items, and batches of them. */
import { checkItem, type Item, sizeOfItem } from "./attribute.ts";
import { consumed, readUnits, writeUnits } from "./capacity.ts";
import type { Database } from "./database.ts";
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
  const { limits } = database;
  const bindings = new Bindings(request, limits);
  const projected = projectionOf(request.ProjectionExpression, bindings);
  const table = tableNamed(database, request.TableName);
  bindings.checkUse();
  const item = database.get(table, keyOfRequest(checkItem(request.Key, limits), table, limits));
  const units = readUnits(item === undefined ? 0 : sizeOfItem(item), request.ConsistentRead === true);
  const capacity = consumed(request.ReturnConsumedCapacity, table.name, [units]);
  return {
    ...(item && { Item: projected(item) }),
    ...(capacity && { ConsumedCapacity: capacity }),
  };
}

const written =
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
    const { table } = prepared;
    const capacity = consumed(request.ReturnConsumedCapacity, table.name, [writeUnits(table, before, after)]);
    return {
      ...(isAny && { Attributes: attributes }),
      ...(capacity && { ConsumedCapacity: capacity }),
    };
  };

export const putItem = written("Put");
export const updateItem = written("Update");
export const deleteItem = written("Delete");
