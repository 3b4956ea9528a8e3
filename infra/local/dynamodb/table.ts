/** The description of a table, as the database keeps it. */
import {
  type Attribute,
  type AttributeType,
  type Item,
  keyText,
  sizeOfAttribute,
  typeOf,
} from "./attribute.ts";
import { invalid } from "./dynamodb-error.ts";
import type { Limits } from "./limits.ts";

export interface KeyElement {
  readonly AttributeName: string;
  readonly KeyType: "HASH" | "RANGE";
}

export interface AttributeDefinition {
  readonly AttributeName: string;
  readonly AttributeType: "S" | "N" | "B";
}

export interface IndexDefinition {
  readonly IndexName: string;
  readonly KeySchema: readonly KeyElement[];
  readonly Projection: {
    readonly ProjectionType?: "ALL" | "KEYS_ONLY" | "INCLUDE";
    readonly NonKeyAttributes?: readonly string[];
  };
}

export interface KeySchema {
  readonly hash: string;
  readonly range: string | undefined;
  readonly types: Readonly<Record<string, AttributeType>>;
}

export interface Index extends KeySchema {
  readonly definition: IndexDefinition;
  /** Names of the attributes that the index has; undefined for all. */
  readonly projected: ReadonlySet<string> | undefined;
}

export interface Table extends KeySchema {
  readonly name: string;
  readonly keySchema: readonly KeyElement[];
  readonly definitions: readonly AttributeDefinition[];
  readonly indexes: ReadonlyMap<string, Index>;
  readonly streamView: string | undefined;
  readonly streamLabel: string | undefined;
  readonly ttlAttribute: string | undefined;
  readonly createdS: number;
  readonly id: string;
}

/** A key in the database. Without a sort key, the second text is empty. */
export interface StoredKey {
  readonly pk: string;
  readonly sk: string;
}

export function schemaOf(
  elements: readonly KeyElement[],
  definitions: readonly AttributeDefinition[],
): KeySchema {
  const hash = elements.find(({ KeyType }) => KeyType === "HASH");
  if (hash === undefined)
    throw invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  return {
    hash: hash.AttributeName,
    range: elements.find(({ KeyType }) => KeyType === "RANGE")?.AttributeName,
    types: Object.fromEntries(
      definitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]),
    ),
  };
}

export const keyNames = ({ hash, range }: KeySchema): string[] =>
  range === undefined ? [hash] : [hash, range];

export function indexOf(table: Omit<Table, "indexes">, definition: IndexDefinition): Index {
  const schema = schemaOf(definition.KeySchema, table.definitions);
  const { ProjectionType = "ALL", NonKeyAttributes = [] } = definition.Projection;
  const kept = [...keyNames(table), ...keyNames(schema), ...NonKeyAttributes];
  return { ...schema, definition, projected: ProjectionType === "ALL" ? undefined : new Set(kept) };
}

/** Returns the attributes of an item that an index has. */
export const project = (item: Item, { projected }: Index): Item =>
  projected === undefined
    ? item
    : Object.fromEntries(Object.entries(item).filter(([name]) => projected.has(name)));

const isEmpty = ({ S, B }: Attribute): boolean => S === "" || B === "";

/** Returns the key of an item that is being written. @throws DynamoDbError if it lacks its key, or has another type there. */
export function keyOfItem(item: Item, table: Table, limits: Limits): StoredKey {
  for (const name of keyNames(table)) {
    const attribute = item[name];
    if (attribute === undefined)
      throw invalid(`One or more parameter values were invalid: Missing the key ${name} in the item`);
    if (typeOf(attribute) !== table.types[name])
      throw invalid(
        `One or more parameter values were invalid: Type mismatch for key ${name} expected: ${table.types[name]} actual: ${typeOf(attribute)}`,
      );
    if (isEmpty(attribute))
      throw invalid(
        `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${attribute.S === "" ? "string" : "binary"} value. Key: ${name}`,
      );
  }
  for (const index of table.indexes.values()) {
    for (const name of keyNames(index)) {
      const attribute = item[name];
      if (attribute === undefined) continue;
      if (typeOf(attribute) !== index.types[name])
        throw invalid(
          `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${index.types[name]} Actual: ${typeOf(attribute)} IndexName: ${index.definition.IndexName}`,
        );
      if (isEmpty(attribute))
        throw invalid(
          `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${attribute.S === "" ? "string" : "binary"} value. IndexName: ${index.definition.IndexName}, IndexKey: ${name}`,
        );
    }
  }
  checkKeySizes(item, table, limits);
  return storedKey(item, table)!;
}

function checkKeySizes(item: Item, { hash, range }: Table, limits: Limits): void {
  const size = (name: string): number => sizeOfAttribute(item[name]!);
  if (size(hash) > limits.partitionKeyBytes)
    throw invalid(
      `One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of ${limits.partitionKeyBytes} bytes`,
    );
  if (range !== undefined && size(range) > limits.sortKeyBytes)
    throw invalid(
      `One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of ${limits.sortKeyBytes} bytes`,
    );
}

/** Returns the key in the `Key` of a request. @throws DynamoDbError if it is not exactly a key of the table. */
export function keyOfRequest(key: Item, table: Table, limits: Limits): StoredKey {
  const names = keyNames(table);
  const fits =
    Object.keys(key).length === names.length &&
    names.every((name) => key[name] !== undefined && typeOf(key[name]) === table.types[name]);
  if (!fits) throw invalid("The provided key element does not match the schema");
  const empty = names.find((name) => isEmpty(key[name]!));
  if (empty !== undefined)
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${key[empty]!.S === "" ? "string" : "binary"} value. Key: ${empty}`,
    );
  checkKeySizes(key, table, limits);
  return storedKey(key, table)!;
}

/** @returns undefined if the item lacks an attribute of the key: a secondary index leaves it out. */
export function storedKey(item: Item, { hash, range }: KeySchema): StoredKey | undefined {
  const partition = item[hash];
  const sort = range === undefined ? undefined : item[range];
  if (partition === undefined || (range !== undefined && sort === undefined)) return undefined;
  return { pk: keyText(partition), sk: sort === undefined ? "" : keyText(sort) };
}

export const pickKey = (item: Item, schema: KeySchema): Item =>
  Object.fromEntries(keyNames(schema).map((name) => [name, item[name]!]));
