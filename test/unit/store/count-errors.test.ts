/** Against a server of the test's own, which answers what a store in trouble would. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, expect, test } from "vitest";
import { countInto, type Measured } from "../../../functions/api/metrics.ts";
import { countErrors } from "../../../functions/store/count-errors.ts";

let server: Server | undefined;
afterEach(() => new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined))));

/** @returns what is counted when the server gives these answers, one after the other: a status and an error's name. */
async function countsOf(...answers: (readonly [number, string?])[]): Promise<Measured> {
  const left = [...answers];
  server = createServer((_request, response) => {
    const [status, name] = left.shift()!;
    if (status === 0) return response.destroy();
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0", connection: "close" });
    response.end(name ? JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}` }) : "{}");
  });
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  const client = countErrors(
    new DynamoDBClient({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: "us-east-1",
      credentials: { accessKeyId: "a", secretAccessKey: "b" },
      maxAttempts: answers.length,
    }),
    "TableErrors",
  );
  const counts: Measured = {};
  const get = new GetItemCommand({ TableName: "t", Key: { pk: { S: "a" } } });
  await countInto(counts, () => client.send(get)).catch(() => {});
  client.destroy();
  expect(left).toEqual([]);
  return counts;
}

test("an attempt that is served is not counted", async () => {
  expect(await countsOf([200])).toEqual({});
});

test("attempts that were throttled, that broke or that got no answer are, though another succeeds", async () => {
  const counts = await countsOf([400, "ProvisionedThroughputExceededException"], [500], [0], [200]);
  expect(counts).toEqual({ TableErrors: 3 });
});

test("what the store refuses by right is none of its faults", async () => {
  expect(await countsOf([400, "ConditionalCheckFailedException"])).toEqual({});
});
