/** Calls a local server that accepts any request. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withoutLog } from "../../../../functions/shared/store/base/without-log.ts";

let server: Server;
beforeAll(async () => {
  server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/x-amz-json-1.0", connection: "close" });
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** @returns how often a client calls its logger. */
async function linesOf(change: (client: DynamoDBClient) => DynamoDBClient): Promise<number> {
  let lines = 0;
  const info = () => {
    lines += 1;
  };
  const client = change(
    new DynamoDBClient({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: "us-east-1",
      credentials: { accessKeyId: "a", secretAccessKey: "b" },
      logger: { debug: () => {}, info, warn: () => {}, error: () => {} },
    }),
  );
  await client.send(new GetItemCommand({ TableName: "t", Key: { pk: { S: "a" } } }));
  client.destroy();
  return lines;
}

test("a client prepares a line for each call, and none without its log", async () => {
  expect(await linesOf((client) => client)).toBe(1);
  expect(await linesOf(withoutLog)).toBe(0);
});
