/** Random requests on one table, right and wrong ones. */
import fc from "fast-check";

export interface Request {
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

const keyText = fc.constantFrom("a", "b", "A#1", "A#2", "A#", "é", "😀", "ÿ", "zz");
const number = fc.oneof(
  fc.integer({ min: -3, max: 12 }).map(String),
  fc.constantFrom(
    "0.5",
    "-0.25",
    "1e3",
    "1E-7",
    "100",
    "1.50",
    "-0",
    "12345678901234567890",
    "99999999999999999999999999999999999999",
  ),
);
const text = fc.constantFrom("", "x", "xy", "é", "A#1", "longer text");
const bytes = fc.constantFrom("AQ==", "AQI=", "/w==");
const unique = <T>(one: fc.Arbitrary<T>) => fc.uniqueArray(one, { minLength: 1, maxLength: 3 });
const small = fc.constantFrom("1", "2", "3", "-4", "0.5");

interface Tree {
  readonly value: object;
}
const { value: attribute } = fc.letrec<Tree>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthIdentifier: "attribute" },
    text.map((S) => ({ S })),
    number.map((N) => ({ N })),
    bytes.map((B) => ({ B })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constant({ NULL: true }),
    unique(fc.constantFrom("p", "q", "r")).map((SS) => ({ SS })),
    unique(small).map((NS) => ({ NS })),
    unique(bytes).map((BS) => ({ BS })),
    fc.array(tie("value"), { maxLength: 3 }).map((L) => ({ L })),
    fc.dictionary(fc.constantFrom("m", "n"), tie("value"), { maxKeys: 2 }).map((M) => ({ M })),
  ),
}));

const key = fc.record({ pk: keyText.map((S) => ({ S })), sk: keyText.map((S) => ({ S })) });
const item = fc
  .tuple(
    key,
    fc.record(
      {
        grp: fc.constantFrom("g", "h").map((S) => ({ S })),
        num: number.map((N) => ({ N })),
        a: attribute,
        b: attribute,
        c: attribute,
      },
      { requiredKeys: [] },
    ),
  )
  .map(([keys, others]) => ({ ...keys, ...others }));

const path = fc.constantFrom("a", "b", "c", "a.m", "a.n", "b[0]", "b[1]", "a.m.n", "c[0].m", "num", "#group");
/** Values by their placeholders. Each has the types that its operators take: Dynoxide checks types less often than AWS does. */
const VALUES: Readonly<Record<string, fc.Arbitrary<object>>> = {
  ":any": attribute,
  ":ordered": fc.oneof(
    text.map((S) => ({ S })),
    number.map((N) => ({ N })),
    bytes.map((B) => ({ B })),
  ),
  ":text": text.map((S) => ({ S })),
  ":count": small.map((N) => ({ N })),
  ":set": unique(fc.constantFrom("p", "q", "r")).map((SS) => ({ SS })),
  ":list": fc.array(attribute, { maxLength: 2 }).map((L) => ({ L })),
};
const values = fc.record(VALUES);

/** An expression, with the placeholders that it uses. */
interface Expression {
  readonly text: string;
}

const comparison = fc.oneof(
  fc
    .tuple(path, fc.constantFrom("=", "<>"), fc.oneof(path, fc.constant(":any")))
    .map((parts) => parts.join(" ")),
  fc
    .tuple(path, fc.constantFrom("<", "<=", ">", ">="), fc.oneof(path, fc.constant(":ordered")))
    .map((parts) => parts.join(" ")),
  fc.tuple(path, fc.constantFrom("=", "<", ">=")).map(([each, by]) => `size(${each}) ${by} :count`),
);
const single = fc.oneof(
  comparison,
  path.map((each) => `attribute_exists(${each})`),
  path.map((each) => `attribute_not_exists(${each})`),
  fc.constantFrom("attribute_exists(pk)", "attribute_not_exists(pk)"),
  path.map((each) => `begins_with(${each}, :text)`),
  path.map((each) => `contains(${each}, :ordered)`),
  path.map((each) => `${each} IN (:ordered, :any)`),
  path.map((each) => `${each} BETWEEN :count AND :count`),
);
const wrong = fc.constantFrom("a =", "a = = :any", "nofunction(a)", "a BETWEEN :any", "(a = :any");
const right = fc.oneof(
  single,
  fc.tuple(single, fc.constantFrom("AND", "OR"), single).map((parts) => parts.join(" ")),
  single.map((each) => `NOT ${each}`),
  fc.tuple(single, single, single).map(([x, y, z]) => `(${x} OR ${y}) AND NOT (${z})`),
);
const asExpression = (text: string): Expression => ({ text });
const condition: fc.Arbitrary<Expression> = right.map(asExpression);
const anyCondition = fc.oneof({ arbitrary: right, weight: 9 }, wrong).map(asExpression);

const setValue = fc.oneof(
  fc.constant(":any"),
  path,
  fc.tuple(path, fc.constantFrom("+", "-")).map(([each, by]) => `${each} ${by} :count`),
  path.map((each) => `if_not_exists(${each}, :any)`),
  path.map((each) => `if_not_exists(${each}, :count) + :count`),
  path.map((each) => `list_append(${each}, :list)`),
  path.map((each) => `list_append(:list, ${each})`),
);
/** Dynoxide takes it for right when the parent of a removed path is missing, which AWS refuses. */
const top = fc.constantFrom("a", "b", "c", "num", "#group");
const section = fc.oneof(
  fc
    .array(
      fc.tuple(path, setValue).map((parts) => parts.join(" = ")),
      { minLength: 1, maxLength: 2 },
    )
    .map((each) => `SET ${each.join(", ")}`),
  fc.uniqueArray(top, { minLength: 1, maxLength: 2 }).map((each) => `REMOVE ${each.join(", ")}`),
  fc
    .tuple(fc.constantFrom("a", "b", "num"), fc.constantFrom(":count", ":set"))
    .map(([each, value]) => `ADD ${each} ${value}`),
  fc.constantFrom("a", "b").map((each) => `DELETE ${each} :set`),
);
/** Dynoxide lets paths overlap in transactions, which AWS refuses. */
const distinctUpdate: fc.Arbitrary<Expression> = fc
  .uniqueArray(path, { minLength: 2, maxLength: 2, selector: (each) => each.split(/[.[]/)[0] })
  .map(([first, second]) => [first, second?.split(/[.[]/)[0]] as const)
  .chain(([first, second]) =>
    fc
      .tuple(
        fc.constantFrom(
          ":any",
          ":list",
          `if_not_exists(${first}, :any)`,
          `if_not_exists(${first}, :count) + :count`,
        ),
        fc.constantFrom("", ` REMOVE ${second}`, ` ADD ${second} :count`, ` DELETE ${second} :set`),
      )
      .map(([value, rest]) => `SET ${first} = ${value}${rest}`),
  )
  .map(asExpression);
const update: fc.Arbitrary<Expression> = fc
  .uniqueArray(section, { minLength: 1, maxLength: 2, selector: (each) => each.split(" ")[0] })
  .map((sections) => ({ text: sections.join(" ") }));

/** Gives the placeholders of the expressions their values. */
function placeholders(
  expressions: readonly (string | undefined)[],
  given: Readonly<Record<string, object>>,
): object {
  const all = expressions.join(" ");
  const used = Object.entries(given).filter(([name]) => all.includes(name));
  return {
    ...(used.length > 0 && { ExpressionAttributeValues: Object.fromEntries(used) }),
    ...(all.includes("#group") && { ExpressionAttributeNames: { "#group": "grp" } }),
  };
}

const conditional = (parts: fc.Arbitrary<object>, when: fc.Arbitrary<Expression>, isOptional = true) =>
  fc
    .record({
      parts,
      when: isOptional ? fc.option(when, { nil: undefined }) : when,
      values,
      onFailure: fc.constantFrom("NONE", "ALL_OLD"),
    })
    .map(({ parts: given, when: chosen, values: own, onFailure }) => ({
      ...given,
      ReturnValuesOnConditionCheckFailure: onFailure,
      ...(chosen && { ConditionExpression: chosen.text }),
      ...placeholders(["UpdateExpression" in given ? String(given.UpdateExpression) : "", chosen?.text], own),
    }));

const put = (when: fc.Arbitrary<Expression>) =>
  conditional(
    item.map((Item) => ({ Item })),
    when,
  );
const change = (when: fc.Arbitrary<Expression>, by = update) =>
  conditional(
    fc.tuple(key, by).map(([Key, { text: UpdateExpression }]) => ({ Key, UpdateExpression })),
    when,
  );
const removal = (when: fc.Arbitrary<Expression>) =>
  conditional(
    key.map((Key) => ({ Key })),
    when,
  );
const check = (when: fc.Arbitrary<Expression>) =>
  conditional(
    key.map((Key) => ({ Key })),
    when,
    false,
  );

const one = (operation: string, request: fc.Arbitrary<object>): fc.Arbitrary<Request> =>
  request.map((rest) => ({ operation, body: (TableName) => ({ TableName, ...rest }) }));

const returned = (names: readonly string[], request: fc.Arbitrary<object>) =>
  fc.tuple(request, fc.constantFrom(...names)).map(([rest, ReturnValues]) => ({ ...rest, ReturnValues }));

const sortClause = fc.oneof(
  fc.constant(""),
  fc.constantFrom("=", "<", "<=", ">", ">=").map((by) => ` AND sk ${by} :s`),
  fc.constant(" AND begins_with(sk, :s)"),
);
const query = fc
  .record({
    pk: keyText,
    sort: sortClause,
    s: fc.oneof(keyText, fc.constantFrom("A", "😀")),
    Limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    ScanIndexForward: fc.boolean(),
    Select: fc.constantFrom("ALL_ATTRIBUTES", "COUNT"),
    after: fc.option(key, { nil: undefined }),
  })
  .map(({ pk, sort, s, after, ...rest }) => ({
    ...rest,
    KeyConditionExpression: `pk = :p${sort}`,
    ExpressionAttributeValues: { ":p": { S: pk }, ...(sort !== "" && { ":s": { S: s } }) },
    ...(after && sort === "" && { ExclusiveStartKey: { pk: { S: pk }, sk: after.sk } }),
  }));
const indexQuery = fc
  .record({
    group: fc.constantFrom("g", "h"),
    by: fc.constantFrom("", " AND #n > :n", " AND #n <= :n", " AND #n BETWEEN :n AND :m"),
    n: fc.integer({ min: -3, max: 5 }),
    Limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    ScanIndexForward: fc.boolean(),
  })
  .map(({ group, by, n, ...rest }) => ({
    ...rest,
    IndexName: "by-group",
    KeyConditionExpression: `#g = :g${by}`,
    ExpressionAttributeNames: { "#g": "grp", ...(by.includes("#n") && { "#n": "num" }) },
    ExpressionAttributeValues: {
      ":g": { S: group },
      ...(by.includes(":n") && { ":n": { N: String(n) } }),
      ...(by.includes(":m") && { ":m": { N: String(n + 4) } }),
    },
  }));

const member = fc.oneof(
  put(condition).map((Put) => ({ Put })),
  change(condition, distinctUpdate).map((Update) => ({ Update })),
  removal(condition).map((Delete) => ({ Delete })),
  check(condition).map((ConditionCheck) => ({ ConditionCheck })),
);
const transaction: fc.Arbitrary<Request> = fc
  .array(member, { minLength: 1, maxLength: 4 })
  .map((members) => ({
    operation: "TransactWriteItems",
    body: (TableName) => ({
      TransactItems: members.map((each) =>
        Object.fromEntries(Object.entries(each).map(([kind, rest]) => [kind, { TableName, ...rest }])),
      ),
    }),
  }));
const batch: fc.Arbitrary<Request> = fc
  .array(
    fc.oneof(
      item.map((Item) => ({ PutRequest: { Item } })),
      key.map((Key) => ({ DeleteRequest: { Key } })),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((requests) => ({
    operation: "BatchWriteItem",
    body: (TableName) => ({ RequestItems: { [TableName]: requests } }),
  }));

const request: fc.Arbitrary<Request> = fc.oneof(
  { arbitrary: one("PutItem", returned(["NONE", "ALL_OLD"], put(anyCondition))), weight: 6 },
  {
    arbitrary: one(
      "UpdateItem",
      returned(["NONE", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"], change(anyCondition)),
    ),
    weight: 6,
  },
  { arbitrary: one("DeleteItem", returned(["NONE", "ALL_OLD"], removal(anyCondition))), weight: 2 },
  { arbitrary: one("GetItem", fc.record({ Key: key, ConsistentRead: fc.boolean() })), weight: 1 },
  { arbitrary: one("Query", query), weight: 3 },
  { arbitrary: one("Query", indexQuery), weight: 2 },
  { arbitrary: transaction, weight: 3 },
  { arbitrary: batch, weight: 2 },
);

export const sequence: fc.Arbitrary<readonly Request[]> = fc.array(request, { minLength: 1, maxLength: 25 });
