/** Random reads: of items, of batches, queries, scans and readings of the stream. */
import fc from "fast-check";
import { anyCondition, condition, placeholders, projection, values } from "./expressions.ts";
import { capacity, type Request } from "./request.ts";
import { key, keyText, number } from "./values.ts";

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const limit = optional(fc.integer({ min: 1, max: 4 }));

const named = (operation: string, request: fc.Arbitrary<object>): fc.Arbitrary<Request> =>
  fc
    .tuple(request, capacity)
    .map(([rest, asked]) => ({ operation, body: (TableName) => ({ TableName, ...rest, ...asked }) }));

/** The parts of a read with a filter and a projection. Its own placeholders begin with `:k` and `#k`. */
interface Named {
  readonly [parameter: string]: unknown;
  readonly ExpressionAttributeNames?: object;
  readonly ExpressionAttributeValues?: object;
}

function narrowed(
  request: Named,
  filter: string | undefined,
  picked: string | undefined,
  given: Readonly<Record<string, object>>,
): object {
  const others = placeholders([filter, picked], given);
  const names = { ...request.ExpressionAttributeNames, ...others.ExpressionAttributeNames };
  const bound = { ...request.ExpressionAttributeValues, ...others.ExpressionAttributeValues };
  return {
    ...request,
    ...(filter && { FilterExpression: filter }),
    ...(picked && { ProjectionExpression: picked }),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(bound).length > 0 && { ExpressionAttributeValues: bound }),
  };
}

const filter = optional(fc.oneof({ arbitrary: condition, weight: 9 }, anyCondition)).map(
  (each) => each?.text,
);
const picked = optional(projection);
/** Queries refuse filters that name keys, which `condition` does; both answer alike. */
const narrowing = fc.record({ filter, picked, given: values });

const sortClause = fc.oneof(
  fc.constant(""),
  fc.constantFrom("=", "<", "<=", ">", ">=").map((by) => ` AND sk ${by} :k2`),
  fc.constantFrom(" AND begins_with(sk, :k2)", " AND sk BETWEEN :k2 AND :k3"),
);
const query = fc
  .record({
    pk: keyText,
    sort: sortClause,
    s: fc.oneof(keyText, fc.constantFrom("A", "😀")),
    t: keyText,
    Limit: limit,
    ScanIndexForward: fc.boolean(),
    Select: fc.constantFrom("ALL_ATTRIBUTES", "COUNT"),
    after: optional(key),
    narrowing,
  })
  .map(({ pk, sort, s, t, after, Select, narrowing: by, ...rest }) =>
    narrowed(
      {
        ...rest,
        ...(by.picked === undefined && { Select }),
        KeyConditionExpression: `pk = :k1${sort}`,
        ExpressionAttributeValues: {
          ":k1": { S: pk },
          ...(sort.includes(":k2") && { ":k2": { S: s } }),
          ...(sort.includes(":k3") && { ":k3": { S: t } }),
        },
        ...(after && sort === "" && { ExclusiveStartKey: { pk: { S: pk }, sk: after.sk } }),
      },
      by.filter,
      by.picked,
      by.given,
    ),
  );

const indexQuery = fc
  .record({
    group: fc.constantFrom("g", "h"),
    by: fc.constantFrom("", " AND #k2 > :k2", " AND #k2 <= :k2", " AND #k2 BETWEEN :k2 AND :k3"),
    n: fc.integer({ min: -3, max: 5 }),
    Limit: limit,
    ScanIndexForward: fc.boolean(),
    after: optional(fc.tuple(key, number)),
  })
  .map(({ group, by, n, after, ...rest }) => ({
    ...rest,
    IndexName: "by-group",
    KeyConditionExpression: `#k1 = :k1${by}`,
    ExpressionAttributeNames: { "#k1": "grp", ...(by.includes("#k2") && { "#k2": "num" }) },
    ExpressionAttributeValues: {
      ":k1": { S: group },
      ...(by.includes(":k2") && { ":k2": { N: String(n) } }),
      ...(by.includes(":k3") && { ":k3": { N: String(n + 4) } }),
    },
    ...(after &&
      by === "" && { ExclusiveStartKey: { ...after[0], grp: { S: group }, num: { N: after[1] } } }),
  }));

const scan = fc
  .record({ Limit: limit, after: optional(key), isCount: fc.boolean(), narrowing })
  .map(({ after, isCount, narrowing: by, ...rest }) =>
    narrowed(
      {
        ...rest,
        ...(after && { ExclusiveStartKey: after }),
        ...(isCount && by.picked === undefined && { Select: "COUNT" }),
      },
      by.filter,
      by.picked,
      by.given,
    ),
  );
const indexScan = fc
  .record({ IndexName: fc.constantFrom("by-group", "by-number", "none"), Limit: limit, narrowing })
  .map(({ narrowing: by, ...rest }) => narrowed(rest, by.filter, by.picked, by.given));

const get = fc
  .record({ Key: key, ConsistentRead: fc.boolean(), picked })
  .map(({ picked: by, ...rest }) => narrowed(rest, undefined, by, {}));
const batchGet: fc.Arbitrary<Request> = fc
  .record({ Keys: fc.array(key, { minLength: 1, maxLength: 4 }), ConsistentRead: fc.boolean(), picked })
  .map(({ picked: by, ...rest }) => ({
    operation: "BatchGetItem",
    body: (TableName) => ({ RequestItems: { [TableName]: narrowed(rest, undefined, by, {}) } }),
  }));

/** From a place in the stream that `after` records lead to. */
const readStream: fc.Arbitrary<Request> = fc
  .record({
    from: fc.constantFrom("TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"),
    after: fc.nat(5),
    Limit: optional(fc.integer({ min: 1, max: 3 })),
  })
  .map((rest) => ({ operation: "ReadStream", body: (TableName) => ({ TableName, ...rest }) }));

export const reads: fc.Arbitrary<Request> = fc.oneof(
  { arbitrary: named("GetItem", get), weight: 1 },
  { arbitrary: batchGet, weight: 1 },
  { arbitrary: named("Query", query), weight: 3 },
  { arbitrary: named("Query", indexQuery), weight: 2 },
  { arbitrary: named("Scan", scan), weight: 2 },
  { arbitrary: named("Scan", indexScan), weight: 1 },
  { arbitrary: readStream, weight: 1 },
);
