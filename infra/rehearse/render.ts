/**
 * Writes values of a template as they are after the deployment. CloudFormation names most resources `stack-logicalid-random`, cut to the
 * length that the type allows, so sizes of policies and environments depend on the stack's name.
 */
import type { Json, StackTemplate } from "./template.ts";

const ACCOUNT = "123456789012";
/** No region of the commercial partition has a longer name. */
const REGION = "ap-southeast-1";

const PSEUDO_PARAMETERS: Json = {
  "AWS::AccountId": ACCOUNT,
  "AWS::Region": REGION,
  "AWS::Partition": "aws",
  "AWS::URLSuffix": "amazonaws.com",
};

/** The type of a resource -> the greatest length of a name that CloudFormation makes, and the prefix of its ARN. */
const NAMES: Readonly<Record<string, readonly [length: number, arn: string]>> = {
  "AWS::Lambda::Function": [64, `arn:aws:lambda:${REGION}:${ACCOUNT}:function:`],
  "AWS::IAM::Role": [64, `arn:aws:iam::${ACCOUNT}:role/`],
  "AWS::DynamoDB::Table": [255, `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/`],
  "AWS::S3::Bucket": [63, "arn:aws:s3:::"],
  "AWS::StepFunctions::StateMachine": [80, `arn:aws:states:${REGION}:${ACCOUNT}:stateMachine:`],
  "AWS::Logs::LogGroup": [255, `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:`],
  "AWS::SNS::Topic": [256, `arn:aws:sns:${REGION}:${ACCOUNT}:`],
  "AWS::SQS::Queue": [80, `arn:aws:sqs:${REGION}:${ACCOUNT}:`],
  "AWS::KMS::Key": [36, `arn:aws:kms:${REGION}:${ACCOUNT}:key/`],
};
const OTHERS: readonly [number, string] = [64, `arn:aws:service:${REGION}:${ACCOUNT}:`];

/** A `Ref` to a resource of these types is its ARN. */
const REFS_ARE_ARNS = new Set([
  "AWS::StepFunctions::StateMachine",
  "AWS::SNS::Topic",
  "AWS::SecretsManager::Secret",
]);

const RANDOM = "A1B2C3D4E5F6";

function nameOf({ stackName, resources }: StackTemplate, id: string): string {
  const [length] = NAMES[resources[id]?.Type ?? ""] ?? OTHERS;
  const stem = `${stackName}-${id}`.slice(0, length - RANDOM.length - 1);
  return `${stem}-${RANDOM}`;
}

const arnOf = (stack: StackTemplate, id: string): string => {
  const [, prefix] = NAMES[stack.resources[id]?.Type ?? ""] ?? OTHERS;
  return prefix + nameOf(stack, id);
};

function refer(stack: StackTemplate, name: string): string {
  if (name === "AWS::StackName") return stack.stackName;
  const known = PSEUDO_PARAMETERS[name];
  if (known !== undefined) return String(known);
  return REFS_ARE_ARNS.has(stack.resources[name]?.Type ?? "") ? arnOf(stack, name) : nameOf(stack, name);
}

const attributeOf = (stack: StackTemplate, id: string, attribute: string): string =>
  /Arn$/.test(attribute)
    ? arnOf(stack, id) + (attribute === "StreamArn" ? "/stream/2026-01-01T00:00:00.000" : "")
    : nameOf(stack, id);

/** Returns the value with all intrinsic functions replaced by texts. */
export function render(stack: StackTemplate, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => render(stack, each));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [[name, argument] = ["", undefined]] = entries;
  if (entries.length !== 1 || !/^(Ref$|Fn::)/.test(name))
    return Object.fromEntries(entries.map(([key, each]) => [key, render(stack, each)]));
  if (name === "Ref") return refer(stack, String(argument));
  if (name === "Fn::GetAtt") {
    const [id = "", attribute = ""] = Array.isArray(argument) ? argument : String(argument).split(".");
    return attributeOf(stack, id, attribute);
  }
  if (name === "Fn::Join") {
    const [separator, parts] = argument as [string, unknown[]];
    return parts.map((part) => renderText(stack, part)).join(separator);
  }
  if (name === "Fn::Sub" && typeof argument === "string")
    return argument.replace(/\$\{([^!}]+)\}/g, (_whole, named: string) => {
      const [id = "", attribute] = named.split(".");
      return attribute === undefined ? refer(stack, id) : attributeOf(stack, id, attribute);
    });
  return "x".repeat(OTHERS[0]);
}

export function renderText(stack: StackTemplate, value: unknown): string {
  const rendered = render(stack, value);
  return typeof rendered === "string" ? rendered : JSON.stringify(rendered);
}
