/** Query and Scan. */
import { checkItem, type Item, keyText } from "./attribute.ts";
import { consumed, readUnits } from "./capacity.ts";
import type { Database } from "./database.ts";
import { invalid } from "./dynamodb-error.ts";
import { Bindings, type Placeholders } from "./expressions/bindings.ts";
import { parseCondition } from "./expressions/condition.ts";
import { parseKeyCondition } from "./expressions/key-condition.ts";
import { projectionOf } from "./expressions/projection.ts";
import { tableNamed } from "./item-writes.ts";
import type { Limits } from "./limits.ts";
import type { Range, StartAfter } from "./range.ts";
import { type Index, keyNames, pickKey, storedKey, type Table } from "./table.ts";

interface ReadRequest extends Placeholders {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly KeyConditionExpression?: string;
  readonly FilterExpression?: string;
  readonly ProjectionExpression?: string;
  readonly ExclusiveStartKey?: Item;
  readonly Limit?: number;
  readonly ScanIndexForward?: boolean;
  readonly ConsistentRead?: boolean;
  readonly Select?: string;
  readonly ReturnConsumedCapacity?: string;
}

export const query = (database: Database, request: ReadRequest): object => read(database, request, true);
export const scan = (database: Database, request: ReadRequest): object => read(database, request, false);

function read(database: Database, request: ReadRequest, isQuery: boolean): object {
  const bindings = new Bindings(request, database.limits);
  const projected = projectionOf(request.ProjectionExpression, bindings);
  const filter =
    request.FilterExpression === undefined
      ? undefined
      : parseCondition("FilterExpression", request.FilterExpression, bindings);
  const table = tableNamed(database, request.TableName);
  const index = indexNamed(table, request.IndexName);
  if (index !== undefined && request.ConsistentRead)
    throw invalid("Consistent reads are not supported on global secondary indexes");
  checkSelect(request, index);
  const schema = index ?? table;
  const range = isQuery ? rangeOf(request, bindings, schema) : undefined;
  const keyInFilter = isQuery ? keyNames(schema).find((name) => filter?.names.has(name)) : undefined;
  if (keyInFilter !== undefined)
    throw invalid(
      `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${keyInFilter}`,
    );
  bindings.checkUse();
  const after =
    request.ExclusiveStartKey && startAfter(request.ExclusiveStartKey, table, index, database.limits);
  return collect(database, request, { table, index, range, after, holds: filter?.holds, projected });
}

interface Plan {
  readonly table: Table;
  readonly index: Index | undefined;
  readonly range: Range | undefined;
  readonly after: StartAfter | undefined;
  readonly holds: ((item: Item) => boolean) | undefined;
  readonly projected: (item: Item) => Item;
}

function collect(database: Database, request: ReadRequest, plan: Plan): object {
  const { table, index, range, after, holds = () => true, projected } = plan;
  const { Limit = Number.POSITIVE_INFINITY, ScanIndexForward = true } = request;
  const items: Item[] = [];
  let [count, scanned, bytes] = [0, 0, 0];
  /** The key of the item that was read, and of the last one of this page if the next page may have items. */
  let [before, last]: (Item | undefined)[] = [];
  for (const { item, size } of database.rows(table, index, range, after, ScanIndexForward)) {
    // Each item is smaller than a page, unless a test has switched the limits.
    if (scanned > 0 && bytes + size > database.limits.pageBytes) {
      last = before;
      break;
    }
    scanned += 1;
    bytes += size;
    before = { ...pickKey(item, table), ...(index && pickKey(item, index)) };
    if (holds(item)) {
      count += 1;
      if (request.Select !== "COUNT") items.push(projected(item));
    }
    if (scanned < Limit) continue;
    last = before;
    break;
  }
  const units = readUnits(bytes, request.ConsistentRead === true, index);
  const capacity = consumed(request.ReturnConsumedCapacity, table.name, [units]);
  return {
    ...(request.Select !== "COUNT" && { Items: items }),
    Count: count,
    ScannedCount: scanned,
    ...(last && { LastEvaluatedKey: last }),
    ...(capacity && { ConsumedCapacity: capacity }),
  };
}

function checkSelect({ Select, ProjectionExpression }: ReadRequest, index: Index | undefined): void {
  if (Select === "SPECIFIC_ATTRIBUTES" && ProjectionExpression === undefined)
    throw invalid(
      "1 validation error detected: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
    );
  if (Select !== undefined && Select !== "SPECIFIC_ATTRIBUTES" && ProjectionExpression !== undefined)
    throw invalid(
      Select === "COUNT"
        ? "Cannot specify the ProjectionExpression when choosing to get only the Count"
        : `Cannot specify the ProjectionExpression when choosing to get ${Select}`,
    );
  if (Select === "ALL_PROJECTED_ATTRIBUTES" && index === undefined)
    throw invalid("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
  if (Select === "ALL_ATTRIBUTES" && index?.projected !== undefined)
    throw invalid(
      `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.definition.IndexName} because its projection type is not ALL`,
    );
}

function indexNamed(table: Table, name: string | undefined): Index | undefined {
  if (name === undefined) return undefined;
  const index = table.indexes.get(name);
  if (index === undefined) throw invalid(`The table does not have the specified index: ${name}`);
  return index;
}

function rangeOf(request: ReadRequest, bindings: Bindings, schema: Table | Index): Range {
  if (request.KeyConditionExpression === undefined)
    throw invalid(
      "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.",
    );
  const { partition, sort } = parseKeyCondition(request.KeyConditionExpression, bindings, schema);
  return { pk: keyText(partition), sort };
}

function startAfter(given: Item, table: Table, index: Index | undefined, limits: Limits): StartAfter {
  const item = checkItem(given, limits);
  const tableKey = storedKey(item, table);
  const key = storedKey(item, index ?? table);
  if (tableKey === undefined || key === undefined) throw invalid("The provided starting key is invalid");
  return { key, tableKey };
}
