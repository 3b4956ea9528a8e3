/** Counts each user's projects: one item for each user, written with the projects. */
import { Entity } from "dynamodb-toolbox/entity";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { $add } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { table } from "../base/table.ts";
import type { Transaction } from "../base/transact.ts";
import { quota } from "./quota.ts";

const UsageEntity = new Entity({
  name: "usage",
  table,
  timestamps: false,
  schema: item({ user: string().key(), project_count: number().optional() }),
  computeKey: ({ user }) => ({ pk: `USAGE#${user}`, sk: "PROJECTS" }),
});

/** Returns a step that counts a project of the user; it succeeds while there is room. */
export function countProject(user: string): Transaction {
  const fits = { attr: "project_count" as const, lt: quota("project_count") };
  const condition =
    quota("project_count") < 1 ? fits : { or: [{ attr: "project_count", exists: false }, fits] };
  return UsageEntity.build(UpdateTransaction)
    .item({ user, project_count: $add(1) })
    .options({ condition: condition as never });
}

/** Returns a step that subtracts a project. */
export const uncountProject = (user: string): Transaction =>
  UsageEntity.build(UpdateTransaction).item({ user, project_count: $add(-1) });
