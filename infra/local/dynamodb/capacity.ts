/**
 * Consumed capacity: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/capacity-unit-calculations.html, and of indexes
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations
 */
import { type Item, sizeOfItem } from "./attribute.ts";
import { isSame } from "./expressions/update.ts";
import { type Index, project, storedKey, type Table } from "./table.ts";

const READ_BYTES = 4_096;
const WRITE_BYTES = 1_024;

/** Units of a table, and of its indexes by their names. */
export interface Units {
  readonly table: number;
  readonly indexes: ReadonlyMap<string, number>;
}

const unitsOf = (bytes: number, unitBytes: number): number => Math.max(1, Math.ceil(bytes / unitBytes));
const unitsOfItem = (item: Item | undefined): number =>
  item === undefined ? 1 : unitsOf(sizeOfItem(item), WRITE_BYTES);

/** @param index that was read; undefined for the table. */
export function readUnits(bytes: number, isConsistent: boolean, index?: Index): Units {
  const units = unitsOf(bytes, READ_BYTES) * (isConsistent ? 1 : 0.5);
  return index === undefined
    ? { table: units, indexes: new Map() }
    : { table: 0, indexes: new Map([[index.definition.IndexName, units]]) };
}

/** @param times 2 in a transaction, which writes to the table twice. */
export function writeUnits(
  table: Table,
  before: Item | undefined,
  after: Item | undefined,
  times: 1 | 2 = 1,
): Units {
  const indexes = new Map<string, number>();
  for (const [name, index] of table.indexes) {
    const units = indexUnits(index, before, after);
    if (units > 0) indexes.set(name, units);
  }
  return { table: times * Math.max(unitsOfItem(before), unitsOfItem(after)), indexes };
}

/** A change of the key is a deletion and a write; what the index does not have costs nothing. */
function indexUnits(index: Index, before: Item | undefined, after: Item | undefined): number {
  const old = before && storedKey(before, index);
  const now = after && storedKey(after, index);
  const oldItem = old && project(before!, index);
  const newItem = now && project(after!, index);
  if (oldItem === undefined) return newItem === undefined ? 0 : unitsOfItem(newItem);
  if (newItem === undefined) return unitsOfItem(oldItem);
  if (old!.pk !== now!.pk || old!.sk !== now!.sk) return unitsOfItem(oldItem) + unitsOfItem(newItem);
  return isSame(oldItem, newItem) ? 0 : Math.max(unitsOfItem(oldItem), unitsOfItem(newItem));
}

export const totalOf = (all: readonly Units[]): number =>
  all.flatMap(({ table, indexes }) => [table, ...indexes.values()]).reduce((sum, units) => sum + units, 0);

/** What a response says about one table. */
export function consumed(
  asked: string | undefined,
  TableName: string,
  all: readonly Units[],
): object | undefined {
  if (asked === undefined || asked === "NONE") return undefined;
  const table = all.reduce((sum, units) => sum + units.table, 0);
  const indexes = new Map<string, number>();
  for (const units of all)
    for (const [name, more] of units.indexes) indexes.set(name, (indexes.get(name) ?? 0) + more);
  const total = totalOf(all);
  if (asked === "TOTAL") return { TableName, CapacityUnits: total };
  const byIndex = [...indexes].map(([name, units]) => [name, { CapacityUnits: units }]);
  return {
    TableName,
    CapacityUnits: total,
    Table: { CapacityUnits: table },
    ...(indexes.size > 0 && { GlobalSecondaryIndexes: Object.fromEntries(byIndex) }),
  };
}
