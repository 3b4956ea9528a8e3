/** Cases of `npm start` only: more concurrent requests than a worker handles, and stores deleted under a running service. */
import { DeleteTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DeleteBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalStack, startLocalStack } from "../../infra/local/local-stack.ts";
import { localStack } from "../helpers/stack/this-stack.ts";

let stack: LocalStack;
beforeAll(async () => {
  stack = await startLocalStack({ inMemory: true, port: 0, quiet: true, synth: localStack().assembly });
});
afterAll(() => stack.stop());

async function send(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${stack.url}/${stack.stage}${path}`, { method, ...(body && { body }) });
  return { status: response.status, text: await response.text() };
}

test("two hundred concurrent creations of projects all succeed", async () => {
  const create = (number: number) => send("POST", "/projects", JSON.stringify({ name: `burst ${number}` }));
  const answers = await Promise.all(Array.from({ length: 200 }, (_, number) => create(number)));
  expect([...new Set(answers.map(({ status }) => status))]).toEqual([201]);
});

test("a deleted bucket or table is named in a 503", async () => {
  const { region, credentials, s3Endpoint, dynamodbEndpoint, bucketName, tableName } = stack;
  const account = { region, credentials: { ...credentials } };
  const s3 = new S3Client({ ...account, endpoint: s3Endpoint, forcePathStyle: true });
  await s3.send(new DeleteBucketCommand({ Bucket: bucketName }));
  const upload = await send("POST", "/symbols/a.svg/raw", '<svg xmlns="http://www.w3.org/2000/svg"/>');
  expect(upload).toEqual({
    status: 503,
    text: expect.stringContaining(`The S3 bucket ${bucketName} does not exist`),
  });

  const dynamodb = new DynamoDBClient({ ...account, endpoint: dynamodbEndpoint });
  await dynamodb.send(new DeleteTableCommand({ TableName: tableName }));
  const list = await send("GET", "/projects");
  expect(list).toEqual({
    status: 503,
    text: expect.stringContaining(`The DynamoDB table ${tableName} does not exist`),
  });
});
