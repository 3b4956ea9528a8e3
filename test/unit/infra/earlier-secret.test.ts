/** The first password of stacks of earlier releases, read from a stand-in of CloudFormation and Secrets Manager. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { firstPasswordIn } from "../../../infra/deploy/earlier-secret.ts";

type Reply = readonly [status: number, body: string];

let resources: Reply;
let secret: Reply;

const server = createServer(async (request, response) => {
  const body = await text(request);
  const isList = body.includes("Action=ListStackResources");
  const [status, reply] = isList ? resources : secret;
  response
    .writeHead(status, { "content-type": isList ? "text/xml" : "application/x-amz-json-1.1" })
    .end(reply);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const variables = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "a",
    AWS_SECRET_ACCESS_KEY: "b",
    AWS_MAX_ATTEMPTS: "1",
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
});
afterEach(() => {
  resources = list();
  secret = [200, "{}"];
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

const list = (...members: readonly (readonly [id: string, status: string])[]): Reply => [
  200,
  `<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries>${members
    .map(
      ([id, status]) =>
        `<member><LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>arn:${id}</PhysicalResourceId><ResourceStatus>${status}</ResourceStatus></member>`,
    )
    .join("")}</StackResourceSummaries></ListStackResourcesResult></ListStackResourcesResponse>`,
];
const refusal = (message: string): Reply => [
  400,
  `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>${message}</Message></Error></ErrorResponse>`,
];

test("is the secret's value", async () => {
  resources = list(["TableState1", "CREATE_COMPLETE"], ["AuthorizerFirstPassword1", "CREATE_COMPLETE"]);
  secret = [200, JSON.stringify({ SecretString: "generated" })];
  expect(await firstPasswordIn("Lab")).toBe("generated");
});

test("is none in a stack without the secret, and where there is no stack yet", async () => {
  resources = list(["AuthorizerFirstPassword1", "DELETE_COMPLETE"]);
  expect(await firstPasswordIn("Lab")).toBeUndefined();
  resources = refusal("Stack with id Lab does not exist");
  expect(await firstPasswordIn("Lab")).toBeUndefined();
});

test("is none when the operator has deleted the secret", async () => {
  resources = list(["AuthorizerFirstPassword1", "CREATE_COMPLETE"]);
  secret = [400, JSON.stringify({ __type: "ResourceNotFoundException", message: "gone" })];
  expect(await firstPasswordIn("Lab")).toBeUndefined();
});

test("stops the deployment when the caller may not read it", async () => {
  resources = list(["AuthorizerFirstPassword1", "CREATE_COMPLETE"]);
  secret = [400, JSON.stringify({ __type: "AccessDeniedException", message: "not allowed" })];
  await expect(firstPasswordIn("Lab")).rejects.toThrow("not allowed");
  resources = refusal("not yours");
  await expect(firstPasswordIn("Lab")).rejects.toThrow("not yours");
});
