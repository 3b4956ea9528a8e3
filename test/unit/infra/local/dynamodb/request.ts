/** A random request, and the table that it is for. */
import fc from "fast-check";

export interface Request {
  /** An operation of DynamoDB, or one of play.ts. */
  readonly operation: string;
  readonly body: (TableName: string) => object;
}

export const TABLE = {
  BillingMode: "PAY_PER_REQUEST",
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "S" },
    { AttributeName: "grp", AttributeType: "S" },
    { AttributeName: "num", AttributeType: "N" },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: "by-group",
      KeySchema: [
        { AttributeName: "grp", KeyType: "HASH" },
        { AttributeName: "num", KeyType: "RANGE" },
      ],
      Projection: { ProjectionType: "KEYS_ONLY" },
    },
    {
      IndexName: "by-number",
      KeySchema: [{ AttributeName: "num", KeyType: "HASH" }],
      Projection: { ProjectionType: "ALL" },
    },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
};

/** Whether a response has the capacity that the request consumed. */
export const capacity = fc.constantFrom({}, { ReturnConsumedCapacity: "TOTAL" });

/** Returns the name of another table, which requests create and delete. */
export const secondOf = (TableName: string): string => `${TableName}-second`;
