/** Actions in policies exist. */
import { expect, test } from "vitest";
import { checkActions } from "../../../../infra/rehearse/actions.ts";
import { roleOf, stackOf, statement } from "./broken.ts";

const textsOf = async (...actions: readonly string[]) =>
  (await checkActions(stackOf({ Role: roleOf("lambda", statement(actions)) }))).map(({ text }) => text);

test("finds actions that no service has", async () => {
  expect(await textsOf("dynamodb:GetItem", "s3:Get*", "sts:AssumeRole", "*")).toEqual([]);
  expect(await textsOf("dynamodb:GetItems", "states:Begin*", "dynamo:GetItem")).toEqual([
    "dynamodb:GetItems: dynamodb has no such action",
    "states:Begin*: states has no such action",
    "dynamo:GetItem: IAM knows no service dynamo",
  ]);
});
