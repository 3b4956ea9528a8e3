/** The publisher is the one reader of the table's stream: what it gets, what it may call, and where failures go. */
import { Match, type Template } from "aws-cdk-lib/assertions";
import { beforeAll, expect, test } from "vitest";
import { CALLS, SOURCES } from "../../../functions/publisher/sources.ts";
import { statementsOfFunction } from "../../helpers/stack/policies.ts";
import { templateOf } from "../../helpers/stack/stack.ts";

const QUEUE = { "Fn::GetAtt": [Match.stringLikeRegexp("^Failures"), "Arn"] };

let template: Template;
beforeAll(() => {
  template = templateOf();
});

test("the table's stream has items before and after each change", () => {
  template.hasResourceProperties("AWS::DynamoDB::Table", {
    StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
  });
});

test.each([{}, { helper: "c8i.xlarge", ephemeral: "true", customer_key: "true" }])(
  "DynamoDB serves two readers of a stream at most; the stack has one: %j",
  (settings) => {
    const mappings = Object.values(templateOf(settings).findResources("AWS::Lambda::EventSourceMapping"));
    expect(mappings.map(({ Properties }) => Properties.FunctionName.Ref)).toEqual([
      expect.stringMatching(/^publisherFunction/),
    ]);
  },
);

test("a batch is repeated from the change that failed, or in halves, for an hour; then it is in the queue of failures", () => {
  template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
    FunctionName: { Ref: Match.stringLikeRegexp("^publisherFunction") },
    EventSourceArn: { "Fn::GetAtt": [Match.stringLikeRegexp("^TableState"), "StreamArn"] },
    StartingPosition: "TRIM_HORIZON",
    FunctionResponseTypes: ["ReportBatchItemFailures"],
    BisectBatchOnFunctionError: true,
    MaximumRecordAgeInSeconds: 3600,
    MaximumRetryAttempts: 10,
    // Several batches of a shard at once could change the order of a project's events.
    ParallelizationFactor: Match.absent(),
    DestinationConfig: { OnFailure: { Destination: QUEUE } },
  });
});

test("only entities that may be events, and new items of those that call functions, invoke the publisher", () => {
  const [mapping] = Object.values(template.findResources("AWS::Lambda::EventSourceMapping"));
  const patterns = mapping!.Properties.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) =>
    JSON.parse(Pattern),
  );
  const entity = { entity: { S: SOURCES } };
  expect(patterns).toEqual([
    { dynamodb: { NewImage: entity } },
    { eventName: ["REMOVE"], dynamodb: { OldImage: entity } },
    { eventName: ["INSERT"], dynamodb: { NewImage: { entity: { S: CALLS } } } },
  ]);
  expect([...SOURCES, ...CALLS]).not.toContain("event");
});

test("the publisher may call two functions, and Lambda keeps their failed calls", () => {
  const calls = statementsOfFunction(template, "publisher").filter(({ actions }) =>
    actions.some((action) => action.startsWith("lambda:")),
  );
  expect(calls.map(({ actions, resources }) => [actions, resources])).toEqual([
    [["lambda:InvokeFunction"], ["<socketsFunction.Arn>", "<watcherFunction.Arn>"]],
  ]);
  for (const [name, retries] of [
    ["sockets", 0],
    ["watcher", 2],
  ] as const)
    template.hasResourceProperties("AWS::Lambda::EventInvokeConfig", {
      FunctionName: { Ref: Match.stringLikeRegexp(`^${name}Function`) },
      MaximumRetryAttempts: retries,
      DestinationConfig: { OnFailure: { Destination: QUEUE } },
    });
});

test("the queue of failures is encrypted, takes TLS only, and keeps messages for two weeks; three functions may send to it", () => {
  template.resourceCountIs("AWS::SQS::Queue", 1);
  template.hasResourceProperties("AWS::SQS::Queue", {
    SqsManagedSseEnabled: true,
    MessageRetentionPeriod: 1_209_600,
  });
  template.hasResourceProperties("AWS::SQS::QueuePolicy", {
    PolicyDocument: {
      Statement: [
        Match.objectLike({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
      ],
    },
  });
  const senders = ["publisher", "sockets", "watcher", "sweeper"].filter((name) =>
    statementsOfFunction(template, name).some(
      ({ actions, resources }) =>
        actions.join() === "sqs:SendMessage" && resources.join() === "<Failures.Arn>",
    ),
  );
  expect(senders).toEqual(["publisher", "sockets", "watcher"]);
});

test("with a customer's key, the queue has it, and the functions may use it through SQS alone", () => {
  const keyed = templateOf({ customer_key: "true" });
  keyed.hasResourceProperties("AWS::SQS::Queue", { KmsMasterKeyId: Match.anyValue() });
  const uses = statementsOfFunction(keyed, "publisher").filter(({ conditions }) =>
    JSON.stringify(conditions).includes("sqs."),
  );
  expect(uses.map(({ actions }) => actions.toSorted())).toEqual([["kms:Decrypt", "kms:GenerateDataKey"]]);
});

test("the function reads the stream of this table only", () => {
  const streams = statementsOfFunction(template, "publisher").filter(({ actions }) =>
    actions.some((action) => /^dynamodb:.*(Stream|Shard|Records)/.test(action)),
  );
  expect(streams.map(({ actions, resources }) => [actions.toSorted(), resources])).toEqual([
    [
      ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"],
      ["<TableState.StreamArn>"],
    ],
    [["dynamodb:ListStreams"], ["<TableState.Arn>/stream/*"]],
  ]);
});
