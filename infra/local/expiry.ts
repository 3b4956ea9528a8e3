/**
 * Deletes items whose time to live is over, and objects that a lifecycle rule expires. DynamoDB and S3 do that themselves, the embedded
 * stores do not.
 */
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  type KeySchemaElement,
  paginateScan,
  type TimeToLiveSpecification,
} from "@aws-sdk/client-dynamodb";
import { DeleteObjectCommand, type LifecycleRule, paginateListObjectsV2, S3Client } from "@aws-sdk/client-s3";
import type { ClientSettings } from "./provision.ts";
import type { StoreDefinition } from "./template/stores.ts";

const EVERY_MS = 600_000;
const DAY_MS = 86_400_000;

/** @returns a function that stops the deletions. */
export function startExpiry(
  { dynamodb, s3 }: { readonly dynamodb: ClientSettings; readonly s3: ClientSettings },
  {
    tables,
    buckets,
  }: { readonly tables: readonly StoreDefinition[]; readonly buckets: readonly StoreDefinition[] },
): () => void {
  const timer = setInterval(() => {
    // The next round repeats what failed.
    expireItems(dynamodb, tables).catch(() => {});
    expireObjects(s3, buckets).catch(() => {});
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}

interface LifecycleProperties {
  readonly LifecycleConfiguration?: {
    readonly Rules: readonly (Pick<LifecycleRule, "Prefix" | "Status"> & {
      readonly ExpirationInDays?: number;
    })[];
  };
}

/** Applies the rules that expire the objects of a prefix; the embedded S3 has no versions and removes abandoned uploads. */
export async function expireObjects(
  { endpoint, region, credentials }: ClientSettings,
  buckets: readonly StoreDefinition[],
  nowMs = Date.now(),
): Promise<void> {
  const client = new S3Client({ endpoint, region, credentials: { ...credentials }, forcePathStyle: true });
  try {
    for (const { name: Bucket, properties } of buckets) {
      const { Rules = [] } = (properties as LifecycleProperties).LifecycleConfiguration ?? {};
      for (const { Prefix, Status, ExpirationInDays } of Rules) {
        if (Status !== "Enabled" || Prefix === undefined || ExpirationInDays === undefined) continue;
        const untilMs = nowMs - ExpirationInDays * DAY_MS;
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
          for (const { Key, LastModified } of Contents)
            if (LastModified!.getTime() < untilMs)
              await client.send(new DeleteObjectCommand({ Bucket, Key }));
        }
      }
    }
  } finally {
    client.destroy();
  }
}

export async function expireItems(
  { endpoint, region, credentials }: ClientSettings,
  tables: readonly StoreDefinition[],
  nowS = Math.floor(Date.now() / 1000),
): Promise<void> {
  const client = new DynamoDBClient({ endpoint, region, credentials: { ...credentials } });
  try {
    for (const { name: TableName, properties } of tables) {
      const ttl = properties.TimeToLiveSpecification as TimeToLiveSpecification | undefined;
      if (!ttl?.Enabled) continue;
      const keys = (properties.KeySchema as KeySchemaElement[]).map(({ AttributeName }) => AttributeName!);
      const isOver = {
        ExpressionAttributeNames: { "#ttl": ttl.AttributeName! },
        ExpressionAttributeValues: { ":now": { N: String(nowS) } },
      };
      const expired = paginateScan({ client }, { TableName, FilterExpression: "#ttl < :now", ...isOver });
      for await (const { Items = [] } of expired) {
        for (const item of Items) {
          const Key = Object.fromEntries(keys.map((name) => [name, item[name]!]));
          await remove(client, { TableName, Key, ConditionExpression: "#ttl < :now", ...isOver });
        }
      }
    }
  } finally {
    client.destroy();
  }
}

interface Deletion {
  readonly TableName: string;
  readonly Key: Record<string, AttributeValue>;
  readonly ConditionExpression: string;
}

/** A request may have replaced the item since the scan. */
async function remove(client: DynamoDBClient, deletion: Deletion): Promise<void> {
  try {
    await client.send(new DeleteItemCommand(deletion));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
