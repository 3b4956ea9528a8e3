/**
 * The IAM requests that AWS authorizes for a recorded call, and whether statements allow them. As AWS documents: a batch is one request
 * with all its keys, a transaction one for each step under the step's own action; an index is a resource with its own leading keys.
 */

import type { Statement } from "../stack/policies.ts";
import type { RecordedCall } from "../stores/recorder.ts";

export interface Requirement {
  readonly action: string;
  readonly resource: string;
  /** Condition key -> values; absent if the request has no such key. */
  readonly context: Readonly<Record<string, readonly string[]>>;
}

const TABLE = "<TableState.Arn>";
const BUCKET = "<BucketData.Arn>";

type Value = { readonly S?: string };
type Item = Readonly<Record<string, Value>>;

const onTable = (action: string, keys: readonly string[], index?: string): Requirement => ({
  action: `dynamodb:${action}`,
  resource: index === undefined ? TABLE : `${TABLE}/index/${index}`,
  context: { "dynamodb:LeadingKeys": keys },
});

const pkOf = ({ pk }: Item): string => pk!.S!;

const STEPS = {
  Put: ["PutItem", "Item"],
  Update: ["UpdateItem", "Key"],
  Delete: ["DeleteItem", "Key"],
  ConditionCheck: ["ConditionCheckItem", "Key"],
} as const;

/** @throws Error for an unknown call, which would go unchecked otherwise. */
export function requirementsOf(call: RecordedCall): Requirement[] {
  return call.operation ? tableRequirements(call) : bucketRequirements(call);
}

function tableRequirements({ operation, body }: RecordedCall): Requirement[] {
  // biome-ignore lint/suspicious/noExplicitAny: requests of DynamoDB's many shapes
  const input = JSON.parse(body) as any;
  switch (operation) {
    case "GetItem":
    case "UpdateItem":
    case "DeleteItem":
      return [onTable(operation, [pkOf(input.Key)])];
    case "PutItem":
      return [onTable(operation, [pkOf(input.Item)])];
    case "Query":
      return [onTable(operation, [partitionOf(input)], input.IndexName)];
    case "BatchGetItem": {
      const requests = Object.values(input.RequestItems) as { Keys: Item[] }[];
      return [onTable(operation, unique(requests.flatMap(({ Keys }) => Keys.map(pkOf))))];
    }
    case "BatchWriteItem": {
      const requests = Object.values(input.RequestItems).flat() as {
        PutRequest?: { Item: Item };
        DeleteRequest?: { Key: Item };
      }[];
      const items = requests.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest!.Key);
      return [onTable(operation, unique(items.map(pkOf)))];
    }
    case "TransactWriteItems":
      return (input.TransactItems as Record<keyof typeof STEPS, Record<string, Item>>[]).flatMap((step) =>
        (Object.keys(step) as (keyof typeof STEPS)[]).map((kind) => {
          const [action, key] = STEPS[kind];
          return onTable(action, [pkOf(step[kind][key]!)]);
        }),
      );
    default:
      throw new Error(`DynamoDB's ${operation} is nothing that a function is meant to call`);
  }
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];

interface QueryInput {
  readonly KeyConditionExpression: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues: Item;
}

/** Of the table and its indexes. */
const PARTITION_KEYS: ReadonlySet<string> = new Set(["pk", "listing", "seen_by"]);

/** The value that the condition requires of the partition key of the table or index. */
function partitionOf(input: QueryInput): string {
  for (const [, name, value] of input.KeyConditionExpression.matchAll(/(#\w+) = (:\w+)/g)) {
    const attribute = input.ExpressionAttributeNames[name!]!;
    if (PARTITION_KEYS.has(attribute)) return input.ExpressionAttributeValues[value!]!.S!;
  }
  throw new Error(`${input.KeyConditionExpression} names no partition`);
}

/** Local endpoints have the bucket in the path. */
function bucketRequirements({ method, url, body, status }: RecordedCall): Requirement[] {
  const [, , ...rest] = url.pathname.split("/");
  const key = decodeURIComponent(rest.join("/"));
  const onObject = (action: string, of = key): Requirement => ({
    action: `s3:${action}`,
    resource: `${BUCKET}/${of}`,
    context: {},
  });
  const list = (prefix: string | null): Requirement => ({
    action: "s3:ListBucket",
    resource: BUCKET,
    context: prefix === null ? {} : { "s3:prefix": [prefix] },
  });
  const has = (name: string): boolean => url.searchParams.has(name);
  if (key === "") {
    if (method === "GET") return [list(url.searchParams.get("prefix"))];
    if (method === "POST" && has("delete"))
      return [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, of]) => onObject("DeleteObject", of));
  }
  // S3 reports a missing object as missing only to a caller that may list.
  if (method === "GET" || method === "HEAD")
    return [onObject("GetObject"), ...(status === 404 ? [list(null)] : [])];
  if (method === "PUT" || (method === "POST" && (has("uploads") || has("uploadId"))))
    return [onObject("PutObject")];
  if (method === "DELETE") return [onObject(has("uploadId") ? "AbortMultipartUpload" : "DeleteObject")];
  throw new Error(`S3's ${method} ${url.pathname}${url.search} is nothing that a function is meant to call`);
}

/** Few patterns are compared with many texts. */
const expressions = new Map<string, RegExp>();

function expressionOf(pattern: string): RegExp {
  const source = pattern.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${source.join(".*")}$`, "s");
}

/** `*` is any text, as in IAM. */
export function isLike(text: string, pattern: string): boolean {
  const expression = expressions.get(pattern) ?? expressionOf(pattern);
  expressions.set(pattern, expression);
  return expression.test(text);
}

/** @throws Error for an unsupported operator. */
function conditionsHold({ conditions }: Statement, { context }: Requirement): boolean {
  return Object.entries(conditions).every(([operator, keys]) =>
    Object.entries(keys).every(([key, patterns]) => {
      const values = context[key];
      const fits = (value: string): boolean => patterns.some((pattern) => isLike(value, pattern));
      switch (operator) {
        case "ForAllValues:StringLike":
          return (values ?? []).every(fits);
        case "StringLike":
          return values?.some(fits) ?? false;
        case "StringLikeIfExists":
          return values?.some(fits) ?? true;
        default:
          throw new Error(`The condition ${operator} is not known here`);
      }
    }),
  );
}

/** The statement that allows the request, if any. */
export const allowing = (statements: readonly Statement[], required: Requirement): Statement | undefined =>
  statements.find(
    (statement) =>
      statement.effect === "Allow" &&
      statement.actions.includes(required.action) &&
      statement.resources.some((resource) => isLike(required.resource, resource)) &&
      conditionsHold(statement, required),
  );
