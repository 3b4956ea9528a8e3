/**
 * The parameters of each operation. AWS ignores parameters that it does not know; here they are refused by name, and so are DynamoDB's own that
 * have no counterpart: the older ones of before expressions, parallel scans, classes and encryption of tables.
 */
import { DynamoDbError, invalid } from "./dynamodb-error.ts";

/** The type of a parameter's JSON, or the texts that it may be. */
type Kind = "text" | "flag" | "count" | "map" | "list" | readonly string[];
/** A `!` at the end of a name: the parameter is required. */
export type Parameters = Readonly<Record<string, Kind>>;

const CAPACITY = { ReturnConsumedCapacity: ["NONE", "TOTAL", "INDEXES"] } as const;
const METRICS = { ReturnItemCollectionMetrics: ["NONE", "SIZE"] } as const;
const PLACEHOLDERS = { ExpressionAttributeNames: "map", ExpressionAttributeValues: "map" } as const;
const ON_FAILURE = { ReturnValuesOnConditionCheckFailure: ["NONE", "ALL_OLD"] } as const;
const TABLE = { "TableName!": "text" } as const;
const OLD_VALUES = { ReturnValues: ["ALL_OLD", "NONE"] } as const;
const CONDITIONAL = { ConditionExpression: "text", ...PLACEHOLDERS, ...ON_FAILURE } as const;

const READ: Parameters = {
  ...TABLE,
  ...PLACEHOLDERS,
  ...CAPACITY,
  IndexName: "text",
  FilterExpression: "text",
  ProjectionExpression: "text",
  ExclusiveStartKey: "map",
  Limit: "count",
  ConsistentRead: "flag",
  Select: ["ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "COUNT"],
};
const WRITTEN: Parameters = { ...TABLE, ...CONDITIONAL, ...CAPACITY, ...METRICS };

/** The parts of a transaction, and the entries of a batch. */
export const PARTS = {
  Put: { ...TABLE, "Item!": "map", ...CONDITIONAL },
  Update: { ...TABLE, "Key!": "map", "UpdateExpression!": "text", ...CONDITIONAL },
  Delete: { ...TABLE, "Key!": "map", ...CONDITIONAL },
  ConditionCheck: { ...TABLE, "Key!": "map", "ConditionExpression!": "text", ...PLACEHOLDERS, ...ON_FAILURE },
  BatchGet: {
    "Keys!": "list",
    ConsistentRead: "flag",
    ProjectionExpression: "text",
    ExpressionAttributeNames: "map",
  },
  PutRequest: { "Item!": "map" },
  DeleteRequest: { "Key!": "map" },
} as const satisfies Readonly<Record<string, Parameters>>;

export const PARAMETERS = {
  BatchGetItem: { "RequestItems!": "map", ...CAPACITY },
  BatchWriteItem: { "RequestItems!": "map", ...CAPACITY, ...METRICS },
  CreateTable: {
    ...TABLE,
    "KeySchema!": "list",
    "AttributeDefinitions!": "list",
    GlobalSecondaryIndexes: "list",
    LocalSecondaryIndexes: "list",
    StreamSpecification: "map",
    BillingMode: ["PAY_PER_REQUEST"],
  },
  DeleteItem: { ...WRITTEN, ...OLD_VALUES, "Key!": "map" },
  DeleteTable: TABLE,
  DescribeTable: TABLE,
  DescribeTimeToLive: TABLE,
  GetItem: {
    ...TABLE,
    ...CAPACITY,
    "Key!": "map",
    ProjectionExpression: "text",
    ExpressionAttributeNames: "map",
    ConsistentRead: "flag",
  },
  ListTables: { ExclusiveStartTableName: "text", Limit: "count" },
  PutItem: { ...WRITTEN, ...OLD_VALUES, "Item!": "map" },
  Query: { ...READ, KeyConditionExpression: "text", ScanIndexForward: "flag" },
  Scan: READ,
  TransactWriteItems: { "TransactItems!": "list", ClientRequestToken: "text", ...CAPACITY, ...METRICS },
  UpdateItem: {
    ...WRITTEN,
    "Key!": "map",
    UpdateExpression: "text",
    ReturnValues: ["ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"],
  },
  UpdateTable: {
    ...TABLE,
    AttributeDefinitions: "list",
    GlobalSecondaryIndexUpdates: "list",
    StreamSpecification: "map",
    BillingMode: ["PAY_PER_REQUEST"],
  },
  UpdateTimeToLive: { ...TABLE, "TimeToLiveSpecification!": "map" },
  DescribeStream: { "StreamArn!": "text", ExclusiveStartShardId: "text", Limit: "count" },
  GetRecords: { "ShardIterator!": "text", Limit: "count" },
  GetShardIterator: {
    "StreamArn!": "text",
    "ShardId!": "text",
    "ShardIteratorType!": ["TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"],
    SequenceNumber: "text",
  },
} as const satisfies Readonly<Record<string, Parameters>>;

const OF_KIND: Readonly<Record<Exclude<Kind, readonly string[]>, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  flag: (value) => typeof value === "boolean",
  count: (value) => Number.isInteger(value),
  map: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  list: Array.isArray,
};

const constraint = (value: unknown, name: string, what: string) =>
  invalid(
    `1 validation error detected: Value ${value === undefined ? "null" : `'${String(value)}'`} at '${lowerFirst(name)}' failed to satisfy constraint: Member must ${what}`,
  );
const lowerFirst = (name: string): string => `${name[0]?.toLowerCase() ?? ""}${name.slice(1)}`;

const TABLE_NAME = /^[a-zA-Z0-9_.-]+$/;
const [LEAST_NAME, MOST_NAME] = [3, 255];

/** @param where what has the parameters: the operation, or a part of it. @throws DynamoDbError */
export function checkParameters(where: string, parameters: Parameters, request: unknown): void {
  if (!OF_KIND.map(request)) throw wrongType(where, "a map");
  const given = new Map(Object.entries(request as object).filter(([, value]) => value !== null));
  for (const [marked, kind] of Object.entries(parameters)) {
    const isRequired = marked.endsWith("!");
    const name = isRequired ? marked.slice(0, -1) : marked;
    const value = given.get(name);
    given.delete(name);
    if (value !== undefined) checkValue(name, kind, value);
    else if (isRequired) throw constraint(undefined, name, "not be null");
  }
  const [unknown] = given.keys();
  if (unknown !== undefined)
    throw invalid(
      `${unknown} of ${where} is not supported by the local DynamoDB: leave it out, or set AWS_ENDPOINT_URL_DYNAMODB to another DynamoDB.`,
    );
}

function checkValue(name: string, kind: Kind, value: unknown): void {
  if (typeof kind !== "string") {
    if (typeof value !== "string") throw wrongType(name, "a String");
    if (!kind.includes(value)) throw constraint(value, name, `satisfy enum value set: [${kind.join(", ")}]`);
    return;
  }
  if (!OF_KIND[kind](value)) throw wrongType(name, `a ${kind}`);
  if (kind === "count" && Number(value) < 1)
    throw constraint(value, name, "have value greater than or equal to 1");
  if (name === "TableName") checkTableName(String(value));
}

export function checkTableName(name: string): void {
  if (!TABLE_NAME.test(name))
    throw constraint(name, "TableName", "satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  if (name.length < LEAST_NAME)
    throw constraint(name, "TableName", `have length greater than or equal to ${LEAST_NAME}`);
  if (name.length > MOST_NAME)
    throw constraint(name, "TableName", `have length less than or equal to ${MOST_NAME}`);
}

const wrongType = (name: string, wanted: string): DynamoDbError =>
  new DynamoDbError("SerializationException", `${name} must be ${wanted}`);
