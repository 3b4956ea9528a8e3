/** Reads and writes items as the table stores them, past the service. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, paginateQuery } from "@aws-sdk/lib-dynamodb";
import type { Stores } from "./store-checker.ts";

// biome-ignore lint/suspicious/noExplicitAny: items of all entities, as they are stored
export type Item = Record<string, any>;

const clientOf = ({ dynamodbEndpoint: endpoint, region, credentials }: Stores): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));

/** @returns the items of the partition in the order of their sort keys. */
export async function readPartition(stores: Stores, pk: string): Promise<Item[]> {
  const client = clientOf(stores);
  const items: Item[] = [];
  const query = {
    TableName: stores.tableName,
    ConsistentRead: true,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": pk },
  };
  for await (const { Items = [] } of paginateQuery({ client }, query)) items.push(...Items);
  client.destroy();
  return items;
}

/** @param items by their sort keys; undefined deletes an item. */
export async function writeItems(
  stores: Stores,
  pk: string,
  items: Readonly<Record<string, Item | undefined>>,
): Promise<void> {
  const client = clientOf(stores);
  const TableName = stores.tableName;
  for (const [sk, item] of Object.entries(items)) {
    if (item) await client.send(new PutCommand({ TableName, Item: { ...item, pk, sk } }));
    else await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
  }
  client.destroy();
}
