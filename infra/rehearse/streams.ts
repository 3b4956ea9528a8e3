/**
 * Readers of DynamoDB streams: at most two each, and with the permissions that Lambda checks when it creates a mapping.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
 */
import { render, renderText } from "./render.ts";
import { isAllowed, statementsOfRole } from "./statements.ts";
import { type Json, ofType, type Problem, type StackTemplate } from "./template.ts";

const READERS = 2;
const READS = ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"];

/** The destination's ARN -> the action that a function needs to send a failed batch there. */
const SENDS: readonly (readonly [arn: RegExp, action: string])[] = [
  [/:sqs:/, "sqs:SendMessage"],
  [/:sns:/, "sns:Publish"],
  [/:s3:/, "s3:PutObject"],
];

export function checkStreams(stack: StackTemplate): readonly Problem[] {
  const mappings = ofType(stack, "AWS::Lambda::EventSourceMapping").map(([id, properties]) => ({
    id,
    properties,
    source: renderText(stack, properties.EventSourceArn),
  }));
  const streams = mappings.filter(({ source }) => source.includes(":dynamodb:"));
  const crowded = [...Map.groupBy(streams, ({ source }) => source).values()].flatMap((readers) =>
    readers.slice(READERS).map(({ id }) => ({
      logicalId: id,
      text: `is reader ${readers.findIndex((each) => each.id === id) + 1} of one stream, DynamoDB serves ${READERS} and throttles more: let one function dispatch`,
    })),
  );
  return [...crowded, ...streams.flatMap((mapping) => missingPermissions(stack, mapping))];
}

function missingPermissions(
  stack: StackTemplate,
  { id, properties, source }: { readonly id: string; readonly properties: Json; readonly source: string },
): Problem[] {
  const target = /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(JSON.stringify(properties.FunctionName))?.[1];
  const role = /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(
    JSON.stringify(stack.resources[target ?? ""]?.Properties?.Role ?? ""),
  )?.[1];
  if (role === undefined)
    return [{ logicalId: id, text: "belongs to no function of this stack with a role of its own" }];
  const statements = statementsOfRole(stack, role);
  // Lambda lists the streams of the table.
  const missing = READS.filter(
    (action) =>
      !isAllowed(
        statements,
        `dynamodb:${action}`,
        action === "ListStreams" ? source.replace(/\/stream\/.*/, "/stream/*") : source,
      ),
  ).map((action) => `dynamodb:${action}`);
  const { DestinationConfig } = render(stack, properties) as {
    DestinationConfig?: { OnFailure?: { Destination?: string } };
  };
  const destination = DestinationConfig?.OnFailure?.Destination;
  if (destination !== undefined) {
    const action = SENDS.find(([arn]) => arn.test(destination))?.[1];
    const resource = action === "s3:PutObject" ? `${destination}/key` : destination;
    if (action !== undefined && !isAllowed(statements, action, resource)) missing.push(action);
  }
  return missing.map((action) => ({
    logicalId: id,
    text: `Lambda creates the mapping only if the role ${role} allows ${action}`,
  }));
}
