/** Restoring an earlier state of the table, as docs/operations.md describes. */
import { spawnSync } from "node:child_process";
import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  paginateScan,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyTable } from "../../infra/copy-table.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

const { dynamodbEndpoint: endpoint, region, credentials } = localStack();
const client = new DynamoDBClient({ endpoint, region, credentials });
const [then, now] = [`then-${process.pid}`, `now-${process.pid}`];

const item = (number: number, text = "x".repeat(20_000)) => ({
  pk: { S: `PROJECT#${number % 3}` },
  sk: { S: `NODE#${number}` },
  text: { S: text },
});

async function contentOf(TableName: string): Promise<string[]> {
  const found: Record<string, AttributeValue>[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) found.push(...Items);
  return found.map(({ pk, sk, text }) => JSON.stringify([pk, sk, text])).toSorted();
}

beforeAll(async () => {
  for (const TableName of [then, now]) {
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
        KeySchema: [
          { AttributeName: "pk", KeyType: "HASH" },
          { AttributeName: "sk", KeyType: "RANGE" },
        ],
      }),
    );
  }
  // More than one page of a scan (1 MB).
  for (let start = 0; start < 80; start += 20) {
    const requests = Array.from({ length: 20 }, (_, index) => ({
      PutRequest: { Item: item(start + index) },
    }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [then]: requests } }));
  }
});

afterAll(() => client.destroy());

test("the copy restores missing and changed items and deletes newer ones", async () => {
  for (const changed of [item(5, "changed"), item(500, "came since"), item(501, "came since")]) {
    await client.send(new PutItemCommand({ TableName: now, Item: changed }));
  }
  expect(await copyTable(client, then, now)).toEqual({ written: 80, deleted: 2 });
  expect(await contentOf(now)).toEqual(await contentOf(then));
});

test("a missing table is reported in one line", () => {
  const script = new URL("../../infra/copy-table.ts", import.meta.url).pathname;
  const { accessKeyId, secretAccessKey } = credentials;
  const { status, stderr } = spawnSync(process.execPath, [script, "not-there", now], {
    encoding: "utf8",
    env: {
      ...process.env,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^not-there could not be copied to .*: ResourceNotFoundException: .*\nIt can be repeated\.\n$/,
  );
});

test("a second copy changes nothing", async () => {
  expect(await copyTable(client, then, now)).toEqual({ written: 80, deleted: 0 });
  expect(await contentOf(now)).toEqual(await contentOf(then));
});
