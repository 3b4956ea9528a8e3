import { DynamoDBClient, PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedServer, startDynoxide } from "../../../../infra/local/dynoxide.ts";
import { expireItems } from "../../../../infra/local/expiry.ts";
import { provisionTables } from "../../../../infra/local/provision.ts";
import { EMBEDDED_CREDENTIALS } from "../../../../infra/local/s3.ts";
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
  server = await startDynoxide("127.0.0.1", undefined, () => {});
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
