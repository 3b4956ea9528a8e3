import { beforeAll, describe, expect, test } from "vitest";

let entity: typeof import("../../../../functions/shared/store/lab/node.ts").NodeEntity;
let when: typeof import("../../../../functions/shared/store/base/when.ts").when;
let fits: typeof import("../../../../functions/shared/store/limits/quota.ts").fits;
let UpdateTransaction: typeof import("dynamodb-toolbox/entity/actions/transactUpdate").UpdateTransaction;

beforeAll(async () => {
  Object.assign(process.env, { AWS_REGION: "eu-west-1", TABLE_NAME: "table" });
  ({ NodeEntity: entity } = await import("../../../../functions/shared/store/lab/node.ts"));
  ({ when } = await import("../../../../functions/shared/store/base/when.ts"));
  ({ fits } = await import("../../../../functions/shared/store/limits/quota.ts"));
  ({ UpdateTransaction } = await import("dynamodb-toolbox/entity/actions/transactUpdate"));
});

/** Returns the condition as DynamoDB receives it, with names and values in their places. */
function conditionOf(options: ReturnType<typeof when>): string | undefined {
  const update = entity.build(UpdateTransaction).item({ project_id: "p", node_id: "n" }).options(options);
  const { Update } = update.params();
  const { ConditionExpression, ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = Update!;
  return ConditionExpression?.replace(/#c\w+/g, (name) => ExpressionAttributeNames[name]!).replace(
    /:c\w+/g,
    (name) => JSON.stringify((ExpressionAttributeValues as Record<string, unknown>)[name]),
  );
}

describe("when", () => {
  test("requires each value, and that an undefined attribute does not exist", () => {
    expect(conditionOf(when(entity, { revision: 3, state_run: undefined, "links.0_0.link_id": "l" }))).toBe(
      '(revision = 3) AND (attribute_not_exists(state_run)) AND (links.0_0.link_id = "l")',
    );
  });

  test("combines comparisons and alternatives", () => {
    const either = { or: [{ state_run: undefined }, { attr: "state_run", lt: 4 }] } as const;
    expect(conditionOf(when(entity, { attr: "node_id", exists: true }, either))).toBe(
      "(attribute_exists(node_id)) AND ((attribute_not_exists(state_run)) OR (state_run < 4))",
    );
  });

  test("sets no condition without tests", () => {
    expect(conditionOf(when(entity, {}))).toBeUndefined();
  });

  test("accepts only attributes of the entity", () => {
    // @ts-expect-error there is no such attribute
    when(entity, { revison: 3 });
    // @ts-expect-error there is no such attribute
    when(entity, { attr: "revison", exists: true });
  });
});

describe("the room for a figure", () => {
  test("is what the limit leaves; a missing figure is 0", () => {
    expect(conditionOf(when(entity, ...fits("revision", 10, 4)))).toBe(
      "(attribute_not_exists(revision)) OR (revision <= 6)",
    );
  });

  test("is none for an amount above the limit, also for a missing figure", () => {
    expect(conditionOf(when(entity, ...fits("revision", 10, 11)))).toBe("revision <= -1");
  });

  test("is not needed by an amount that does not grow the figure", () => {
    expect(fits("revision", 10, 0)).toEqual([]);
    expect(fits("revision", 10, -5)).toEqual([]);
  });
});
