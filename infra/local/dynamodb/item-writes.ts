/** Put, update, delete and condition checks of one item: what single requests and transactions share. */
import { checkItem, type Item, sizeOfItem } from "./attribute.ts";
import type { Database } from "./database.ts";
import { conditionFailed, invalid, noTable } from "./dynamodb-error.ts";
import { Bindings, type Placeholders } from "./expressions/bindings.ts";
import { type Condition, parseCondition } from "./expressions/condition.ts";
import type { Path } from "./expressions/path.ts";
import { parseUpdate, type Update } from "./expressions/update.ts";
import type { Limits } from "./limits.ts";
import { keyNames, keyOfItem, keyOfRequest, type StoredKey, type Table } from "./table.ts";

export interface ItemRequest extends Placeholders {
  readonly TableName: string;
  readonly Item?: Item;
  readonly Key?: Item;
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ReturnValuesOnConditionCheckFailure?: string;
}

export const WRITE_KINDS = ["Put", "Update", "Delete", "ConditionCheck"] as const;
export type WriteKind = (typeof WRITE_KINDS)[number];

/** A write whose request has been checked. */
export interface ItemWrite {
  readonly table: Table;
  readonly key: StoredKey;
  /** @throws DynamoDbError if the condition does not hold. */
  check(before: Item | undefined): void;
  /** Returns the item after the write; undefined if there is none. @throws DynamoDbError */
  after(before: Item | undefined): Item | undefined;
  readonly updatedPaths: readonly Path[];
}

export function tableNamed(database: Database, name: string): Table {
  const table = database.table(name);
  if (table === undefined) throw noTable();
  return table;
}

/** Checks the request. @throws DynamoDbError */
export function prepareWrite(database: Database, kind: WriteKind, request: ItemRequest): ItemWrite {
  const { limits } = database;
  const bindings = new Bindings(request, limits);
  const holds =
    request.ConditionExpression === undefined
      ? undefined
      : parseCondition("ConditionExpression", request.ConditionExpression, bindings).holds;
  const update =
    kind === "Update" && request.UpdateExpression !== undefined
      ? parseUpdate(request.UpdateExpression, bindings)
      : undefined;
  const item = kind === "Put" ? checkSize(checkItem(request.Item ?? {}, limits), limits) : undefined;
  const table = tableNamed(database, request.TableName);
  bindings.checkUse();
  const key =
    item === undefined
      ? keyOfRequest(checkItem(request.Key ?? {}, limits), table, limits)
      : keyOfItem(item, table, limits);
  if (update !== undefined) refuseKeys(update, table);
  return {
    table,
    key,
    check: (before) =>
      checkCondition(holds, before, request.ReturnValuesOnConditionCheckFailure === "ALL_OLD"),
    updatedPaths: update?.paths ?? [],
    after(before) {
      if (kind === "Put") return item;
      if (kind === "Delete") return undefined;
      if (kind === "ConditionCheck") return before;
      return updated(before ?? checkItem(request.Key ?? {}, limits), update, table, limits);
    },
  };
}

function checkCondition(holds: Condition | undefined, before: Item | undefined, returnsItem: boolean): void {
  if (holds === undefined || holds(before ?? {})) return;
  throw conditionFailed(returnsItem ? before : undefined);
}

function refuseKeys(update: Update, table: Table): void {
  const name = keyNames(table).find((each) => update.paths.some(([first]) => first === each));
  if (name !== undefined)
    throw invalid(
      `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
    );
}

function updated(before: Item, update: Update | undefined, table: Table, limits: Limits): Item {
  const item = update === undefined ? before : update.apply(before);
  if (sizeOfItem(item) > limits.itemBytes)
    throw invalid("Item size to update has exceeded the maximum allowed size");
  keyOfItem(item, table, limits);
  return item;
}

function checkSize(item: Item, limits: Limits): Item {
  if (sizeOfItem(item) > limits.itemBytes) throw invalid("Item size has exceeded the maximum allowed size");
  return item;
}

/** Stores what a write has made of an item. */
export function store(
  database: Database,
  { table, key }: ItemWrite,
  before: Item | undefined,
  after: Item | undefined,
): void {
  if (after === undefined) database.delete(table, key, before);
  else database.put(table, key, after, before);
}
