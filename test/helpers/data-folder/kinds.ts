/** The kinds of items that the store has, and those that a data folder has. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";

const STORE = fileURLToPath(new URL("../../../functions/shared/store", import.meta.url));

interface Table {
  readonly dynamodbEndpoint: string;
  readonly tableName: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Returns the names of the entities that the store's source declares, in alphabetical order. */
export function declaredKinds(): string[] {
  const files = readdirSync(STORE, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  return files
    .flatMap((name) => [
      ...readFileSync(join(STORE, name), "utf8").matchAll(/new Entity\(\{\s*name: "([^"]+)"/g),
    ])
    .map(([, kind]) => kind!)
    .toSorted();
}

/** Returns all items of a table, as they are stored. */
export async function readItems({
  dynamodbEndpoint,
  tableName,
  region,
  credentials,
}: Table): Promise<Record<string, unknown>[]> {
  const client = new DynamoDBClient({ endpoint: dynamodbEndpoint, region, credentials: { ...credentials } });
  const items: Record<string, unknown>[] = [];
  const scan = { TableName: tableName, ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client: DynamoDBDocumentClient.from(client) }, scan))
    items.push(...Items);
  client.destroy();
  return items;
}

/** How many items a table has of each kind. */
export async function countKinds(table: Table): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { entity } of await readItems(table)) {
    if (typeof entity === "string") counts[entity] = (counts[entity] ?? 0) + 1;
  }
  return counts;
}
