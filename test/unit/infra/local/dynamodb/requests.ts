/** Random requests on one table, right and wrong ones. */
import fc from "fast-check";
import {
  anyCondition,
  condition,
  distinctUpdate,
  type Expression,
  placeholders,
  update,
  values,
} from "./expressions.ts";
import { reads } from "./reads.ts";
import { capacity, type Request } from "./request.ts";
import { tableRequests } from "./table-requests.ts";
import { item, key } from "./values.ts";

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

/** Adds what the response is to have. */
const returned = (names: readonly string[], request: fc.Arbitrary<object>) =>
  fc
    .tuple(request, fc.constantFrom(...names), capacity)
    .map(([rest, ReturnValues, asked]) => ({ ...rest, ReturnValues, ...asked }));

const member = fc.oneof(
  put(condition).map((Put) => ({ Put })),
  change(condition, distinctUpdate).map((Update) => ({ Update })),
  removal(condition).map((Delete) => ({ Delete })),
  check(condition).map((ConditionCheck) => ({ ConditionCheck })),
);
const transaction: fc.Arbitrary<Request> = fc
  .tuple(
    fc.array(member, { minLength: 1, maxLength: 4 }),
    capacity,
    // A repeated token commits once; other requests with it are refused.
    fc.option(fc.constantFrom("1", "2"), { nil: undefined, freq: 9 }),
  )
  .map(([members, asked, token]) => ({
    operation: "TransactWriteItems",
    body: (TableName) => ({
      ...asked,
      ...(token && { ClientRequestToken: `${TableName}-${token}` }),
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
  { arbitrary: reads, weight: 8 },
  { arbitrary: tableRequests, weight: 2 },
  { arbitrary: transaction, weight: 3 },
  { arbitrary: batch, weight: 2 },
);

export const sequence: fc.Arbitrary<readonly Request[]> = fc.array(request, { minLength: 1, maxLength: 25 });
