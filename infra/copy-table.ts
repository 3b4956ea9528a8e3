/**
 * `npx node infra/copy-table.ts FROM TO`: makes the table TO an exact copy of FROM, to restore the state of a point in
 * time: docs/operations.md, "Restore". The SDK's environment variables set the region, credentials and endpoint.
 */
import { pathToFileURL } from "node:url";
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  paginateScan,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";

type Item = Record<string, AttributeValue>;

const BATCH_SIZE = 25;

export interface Copied {
  readonly written: number;
  readonly deleted: number;
}

/** An interrupted copy can be repeated. No other process may write to the tables meanwhile. */
export async function copyTable(client: DynamoDBClient, from: string, to: string): Promise<Copied> {
  const kept = new Set<string>();
  let written = 0;
  for await (const items of pages(client, from)) {
    for (const item of items) kept.add(keyOf(item));
    await write(
      client,
      to,
      items.map((Item) => ({ PutRequest: { Item } })),
    );
    written += items.length;
  }
  let deleted = 0;
  for await (const items of pages(client, to)) {
    const surplus = items.filter((item) => !kept.has(keyOf(item)));
    const requests = surplus.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk: pk!, sk: sk! } } }));
    await write(client, to, requests);
    deleted += surplus.length;
  }
  return { written, deleted };
}

const keyOf = ({ pk, sk }: Item): string => JSON.stringify([pk?.S, sk?.S]);

async function* pages(client: DynamoDBClient, TableName: string): AsyncGenerator<Item[]> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    yield Items;
}

async function write(client: DynamoDBClient, table: string, requests: WriteRequest[]): Promise<void> {
  for (let start = 0; start < requests.length; start += BATCH_SIZE) {
    let left = requests.slice(start, start + BATCH_SIZE);
    while (left.length > 0) {
      const command = new BatchWriteItemCommand({ RequestItems: { [table]: left } });
      left = (await client.send(command)).UnprocessedItems?.[table] ?? [];
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [from, to] = process.argv.slice(2);
  if (!from || !to) {
    console.error("usage: npx node infra/copy-table.ts FROM TO");
    process.exit(2);
  }
  try {
    const { written, deleted } = await copyTable(new DynamoDBClient({ maxAttempts: 10 }), from, to);
    console.log(`${to} holds the ${written} items of ${from}; ${deleted} others were deleted`);
  } catch (error) {
    const { name, message, code } = error as Error & { code?: string };
    console.error(`${from} could not be copied to ${to}: ${name === "Error" ? code : name}: ${message}`);
    console.error("It can be repeated.");
    process.exit(1);
  }
}
