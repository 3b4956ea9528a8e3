/** Errors with which DynamoDB answers: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/CommonErrors.html */

const DYNAMODB = "com.amazonaws.dynamodb.v20120810";
const PREFIXES: Readonly<Record<string, string>> = {
  ValidationException: "com.amazon.coral.validate",
  SerializationException: "com.amazon.coral.service",
};

export class DynamoDbError extends Error {
  readonly type: string;
  /** Further fields of the response. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(type: string, message: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.type = type;
    this.fields = fields;
  }

  /** The body of the response. */
  toJson(): object {
    const prefix = PREFIXES[this.type] ?? DYNAMODB;
    return { __type: `${prefix}#${this.type}`, message: this.message, ...this.fields };
  }
}

export const invalid = (message: string): DynamoDbError => new DynamoDbError("ValidationException", message);

export const noTable = (message = "Requested resource not found"): DynamoDbError =>
  new DynamoDbError("ResourceNotFoundException", message);

/** @param item the item as it is, if the caller asked for it. */
export const conditionFailed = (item?: object): DynamoDbError =>
  new DynamoDbError("ConditionalCheckFailedException", "The conditional request failed", {
    ...(item && { Item: item }),
  });
