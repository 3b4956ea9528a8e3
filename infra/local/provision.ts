/** Creates the template's tables and buckets that do not exist; existing ones keep their data. */
import { setTimeout as sleep } from "node:timers/promises";
import {
  type CreateGlobalSecondaryIndexAction,
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  type GlobalSecondaryIndexUpdate,
  ResourceNotFoundException,
  type TableDescription,
  type TimeToLiveSpecification,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { CreateBucketCommand, HeadBucketCommand, S3Client } from "@aws-sdk/client-s3";
import type { StoreDefinition } from "./template/stores.ts";

export interface ClientSettings {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

const TABLE_READY_SECONDS = 60;
const POLL_MS = 50;

export async function provisionTables(
  settings: ClientSettings,
  tables: readonly StoreDefinition[],
): Promise<void> {
  const client = new DynamoDBClient(toConfig(settings));
  try {
    for (const table of tables) await provisionTable(client, table);
  } finally {
    client.destroy();
  }
}

/** Copies the credentials, because SDK clients modify the object. */
function toConfig({ endpoint, region, credentials }: ClientSettings) {
  return { endpoint, region, credentials: { ...credentials } };
}

async function provisionTable(client: DynamoDBClient, { name, properties }: StoreDefinition): Promise<void> {
  const wanted = toCreateTable(name, properties);
  const present = await describeTable(client, name);
  if (present) {
    await updateIndexes(client, present, wanted);
    return enableStream(client, present, wanted);
  }
  await client.send(new CreateTableCommand(wanted));
  await waitUntilTableExists(
    { client, maxWaitTime: TABLE_READY_SECONDS, minDelay: 0.05, maxDelay: 1 },
    { TableName: name },
  );
  const ttl = properties.TimeToLiveSpecification as TimeToLiveSpecification | undefined;
  if (ttl?.Enabled) {
    await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification: ttl }));
  }
}

/**
 * Creates and deletes indexes of an existing table as in the template. DynamoDB creates or deletes one index at a time, and
 * fills a new index itself.
 */
async function updateIndexes(
  client: DynamoDBClient,
  present: TableDescription,
  { TableName, AttributeDefinitions, GlobalSecondaryIndexes = [] }: CreateTableCommandInput,
): Promise<void> {
  const stored = present.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName) ?? [];
  const wanted = GlobalSecondaryIndexes.map(({ IndexName }) => IndexName);
  const updates: GlobalSecondaryIndexUpdate[] = [
    ...GlobalSecondaryIndexes.filter(({ IndexName }) => !stored.includes(IndexName)).map((Create) => ({
      Create: Create as CreateGlobalSecondaryIndexAction,
    })),
    ...stored
      .filter((IndexName) => !wanted.includes(IndexName))
      .map((IndexName) => ({ Delete: { IndexName } })),
  ];
  for (const update of updates) {
    const GlobalSecondaryIndexUpdates = [update];
    await client.send(
      new UpdateTableCommand({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates }),
    );
    while (isChanging(await describeTable(client, TableName!))) await sleep(POLL_MS);
  }
}

/** Gives a table of an earlier release its stream. An update of an enabled stream would replace it by a new one. */
async function enableStream(
  client: DynamoDBClient,
  present: TableDescription,
  { TableName, StreamSpecification }: CreateTableCommandInput,
): Promise<void> {
  if (StreamSpecification === undefined || present.StreamSpecification?.StreamEnabled) return;
  await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
  while (isChanging(await describeTable(client, TableName!))) await sleep(POLL_MS);
}

const isChanging = (table: TableDescription | undefined): boolean =>
  table?.TableStatus !== "ACTIVE" ||
  (table.GlobalSecondaryIndexes ?? []).some(({ IndexStatus }) => IndexStatus !== "ACTIVE");

/** Omits backups, deletion protection and encryption, which the embedded engines do not support. */
function toCreateTable(name: string, properties: StoreDefinition["properties"]): CreateTableCommandInput {
  const table = properties as unknown as CreateTableCommandInput;
  return {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: table.KeySchema,
    AttributeDefinitions: table.AttributeDefinitions,
    GlobalSecondaryIndexes: table.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
      IndexName,
      KeySchema,
      Projection,
    })),
    LocalSecondaryIndexes: table.LocalSecondaryIndexes,
    ...(table.StreamSpecification && {
      StreamSpecification: { ...table.StreamSpecification, StreamEnabled: true },
    }),
  };
}

async function describeTable(client: DynamoDBClient, name: string) {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

export async function provisionBuckets(
  settings: ClientSettings,
  buckets: readonly StoreDefinition[],
): Promise<void> {
  const client = new S3Client({ ...toConfig(settings), forcePathStyle: true });
  try {
    for (const { name: Bucket } of buckets) {
      if (!(await bucketExists(client, Bucket))) await client.send(new CreateBucketCommand({ Bucket }));
    }
  } finally {
    client.destroy();
  }
}

async function bucketExists(client: S3Client, Bucket: string): Promise<boolean> {
  try {
    await client.send(new HeadBucketCommand({ Bucket }));
    return true;
  } catch (error) {
    if ((error as { name?: string }).name === "NotFound") return false;
    throw error;
  }
}
