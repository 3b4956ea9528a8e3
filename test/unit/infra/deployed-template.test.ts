/** The template of a deployed stack, read from a stand-in of CloudFormation. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { deployedTemplate } from "../../../infra/deploy/deployed-template.ts";

type Reply = readonly [status: number, body: string];

let described: Reply;
let asked: string[] = [];
const TEMPLATE = { Metadata: { Wirelab: { settings: { auth: "iam" } } } };

const server = createServer(async (request, response) => {
  const action = new URLSearchParams(await text(request)).get("Action")!;
  asked.push(action);
  const [status, body] =
    action === "DescribeStacks"
      ? described
      : [
          200,
          `<GetTemplateResponse><GetTemplateResult><TemplateBody>${JSON.stringify(TEMPLATE)}</TemplateBody></GetTemplateResult></GetTemplateResponse>`,
        ];
  response.writeHead(status, { "content-type": "text/xml" }).end(body);
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
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

const inState = (status: string): Reply => [
  200,
  `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>Lab</StackName><StackStatus>${status}</StackStatus></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
];
const refusal = (code: string, message: string): Reply => [
  400,
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
];

test.each(["CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"])(
  "is that of a stack in the state %s",
  async (state) => {
    described = inState(state);
    expect(await deployedTemplate("Lab")).toEqual(TEMPLATE);
  },
);

test.each(["REVIEW_IN_PROGRESS", "ROLLBACK_COMPLETE", "CREATE_FAILED", "DELETE_COMPLETE"])(
  "is none in the state %s, in which nothing was deployed",
  async (state) => {
    described = inState(state);
    asked = [];
    expect(await deployedTemplate("Lab")).toBeUndefined();
    expect(asked).toEqual(["DescribeStacks"]);
  },
);

test("is none before the first deployment", async () => {
  described = refusal("ValidationError", "Stack with id Lab does not exist");
  expect(await deployedTemplate("Lab")).toBeUndefined();
});

test("is an error when the caller may not read it", async () => {
  described = refusal("AccessDenied", "User is not authorized to perform cloudformation:DescribeStacks");
  await expect(deployedTemplate("Lab")).rejects.toThrow("not authorized");
});
