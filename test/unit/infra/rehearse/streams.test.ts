/** Readers of DynamoDB streams. */
import { expect, test } from "vitest";
import { checkStreams } from "../../../../infra/rehearse/streams.ts";
import { functionOf, roleOf, stackOf, statement } from "./broken.ts";

const STREAM = { "Fn::GetAtt": ["Table", "StreamArn"] };
const TABLE = { Type: "AWS::DynamoDB::Table", Properties: {} };
const READS = statement(
  ["dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:DescribeStream"],
  STREAM,
);
const LISTS = statement("dynamodb:ListStreams", {
  "Fn::Join": ["", [{ "Fn::GetAtt": ["Table", "Arn"] }, "/stream/*"]],
});
const mapping = (properties: object = {}) => ({
  Type: "AWS::Lambda::EventSourceMapping",
  Properties: { FunctionName: { Ref: "Work" }, EventSourceArn: STREAM, ...properties },
});
const Queue = { Type: "AWS::SQS::Queue" };
const onFailure = { DestinationConfig: { OnFailure: { Destination: { "Fn::GetAtt": ["Queue", "Arn"] } } } };
const problemsOf = (resources: object, ...grants: readonly object[]) =>
  checkStreams(
    stackOf({ Table: TABLE, Role: roleOf("lambda", ...grants), Work: functionOf(), ...resources }),
  );

test("finds the third reader of a stream", () => {
  expect(problemsOf({ One: mapping(), Two: mapping() }, READS, LISTS)).toEqual([]);
  expect(problemsOf({ One: mapping(), Two: mapping(), Three: mapping() }, READS, LISTS)).toEqual([
    { logicalId: "Three", text: expect.stringContaining("is reader 3 of one stream, DynamoDB serves 2") },
  ]);
});

test("finds permissions that Lambda checks when it creates the mapping", () => {
  expect(problemsOf({ One: mapping() }, READS)).toEqual([
    {
      logicalId: "One",
      text: "Lambda creates the mapping only if the role Role allows dynamodb:ListStreams",
    },
  ]);
  expect(problemsOf({ One: mapping() }, LISTS)).toHaveLength(3);
});

test("finds a destination of failed batches that the function may not use", () => {
  const resources = { Queue, One: mapping(onFailure) };
  const sends = statement("sqs:SendMessage", { "Fn::GetAtt": ["Queue", "Arn"] });
  expect(problemsOf(resources, READS, LISTS, sends)).toEqual([]);
  expect(
    problemsOf(resources, READS, LISTS)
      .map(({ text }) => text)
      .join(),
  ).toContain("sqs:SendMessage");
});

test("finds a mapping of a function that is not in the stack", () => {
  expect(problemsOf({ One: mapping({ FunctionName: "other" }) }, READS, LISTS)).toEqual([
    { logicalId: "One", text: "belongs to no function of this stack with a role of its own" },
  ]);
});
