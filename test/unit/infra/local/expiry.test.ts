import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient, PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDynamoDb } from "../../../../infra/local/dynamodb/start.ts";
import type { EmbeddedServer } from "../../../../infra/local/embedded-server.ts";
import { expireItems, expireObjects } from "../../../../infra/local/expiry.ts";
import { provisionBuckets, provisionTables } from "../../../../infra/local/provision.ts";
import { startS3 } from "../../../../infra/local/s3/s3.ts";
import { EMBEDDED_CREDENTIALS } from "../../../../infra/local/s3/s3-request.ts";
import { TABLE } from "./assembly.ts";

const TableName = "wirelab-test";
const tables = [
  {
    name: TableName,
    properties: {
      ...TABLE.Properties,
      TimeToLiveSpecification: { AttributeName: "expires_s", Enabled: true },
    },
  },
];
let server: EmbeddedServer;
beforeAll(async () => {
  server = await startDynamoDb("127.0.0.1", undefined, () => {});
});
afterAll(() => server.stop());

test("items are deleted when their time to live is over, and others stay", async () => {
  const settings = { endpoint: server.endpoint, region: "us-east-1", credentials: EMBEDDED_CREDENTIALS };
  await provisionTables(settings, tables);
  const client = new DynamoDBClient({ ...settings, credentials: { ...EMBEDDED_CREDENTIALS } });
  const put = (sk: string, expiresS?: number) =>
    client.send(
      new PutItemCommand({
        TableName,
        Item: {
          pk: { S: "pk" },
          sk: { S: sk },
          ...(expiresS !== undefined && { expires_s: { N: String(expiresS) } }),
        },
      }),
    );
  await Promise.all([put("over", 999), put("now", 1_000), put("later", 1_001), put("never")]);

  await expireItems(settings, tables, 1_000);

  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  expect(Items.map(({ sk }) => sk!.S).toSorted()).toEqual(["later", "never", "now"]);
  client.destroy();
});

test("objects are deleted when the rule of their prefix expires them, and others stay", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-expiry-"));
  const s3 = await startS3("127.0.0.1", folder);
  const settings = { endpoint: s3.endpoint, region: "us-east-1", credentials: EMBEDDED_CREDENTIALS };
  const Bucket = "wirelab-test";
  const Rules = [
    { Status: "Enabled", Prefix: "labs/", ExpirationInDays: 1 },
    { Status: "Enabled", AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } },
  ];
  const buckets = [{ name: Bucket, properties: { LifecycleConfiguration: { Rules } } }];
  await provisionBuckets(settings, buckets);
  const client = new S3Client({
    ...settings,
    credentials: { ...EMBEDDED_CREDENTIALS },
    forcePathStyle: true,
  });
  for (const Key of ["labs/a", "labsOf", "segments/a"])
    await client.send(new PutObjectCommand({ Bucket, Key, Body: "x" }));
  const keys = async () =>
    (await client.send(new ListObjectsV2Command({ Bucket }))).Contents?.map(({ Key }) => Key);
  const nowMs = Date.now();

  await expireObjects(settings, buckets, nowMs + 80_000_000);
  expect(await keys()).toHaveLength(3);
  await expireObjects(settings, buckets, nowMs + 87_000_000);
  expect(await keys()).toEqual(["labsOf", "segments/a"]);

  client.destroy();
  await s3.stop();
  rmSync(folder, { recursive: true });
});
