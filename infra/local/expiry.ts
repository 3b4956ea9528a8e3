/** Deletes items whose time to live is over, which DynamoDB does itself and Dynoxide does not. */
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  type KeySchemaElement,
  paginateScan,
  type TimeToLiveSpecification,
} from "@aws-sdk/client-dynamodb";
import type { ClientSettings } from "./provision.ts";
import type { StoreDefinition } from "./template.ts";

const EVERY_MS = 600_000;

/** @returns a function that stops the deletions. */
export function startExpiry(settings: ClientSettings, tables: readonly StoreDefinition[]): () => void {
  const timer = setInterval(() => {
    // The next round repeats what failed.
    expireItems(settings, tables).catch(() => {});
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
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
