/** Creates the template's table and buckets where they are not there yet; what is there keeps its data. */
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  type TimeToLiveSpecification,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { CreateBucketCommand, HeadBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { LocalProblem } from "./problem.ts";
import type { StoreDefinition } from "./template.ts";

export interface ClientSettings {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

const TABLE_READY_SECONDS = 60;

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

/** The clients write into the credentials they are given. */
function toConfig({ endpoint, region, credentials }: ClientSettings) {
  return { endpoint, region, credentials: { ...credentials } };
}

async function provisionTable(client: DynamoDBClient, { name, properties }: StoreDefinition): Promise<void> {
  const wanted = toCreateTable(name, properties);
  const present = await describeTable(client, name);
  if (present) {
    const indexes = present.GlobalSecondaryIndexes?.map((index) => index.IndexName) ?? [];
    const missing = wanted.GlobalSecondaryIndexes?.find((index) => !indexes.includes(index.IndexName));
    if (missing) {
      throw new LocalProblem(
        `The stored table ${name} lacks the index ${missing.IndexName} of this version.\n` +
          "Remove the data folder, or choose another one with WIRELAB_DATA.",
      );
    }
    return;
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

/** Backups, deletion protection and encryption are the account's affair, and embedded engines know them not. */
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
