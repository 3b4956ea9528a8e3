/** Operations on tables and their streams. */
import type { Database } from "./database.ts";
import { DynamoDbError, invalid, noTable } from "./dynamodb-error.ts";
import { arnOf, type IteratorType, tableArnOf, tableOfStream } from "./stream-log.ts";
import type { AttributeDefinition, IndexDefinition, KeyElement, Table } from "./table.ts";

interface CreateTable {
  readonly TableName: string;
  readonly KeySchema: readonly KeyElement[];
  readonly AttributeDefinitions: readonly AttributeDefinition[];
  readonly GlobalSecondaryIndexes?: readonly IndexDefinition[];
  readonly LocalSecondaryIndexes?: readonly unknown[];
  readonly StreamSpecification?: StreamSpecification;
}

interface StreamSpecification {
  readonly StreamEnabled: boolean;
  readonly StreamViewType?: string;
}

interface Named {
  readonly TableName: string;
}

const DEFAULT_VIEW = "NEW_AND_OLD_IMAGES";

export function createTable(database: Database, request: CreateTable): object {
  const { TableName, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes = [] } = request;
  if (database.table(TableName) !== undefined)
    throw new DynamoDbError("ResourceInUseException", `Table already exists: ${TableName}`);
  if (request.LocalSecondaryIndexes?.length) throw invalid("Local secondary indexes are not supported here");
  const { StreamEnabled, StreamViewType = DEFAULT_VIEW } = request.StreamSpecification ?? {
    StreamEnabled: false,
  };
  database.create({
    name: TableName,
    keySchema: KeySchema,
    definitions: AttributeDefinitions,
    indexes: GlobalSecondaryIndexes.map(({ IndexName, KeySchema: keys, Projection }) => ({
      IndexName,
      KeySchema: keys,
      Projection,
    })),
    streamView: StreamEnabled ? StreamViewType : undefined,
  });
  return { TableDescription: { ...describe(existing(database, TableName)), TableStatus: "CREATING" } };
}

export const describeTable = (database: Database, { TableName }: Named): object => ({
  Table: describe(existing(database, TableName)),
});

export function deleteTable(database: Database, { TableName }: Named): object {
  const table = existing(database, TableName);
  database.drop(table);
  return { TableDescription: { ...describe(table), TableStatus: "DELETING" } };
}

/** AWS lists up to 100 tables in a response. */
const MOST_TABLES = 100;

export function listTables(
  database: Database,
  request: { readonly ExclusiveStartTableName?: string; readonly Limit?: number },
): object {
  const { ExclusiveStartTableName: start = "", Limit = MOST_TABLES } = request;
  const names = database.tableNames.filter((name) => name > start);
  const TableNames = names.slice(0, Limit);
  return {
    TableNames,
    ...(TableNames.length < names.length && { LastEvaluatedTableName: TableNames.at(-1) }),
  };
}

interface UpdateTable extends Named {
  readonly AttributeDefinitions?: readonly AttributeDefinition[];
  readonly GlobalSecondaryIndexUpdates?: readonly {
    readonly Create?: IndexDefinition;
    readonly Delete?: { readonly IndexName: string };
  }[];
  readonly StreamSpecification?: StreamSpecification;
}

export function updateTable(database: Database, request: UpdateTable): object {
  const table = existing(database, request.TableName);
  if (request.GlobalSecondaryIndexUpdates === undefined && request.StreamSpecification === undefined)
    throw invalid("At least one of GlobalSecondaryIndexUpdates or StreamSpecification is required");
  for (const { Create, Delete } of request.GlobalSecondaryIndexUpdates ?? []) {
    if (Create !== undefined) {
      const { IndexName, KeySchema, Projection } = Create;
      if (table.indexes.has(IndexName)) throw invalid(`Attempting to create an index which already exists`);
      const names = new Set(table.definitions.map(({ AttributeName }) => AttributeName));
      const more = (request.AttributeDefinitions ?? []).filter(
        ({ AttributeName }) => !names.has(AttributeName),
      );
      database.addIndex(table, { IndexName, KeySchema, Projection }, [...table.definitions, ...more]);
    }
    if (Delete !== undefined) {
      const index = table.indexes.get(Delete.IndexName);
      if (index === undefined) throw noTable("Requested resource not found");
      database.removeIndex(table, index);
    }
  }
  const stream = request.StreamSpecification;
  if (stream?.StreamEnabled) {
    if (table.streamView !== undefined)
      throw invalid(`Table already has an enabled stream: TableName: ${table.name}`);
    database.enableStream(table, stream.StreamViewType ?? DEFAULT_VIEW);
  } else if (stream !== undefined) database.disableStream(table);
  return { TableDescription: describe(existing(database, request.TableName)) };
}

interface UpdateTimeToLive extends Named {
  readonly TimeToLiveSpecification: { readonly AttributeName: string; readonly Enabled: boolean };
}

export function updateTimeToLive(database: Database, request: UpdateTimeToLive): object {
  const { AttributeName, Enabled } = request.TimeToLiveSpecification;
  const table = existing(database, request.TableName);
  if (Enabled && table.ttlAttribute !== undefined && table.ttlAttribute !== AttributeName)
    throw invalid("TimeToLive is already enabled on a different AttributeName");
  database.expireBy(table, Enabled ? AttributeName : null);
  return { TimeToLiveSpecification: request.TimeToLiveSpecification };
}

export function describeTimeToLive(database: Database, { TableName }: Named): object {
  const { ttlAttribute } = existing(database, TableName);
  return {
    TimeToLiveDescription:
      ttlAttribute === undefined
        ? { TimeToLiveStatus: "DISABLED" }
        : { TimeToLiveStatus: "ENABLED", AttributeName: ttlAttribute },
  };
}

export const describeStream = (database: Database, { StreamArn }: { readonly StreamArn: string }): object =>
  database.streams.describe(StreamArn, database.table(tableOfStream(StreamArn)));

interface GetShardIterator {
  readonly StreamArn: string;
  readonly ShardIteratorType: IteratorType;
  readonly SequenceNumber?: string;
}

export const getShardIterator = (database: Database, request: GetShardIterator): object =>
  database.streams.iterator(
    existing(database, tableOfStream(request.StreamArn)),
    request.ShardIteratorType,
    request.SequenceNumber,
  );

export const getRecords = (
  database: Database,
  { ShardIterator, Limit }: { readonly ShardIterator: string; readonly Limit?: number },
): object => database.streams.records(ShardIterator, Limit);

function existing(database: Database, name: string): Table {
  const table = database.table(name);
  if (table === undefined) throw noTable(`Requested resource not found: Table: ${name} not found`);
  return table;
}

const ON_DEMAND = { NumberOfDecreasesToday: 0, ReadCapacityUnits: 0, WriteCapacityUnits: 0 };

function describe(table: Table): object {
  const { name, keySchema, definitions, indexes, streamView, streamLabel, createdS, id } = table;
  return {
    TableName: name,
    TableId: id,
    TableArn: tableArnOf(name),
    TableStatus: "ACTIVE",
    KeySchema: keySchema,
    AttributeDefinitions: definitions,
    CreationDateTime: createdS,
    ItemCount: 0,
    TableSizeBytes: 0,
    BillingModeSummary: { BillingMode: "PAY_PER_REQUEST" },
    TableThroughputModeSummary: { TableThroughputMode: "PAY_PER_REQUEST" },
    ProvisionedThroughput: ON_DEMAND,
    DeletionProtectionEnabled: false,
    ...(indexes.size > 0 && {
      GlobalSecondaryIndexes: [...indexes.values()].map(({ definition }) => ({
        ...definition,
        IndexArn: `${tableArnOf(name)}/index/${definition.IndexName}`,
        IndexStatus: "ACTIVE",
        ItemCount: 0,
        IndexSizeBytes: 0,
        ProvisionedThroughput: ON_DEMAND,
      })),
    }),
    ...(streamView !== undefined && {
      StreamSpecification: { StreamEnabled: true, StreamViewType: streamView },
      LatestStreamArn: arnOf(table),
      LatestStreamLabel: streamLabel,
    }),
  };
}
