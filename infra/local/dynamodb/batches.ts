/** BatchGetItem and BatchWriteItem. */
import { checkItem, type Item, sizeOfItem } from "./attribute.ts";
import { consumed, readUnits, type Units, writeUnits } from "./capacity.ts";
import type { Database } from "./database.ts";
import { invalid } from "./dynamodb-error.ts";
import { Bindings, type Placeholders } from "./expressions/bindings.ts";
import { projectionOf } from "./expressions/projection.ts";
import { type ItemWrite, prepareWrite, store, tableNamed } from "./item-writes.ts";
import { checkParameters, checkTableName, PARTS } from "./parameters.ts";
import { keyOfRequest, type StoredKey, type Table } from "./table.ts";

interface TableReads extends Placeholders {
  readonly Keys: readonly Item[];
  readonly ProjectionExpression?: string;
  readonly ConsistentRead?: boolean;
}

interface BatchGet {
  readonly ReturnConsumedCapacity?: string;
  readonly RequestItems: Readonly<Record<string, TableReads>>;
}

const tooShort = (where: string) =>
  invalid(
    `1 validation error detected: Value at '${where}' failed to satisfy constraint: Member must have length greater than or equal to 1`,
  );

interface PreparedReads {
  readonly name: string;
  readonly request: TableReads;
  readonly table: Table;
  readonly keys: readonly StoredKey[];
  readonly projected: (item: Item) => Item;
}

export function batchGetItem(database: Database, batch: BatchGet): object {
  const { RequestItems, ReturnConsumedCapacity: asked } = batch;
  if (Object.keys(RequestItems).length === 0) throw tooShort("RequestItems");
  for (const [name, request] of Object.entries(RequestItems)) {
    checkTableName(name);
    checkParameters("BatchGetItem", PARTS.BatchGet, request);
    if (request.Keys.length === 0) throw tooShort(`requestItems.${name}.member.keys`);
  }
  const count = Object.values(RequestItems).reduce((sum, { Keys }) => sum + Keys.length, 0);
  if (count > database.limits.batchReads) throw invalid("Too many items requested for the BatchGetItem call");
  const all = Object.entries(RequestItems).map(([name, request]) => prepareReads(database, name, request));
  const Responses: Record<string, Item[]> = {};
  const UnprocessedKeys: Record<string, TableReads> = {};
  const capacities: (object | undefined)[] = [];
  let bytes = 0;
  for (const { name, request, table, keys, projected } of all) {
    const units: Units[] = [];
    const items: Item[] = [];
    const left: Item[] = [];
    for (const [index, key] of keys.entries()) {
      const item = bytes > database.limits.batchReadBytes ? undefined : database.get(table, key);
      const size = item === undefined ? 0 : sizeOfItem(item);
      if (bytes > 0 && bytes + size > database.limits.batchReadBytes) bytes = Number.POSITIVE_INFINITY;
      if (bytes === Number.POSITIVE_INFINITY) {
        left.push(request.Keys[index]!);
        continue;
      }
      bytes += size;
      units.push(readUnits(size, request.ConsistentRead === true));
      if (item !== undefined) items.push(projected(item));
    }
    Responses[name] = items;
    if (left.length > 0) UnprocessedKeys[name] = { ...request, Keys: left };
    if (units.length > 0) capacities.push(consumed(asked, name, units));
  }
  return { Responses, UnprocessedKeys, ...capacityList(capacities) };
}

function prepareReads(database: Database, name: string, request: TableReads): PreparedReads {
  const { limits } = database;
  const bindings = new Bindings(request, limits);
  const projected = projectionOf(request.ProjectionExpression, bindings);
  const table = tableNamed(database, name);
  bindings.checkUse();
  const keys = request.Keys.map((key) => keyOfRequest(checkItem(key, limits), table, limits));
  if (new Set(keys.map(({ pk, sk }) => JSON.stringify([pk, sk]))).size !== keys.length)
    throw invalid("Provided list of item keys contains duplicates");
  return { name, request, table, keys, projected };
}

interface BatchWrite {
  readonly ReturnConsumedCapacity?: string;
  readonly RequestItems: Readonly<Record<string, readonly BatchEntry[]>>;
}

interface BatchEntry {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
}

export function batchWriteItem(database: Database, batch: BatchWrite): object {
  const { RequestItems, ReturnConsumedCapacity: asked } = batch;
  const entries = Object.entries(RequestItems);
  if (entries.length === 0) throw invalid("The requestItems parameter is required for BatchWriteItem");
  for (const [name, each] of entries) {
    checkTableName(name);
    if (!Array.isArray(each) || each.length === 0) throw tooShort(`requestItems.${name}.member`);
  }
  if (entries.reduce((sum, [, each]) => sum + each.length, 0) > database.limits.batchWrites)
    throw invalid("Too many items requested for the BatchWriteItem call");
  const requests = entries.flatMap(([name, each]) =>
    each.map((entry) => prepareEntry(database, name, entry)),
  );
  const places = requests.map(({ table, key }) => JSON.stringify([table.name, key.pk, key.sk]));
  if (new Set(places).size !== places.length) throw invalid("Provided list of item keys contains duplicates");
  const written = requests.map((prepared) => {
    const before = database.get(prepared.table, prepared.key);
    const after = prepared.after(before);
    store(database, prepared, before, after);
    return { name: prepared.table.name, units: writeUnits(prepared.table, before, after) };
  });
  const capacities = [...Map.groupBy(written, ({ name }) => name)].map(([name, own]) =>
    consumed(
      asked,
      name,
      own.map(({ units }) => units),
    ),
  );
  return { UnprocessedItems: {}, ...capacityList(capacities) };
}

function prepareEntry(database: Database, TableName: string, entry: BatchEntry): ItemWrite {
  checkParameters("BatchWriteItem", { PutRequest: "map", DeleteRequest: "map" }, entry);
  const { PutRequest, DeleteRequest } = entry;
  if ((PutRequest === undefined) === (DeleteRequest === undefined))
    throw invalid(
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
    );
  if (PutRequest !== undefined) {
    checkParameters("PutRequest", PARTS.PutRequest, PutRequest);
    return prepareWrite(database, "Put", { TableName, ...PutRequest });
  }
  checkParameters("DeleteRequest", PARTS.DeleteRequest, DeleteRequest);
  return prepareWrite(database, "Delete", { TableName, ...DeleteRequest });
}

/** The field `ConsumedCapacity` of a batch, if the request asks for it. */
function capacityList(capacities: readonly (object | undefined)[]): object {
  const present = capacities.filter((each) => each !== undefined);
  return present.length === 0 ? {} : { ConsumedCapacity: present };
}
