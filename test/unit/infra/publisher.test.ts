/** The publisher gets the table's changes that may be events, and no others. */
import { Match, type Template } from "aws-cdk-lib/assertions";
import { beforeAll, expect, test } from "vitest";
import { SOURCES } from "../../../functions/publisher/sources.ts";
import { statementsOfFunction } from "../../helpers/stack/policies.ts";
import { templateOf } from "../../helpers/stack/stack.ts";

let template: Template;
beforeAll(() => {
  template = templateOf();
}, 120_000);

test("the table's stream has items before and after each change", () => {
  template.hasResourceProperties("AWS::DynamoDB::Table", {
    StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
  });
});

test("a failed batch is repeated in halves for an hour", () => {
  template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
    FunctionName: { Ref: Match.stringLikeRegexp("^publisherFunction") },
    EventSourceArn: { "Fn::GetAtt": [Match.stringLikeRegexp("^TableState"), "StreamArn"] },
    StartingPosition: "TRIM_HORIZON",
    BisectBatchOnFunctionError: true,
    MaximumRecordAgeInSeconds: 3600,
    MaximumRetryAttempts: Match.absent(),
  });
});

test("only entities that may be events invoke the function, so its own events never do", () => {
  const mapping = Object.values(template.findResources("AWS::Lambda::EventSourceMapping")).find(
    ({ Properties }) => Properties.FunctionName.Ref.startsWith("publisherFunction"),
  );
  const patterns = mapping!.Properties.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) =>
    JSON.parse(Pattern),
  );
  const entity = { entity: { S: SOURCES } };
  expect(patterns).toEqual([
    { dynamodb: { NewImage: entity } },
    { eventName: ["REMOVE"], dynamodb: { OldImage: entity } },
  ]);
  expect(SOURCES).not.toContain("event");
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
