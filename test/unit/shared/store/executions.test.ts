/** Executions of sweeps, with a server that responds like Step Functions. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

type Executions = typeof import("../../../../functions/shared/store/base/executions.ts");
/** https://docs.aws.amazon.com/step-functions/latest/apireference/API_Operations.html */
type Answer = readonly [status: number, body: object];

const MACHINE = "arn:aws:states:us-east-1:123456789012:stateMachine:sweeps";
const EXECUTION = "arn:aws:states:us-east-1:123456789012:execution:sweeps:one";
const ABSENT: Answer = [400, { __type: "ExecutionDoesNotExist", message: "Execution Does Not Exist" }];
const DENIED: Answer = [400, { __type: "AccessDeniedException", message: "not authorized" }];

let server: Server;
let executions: Executions;
let answer: Answer;
let asked: { readonly action: string; readonly body: Record<string, string> }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const action = String(request.headers["x-amz-target"]).split(".")[1]!;
      asked.push({ action, body: JSON.parse(text) });
      response.writeHead(answer[0], { "content-type": "application/x-amz-json-1.0" });
      response.end(JSON.stringify(answer[1]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SFN: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    SWEEP_MACHINE: MACHINE,
  });
  executions = await import("../../../../functions/shared/store/base/executions.ts");
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
});

test("a sweep is started as an execution of its name", async () => {
  answer = [200, { executionArn: EXECUTION, startDate: 0 }];
  await executions.startExecution("one", { batches: [0, 1] });
  const body = { stateMachineArn: MACHINE, name: "one", input: '{"batches":[0,1]}' };
  expect(asked).toEqual([{ action: "StartExecution", body }]);
});

test.each([
  ["RUNNING", "running"],
  ["PENDING_REDRIVE", "running"],
  ["SUCCEEDED", "finished"],
  ["ABORTED", "cancelled"],
  ["FAILED", "failed"],
  ["TIMED_OUT", "timed-out"],
])("an execution that is %s is %s", async (status, state) => {
  answer = [200, { status }];
  expect(await executions.executionState("one")).toBe(state);
  expect(asked).toEqual([{ action: "DescribeExecution", body: { executionArn: EXECUTION } }]);
});

test("an execution that does not exist is absent, and stopping it changes nothing", async () => {
  answer = ABSENT;
  expect(await executions.executionState("one")).toBe("absent");
  await executions.stopExecution("one");
  expect(asked.map(({ action }) => action)).toEqual(["DescribeExecution", "StopExecution"]);
});

test.each([
  ["a start", () => executions.startExecution("one", {})],
  ["a look at the state", () => executions.executionState("one")],
  ["a stop", () => executions.stopExecution("one")],
])("%s that AWS refuses is a 503", async (_, call) => {
  answer = DENIED;
  await expect(call()).rejects.toMatchObject({ status: 503, code: "store.unavailable" });
});
