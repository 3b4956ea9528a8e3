/**
 * The tables in SQLite. The layout is the layout of Dynoxide, which earlier releases used: `_tables` describes the tables, each table and each
 * index is a table of SQLite, and `_stream_records` has the changes.
 */
import { randomUUID } from "node:crypto";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { type Item, sizeOfItem } from "./attribute.ts";
import { isSame } from "./expressions/update.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { type Range, rangeSql, type StartAfter } from "./range.ts";
import { integerOf, optionalText, type SqlRow, textOf } from "./sql-row.ts";
import { StreamLog } from "./stream-log.ts";
import {
  type AttributeDefinition,
  type Index,
  type IndexDefinition,
  indexOf,
  type KeyElement,
  project,
  type StoredKey,
  schemaOf,
  storedKey,
  type Table,
} from "./table.ts";

/** The number of this layout in Dynoxide 1.2. */
const LAYOUT = "9";
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS _config (key TEXT PRIMARY KEY, value TEXT NOT NULL);
  INSERT OR IGNORE INTO _config VALUES ('schema_version', '${LAYOUT}');
  CREATE TABLE IF NOT EXISTS _tables (
    table_name TEXT PRIMARY KEY, key_schema TEXT NOT NULL, attribute_definitions TEXT NOT NULL, gsi_definitions TEXT, lsi_definitions TEXT,
    stream_enabled INTEGER DEFAULT 0, stream_view_type TEXT, stream_label TEXT, ttl_attribute TEXT, ttl_enabled INTEGER DEFAULT 0,
    created_at INTEGER NOT NULL, table_status TEXT NOT NULL DEFAULT 'ACTIVE', billing_mode TEXT DEFAULT 'PAY_PER_REQUEST',
    provisioned_throughput TEXT, tags TEXT, sse_specification TEXT, table_class TEXT, deletion_protection_enabled INTEGER DEFAULT 0,
    on_demand_throughput TEXT, table_id TEXT, vector_index_definitions TEXT);
  CREATE TABLE IF NOT EXISTS _stream_records (
    id INTEGER PRIMARY KEY AUTOINCREMENT, table_name TEXT NOT NULL, event_name TEXT NOT NULL, keys_json TEXT NOT NULL, new_image TEXT,
    old_image TEXT, sequence_number TEXT NOT NULL, shard_id TEXT NOT NULL, created_at INTEGER NOT NULL, user_identity TEXT);
  CREATE INDEX IF NOT EXISTS _stream_numbers ON _stream_records (table_name, CAST(sequence_number AS INTEGER));`;

/** How long a write waits for another process that writes. */
const BUSY_MS = 5_000;

export interface Row {
  readonly item: Item;
  readonly size: number;
}

export interface NewTable {
  readonly name: string;
  readonly keySchema: readonly KeyElement[];
  readonly definitions: readonly AttributeDefinition[];
  readonly indexes: readonly IndexDefinition[];
  readonly streamView: string | undefined;
}

export class Database {
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #tables = new Map<string, Table>();
  #undos: (() => void)[] = [];
  readonly streams: StreamLog;
  readonly limits: Limits;

  /** @param file undefined for a database in memory. */
  constructor(file: string | undefined, limits: Limits = LIMITS) {
    this.limits = limits;
    this.#sqlite = new DatabaseSync(file ?? ":memory:", { timeout: BUSY_MS });
    this.#sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    this.#sqlite.exec(SCHEMA);
    this.#checkLayout();
    this.streams = new StreamLog((sql) => this.#prepare(sql));
    this.reload();
  }

  /** @throws Error for the database of another release, whose tables have other columns. */
  #checkLayout(): void {
    const row = this.#prepare("SELECT value FROM _config WHERE key = 'schema_version'").get();
    const layout = row && textOf(row, "value");
    if (layout !== LAYOUT)
      throw new Error(
        `the layout of its tables is ${layout}, and this release reads ${LAYOUT}: start the release that wrote it`,
      );
    const local = this.#prepare(
      "SELECT table_name FROM _tables WHERE coalesce(lsi_definitions, '[]') NOT IN ('[]', 'null')",
    ).get();
    if (local !== undefined)
      throw new Error(
        `its table ${textOf(local, "table_name")} has local secondary indexes, which are not supported here`,
      );
  }

  close(): void {
    this.#sqlite.close();
  }

  /** Reads the descriptions of the tables again, after changes that were undone. */
  reload(): void {
    this.#tables.clear();
    this.streams.forget();
    for (const row of this.#prepare("SELECT * FROM _tables").all()) {
      const table = tableOf(row);
      this.#tables.set(table.name, table);
    }
  }

  /** Runs the changes in one transaction of SQLite: all of them are durable when it returns, or none is made. */
  commit(change: () => void): void {
    this.#sqlite.exec("BEGIN IMMEDIATE");
    this.#undos = [];
    try {
      change();
      this.#sqlite.exec("COMMIT");
    } catch (error) {
      if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
      for (const undo of this.#undos) undo();
      this.reload();
      throw error;
    }
  }

  /** Calls the function if the transaction that runs is undone as a whole. */
  onRollback(undo: () => void): void {
    this.#undos.push(undo);
  }

  /** Runs changes of a transaction that are undone alone when `change` throws. */
  attempt<Result>(change: () => Result): Result {
    this.#sqlite.exec("SAVEPOINT attempt");
    try {
      const result = change();
      this.#sqlite.exec("RELEASE attempt");
      return result;
    } catch (error) {
      this.#sqlite.exec("ROLLBACK TO attempt; RELEASE attempt");
      this.reload();
      throw error;
    }
  }

  table(name: string): Table | undefined {
    return this.#tables.get(name);
  }

  get tableNames(): string[] {
    return [...this.#tables.keys()].sort();
  }

  get({ name }: Table, { pk, sk }: StoredKey): Item | undefined {
    const row = this.#prepare(`SELECT item_json FROM ${quote(name)} WHERE pk = ? AND sk = ?`).get(pk, sk);
    return row === undefined ? undefined : JSON.parse(textOf(row, "item_json"));
  }

  /** @param before the item that has the key now. */
  put(table: Table, key: StoredKey, item: Item, before: Item | undefined): void {
    if (isSame(item, before)) return;
    this.#prepare(
      `INSERT OR REPLACE INTO ${quote(table.name)} (pk, sk, item_json, item_size) VALUES (?, ?, ?, ?)`,
    ).run(key.pk, key.sk, JSON.stringify(item), sizeOfItem(item));
    for (const index of table.indexes.values()) this.#updateIndex(table, index, key, item, before);
    this.streams.append(table, item, before);
  }

  delete(table: Table, { pk, sk }: StoredKey, before: Item | undefined): void {
    if (before === undefined) return;
    this.#prepare(`DELETE FROM ${quote(table.name)} WHERE pk = ? AND sk = ?`).run(pk, sk);
    for (const index of table.indexes.values())
      this.#updateIndex(table, index, { pk, sk }, undefined, before);
    this.streams.append(table, undefined, before);
  }

  #updateIndex(
    table: Table,
    index: Index,
    { pk, sk }: StoredKey,
    item: Item | undefined,
    before: Item | undefined,
  ) {
    const name = quote(indexTable(table, index));
    const old = before && storedKey(before, index);
    const now = item && storedKey(item, index);
    if (old && (old.pk !== now?.pk || old.sk !== now.sk)) {
      this.#prepare(
        `DELETE FROM ${name} WHERE gsi_pk = ? AND gsi_sk = ? AND table_pk = ? AND table_sk = ?`,
      ).run(old.pk, old.sk, pk, sk);
    }
    if (item === undefined || now === undefined) return;
    this.#prepare(
      `INSERT OR REPLACE INTO ${name} (gsi_pk, gsi_sk, table_pk, table_sk, item_json) VALUES (?, ?, ?, ?, ?)`,
    ).run(now.pk, now.sk, pk, sk, JSON.stringify(project(item, index)));
  }

  /** Yields the items of a partition, or of all partitions, in the order of their keys. */
  *rows(
    table: Table,
    index: Index | undefined,
    range: Range | undefined,
    after: StartAfter | undefined,
    isForward: boolean,
  ): Generator<Row> {
    const from = index === undefined ? table.name : indexTable(table, index);
    const { where, values } = rangeSql(index !== undefined, range, after, isForward);
    const columns = index === undefined ? ["pk", "sk"] : ["gsi_pk", "gsi_sk", "table_pk", "table_sk"];
    const order = columns.map((column) => `${column} ${isForward ? "ASC" : "DESC"}`).join(", ");
    const sql = `SELECT * FROM ${quote(from)} ${where} ORDER BY ${order}`;
    // A statement of its own: the caller may ask for others while it reads.
    for (const row of this.#sqlite.prepare(sql).iterate(...values)) {
      const item: Item = JSON.parse(textOf(row, "item_json"));
      yield { item, size: index === undefined ? integerOf(row, "item_size") : sizeOfItem(item) };
    }
  }

  create({ name, keySchema, definitions, indexes, streamView }: NewTable): void {
    const label = streamView === undefined ? null : labelNow();
    this.#prepare(
      `INSERT INTO _tables (table_name, key_schema, attribute_definitions, gsi_definitions, stream_enabled, stream_view_type,
         stream_label, created_at, table_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      name,
      JSON.stringify(keySchema),
      JSON.stringify(definitions),
      JSON.stringify(indexes),
      streamView === undefined ? 0 : 1,
      streamView ?? null,
      label,
      Math.floor(Date.now() / 1000),
      randomUUID(),
    );
    this.#sqlite.exec(
      `CREATE TABLE ${quote(name)} (pk TEXT NOT NULL, sk TEXT NOT NULL DEFAULT '', item_json TEXT NOT NULL, item_size INTEGER NOT NULL,
         cached_at REAL, hash_prefix TEXT NOT NULL DEFAULT '', PRIMARY KEY (pk, sk))`,
    );
    this.reload();
    const table = this.#tables.get(name)!;
    for (const index of table.indexes.values()) this.#makeIndex(table, index);
  }

  drop(table: Table): void {
    for (const index of table.indexes.values()) this.#drop(indexTable(table, index));
    this.#drop(table.name);
    this.#prepare("DELETE FROM _tables WHERE table_name = ?").run(table.name);
    this.#prepare("DELETE FROM _stream_records WHERE table_name = ?").run(table.name);
    this.reload();
  }

  #drop(name: string): void {
    this.#statements.clear();
    this.#sqlite.exec(`DROP TABLE ${quote(name)}`);
  }

  /** Creates an index with the items that the table has. */
  addIndex(table: Table, definition: IndexDefinition, definitions: readonly AttributeDefinition[]): void {
    const all = [...table.indexes.values()].map((index) => index.definition).concat(definition);
    this.#describe(table, {
      gsi_definitions: JSON.stringify(all),
      attribute_definitions: JSON.stringify(definitions),
    });
    const changed = this.#tables.get(table.name)!;
    const index = changed.indexes.get(definition.IndexName)!;
    this.#makeIndex(changed, index);
    for (const { item } of this.rows(changed, undefined, undefined, undefined, true))
      this.#updateIndex(changed, index, storedKey(item, changed)!, item, undefined);
  }

  removeIndex(table: Table, index: Index): void {
    const left = [...table.indexes.values()]
      .filter((each) => each !== index)
      .map(({ definition }) => definition);
    const used = new Set(
      [table, ...left.map((definition) => indexOf(table, definition))].flatMap(({ hash, range }) => [
        hash,
        range,
      ]),
    );
    const definitions = table.definitions.filter(({ AttributeName }) => used.has(AttributeName));
    this.#drop(indexTable(table, index));
    this.#describe(table, {
      gsi_definitions: JSON.stringify(left),
      attribute_definitions: JSON.stringify(definitions),
    });
  }

  enableStream(table: Table, view: string): void {
    this.#describe(table, { stream_enabled: 1, stream_view_type: view, stream_label: labelNow() });
  }

  disableStream(table: Table): void {
    this.#describe(table, { stream_enabled: 0 });
  }

  expireBy(table: Table, attribute: string | null): void {
    this.#describe(table, { ttl_attribute: attribute, ttl_enabled: attribute === null ? 0 : 1 });
  }

  #makeIndex(table: Table, index: Index): void {
    const name = indexTable(table, index);
    this.#sqlite.exec(
      `CREATE TABLE ${quote(name)} (gsi_pk TEXT NOT NULL, gsi_sk TEXT NOT NULL DEFAULT '', table_pk TEXT NOT NULL,
         table_sk TEXT NOT NULL DEFAULT '', item_json TEXT NOT NULL, PRIMARY KEY (gsi_pk, gsi_sk, table_pk, table_sk));
       CREATE INDEX ${quote(`${name}::base_key`)} ON ${quote(name)} (table_pk, table_sk)`,
    );
  }

  #describe({ name }: Table, columns: Readonly<Record<string, SQLInputValue>>): void {
    const set = Object.keys(columns).map((column) => `${column} = ?`);
    this.#prepare(`UPDATE _tables SET ${set.join(", ")} WHERE table_name = ?`).run(
      ...Object.values(columns),
      name,
    );
    this.reload();
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#sqlite.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** In Dynoxide's form: seconds since 1970. */
const labelNow = (): string => (Date.now() / 1000).toFixed(9);

const indexTable = (table: Table, { definition }: Index): string =>
  `${table.name}::gsi::${definition.IndexName}`;

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function tableOf(row: SqlRow): Table {
  const name = textOf(row, "table_name");
  const definitions: AttributeDefinition[] = JSON.parse(textOf(row, "attribute_definitions"));
  const keySchema: KeyElement[] = JSON.parse(textOf(row, "key_schema"));
  const table = {
    ...schemaOf(keySchema, definitions),
    name,
    keySchema,
    definitions,
    streamView: integerOf(row, "stream_enabled") === 1 ? optionalText(row, "stream_view_type") : undefined,
    streamLabel: optionalText(row, "stream_label"),
    ttlAttribute: integerOf(row, "ttl_enabled") === 1 ? optionalText(row, "ttl_attribute") : undefined,
    createdS: integerOf(row, "created_at"),
    id: optionalText(row, "table_id") ?? name,
  };
  const indexes: IndexDefinition[] = JSON.parse(optionalText(row, "gsi_definitions") ?? "[]");
  return { ...table, indexes: new Map(indexes.map((each) => [each.IndexName, indexOf(table, each)])) };
}
