/** How the template's mappings of streams, and its asynchronous calls, are read. */
import { expect, test } from "vitest";
import type { CfnResource, CfnResources } from "../../../../infra/local/intrinsics.ts";
import { readAsyncCalls } from "../../../../infra/local/template/async-calls.ts";
import { readStreams } from "../../../../infra/local/template/streams.ts";

const QUEUE = { "Fn::GetAtt": ["Failures", "Arn"] };
const RESOURCES = {
  Table: { Type: "AWS::DynamoDB::Table" },
  Publisher: { Type: "AWS::Lambda::Function" },
  Failures: { Type: "AWS::SQS::Queue" },
};
const mapping = (properties: object = {}): CfnResource => ({
  Type: "AWS::Lambda::EventSourceMapping",
  Properties: {
    FunctionName: { Ref: "Publisher" },
    EventSourceArn: { "Fn::GetAtt": ["Table", "StreamArn"] },
    ...properties,
  },
});
const streamsOf = (resources: CfnResources) =>
  readStreams({ ...RESOURCES, ...resources }, { Table: "table", Publisher: "publisher" });
const asyncCallsOf = (Properties: Record<string, unknown>) =>
  readAsyncCalls({ ...RESOURCES, Config: { Type: "AWS::Lambda::EventInvokeConfig", Properties } });

test("a mapping has what Lambda does with failures", () => {
  const properties = {
    FunctionResponseTypes: ["ReportBatchItemFailures"],
    BisectBatchOnFunctionError: true,
    MaximumRetryAttempts: 4,
    MaximumRecordAgeInSeconds: 60,
    DestinationConfig: { OnFailure: { Destination: QUEUE } },
  };
  expect(streamsOf({ Changes: mapping(properties) })).toMatchObject([
    { reportsFailures: true, bisects: true, retries: 4, maxAgeMs: 60_000, failureQueueId: "Failures" },
  ]);
});

test("a mapping without these settings repeats batches until they succeed, as Lambda does", () => {
  const defaults = {
    reportsFailures: false,
    bisects: false,
    retries: undefined,
    maxAgeMs: undefined,
    failureQueueId: undefined,
  };
  expect(streamsOf({ Changes: mapping() })).toMatchObject([defaults]);
  const unlimited = { MaximumRetryAttempts: -1, MaximumRecordAgeInSeconds: -1 };
  expect(streamsOf({ Changes: mapping(unlimited) })).toMatchObject([defaults]);
});

test("a third reader of a table's stream is refused, as DynamoDB throttles it", () => {
  const two = { First: mapping(), Second: mapping() };
  expect(streamsOf(two)).toHaveLength(2);
  expect(() => streamsOf({ ...two, Third: mapping() })).toThrow(
    "3 functions read the stream of table; DynamoDB serves 2",
  );
});

test("asynchronous calls have their repetitions and their queue; by default Lambda repeats twice and keeps nothing", () => {
  const FunctionName = { Ref: "Publisher" };
  expect(asyncCallsOf({ FunctionName })).toEqual([
    { functionId: "Publisher", retries: 2, failureQueueId: undefined },
  ]);
  const DestinationConfig = { OnFailure: { Destination: QUEUE } };
  expect(asyncCallsOf({ FunctionName, MaximumRetryAttempts: 0, DestinationConfig })).toEqual([
    { functionId: "Publisher", retries: 0, failureQueueId: "Failures" },
  ]);
});

test.each([
  [{ OnFailure: { Destination: { "Fn::GetAtt": ["Table", "Arn"] } } }, "only a queue of this stack"],
  [{ OnFailure: { Destination: "arn:aws:sqs:us-east-1:1:other" } }, "only a queue of this stack"],
  [{ OnSuccess: { Destination: QUEUE } }, "OnSuccess is not supported locally"],
])("another destination is refused: %j", (DestinationConfig, message) => {
  expect(() => streamsOf({ Changes: mapping({ DestinationConfig }) })).toThrow(`Changes: ${message}`);
  expect(() => asyncCallsOf({ FunctionName: { Ref: "Publisher" }, DestinationConfig })).toThrow(
    `Config: ${message}`,
  );
});

test("a call of a function that is not in the stack is refused", () => {
  expect(() => asyncCallsOf({ FunctionName: "other" })).toThrow("Config.FunctionName names no function");
});
