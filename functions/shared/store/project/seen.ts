/**
 * Index of who sees which projects, so that a list request reads only the projects that its caller may see.
 *
 *     item          partition of the index `seen`
 *     META          the owner's, or all users' when the project has no owner; none once it is being deleted
 *     SHARE#<user>  the user's
 *
 * The index holds keys only and yields candidates; the project itself decides whether a caller may see it (access.ts).
 * So a share item may outlive its share, and must never be missing: it is written with the project, and deleted after it.
 */
import { createHash } from "node:crypto";
import { Entity } from "dynamodb-toolbox/entity";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { projectKey, table } from "../base/table.ts";
import type { Transaction } from "../base/transact.ts";

/** A user's name can be longer than a key. */
const digest = (user: string): string => createHash("sha256").update(user).digest("hex");

export const ALL_USERS = "EVERYBODY";
export const partitionOf = (user: string): string => `USER#${digest(user)}`;

/** Returns the partition of a project's item. */
export const seenBy = (owner: string | undefined): string =>
  owner === undefined ? ALL_USERS : partitionOf(owner);

export const ShareEntity = new Entity({
  name: "share",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    user: string().key(),
    seen_by: string(),
    /** Creation time of the project. */
    created_us: number(),
  }),
  computeKey: ({ project_id, user }) => ({ pk: projectKey(project_id), sk: `SHARE#${digest(user)}` }),
});

interface Created {
  readonly project_id: string;
  readonly created_us: number;
}

/** Returns steps that add the project to the lists of users. */
export const showTo = ({ project_id, created_us }: Created, users: readonly string[]): Transaction[] =>
  users.map((user) =>
    ShareEntity.build(PutTransaction).item({ project_id, user, seen_by: partitionOf(user), created_us }),
  );

/** Returns steps that remove it from their lists. */
export const hideFrom = ({ project_id }: Created, users: readonly string[]): Transaction[] =>
  users.map((user) => ShareEntity.build(DeleteTransaction).key({ project_id, user }));
