/**
 * Who sees which projects: so that a list reads what its caller may see, and nothing of all others'.
 *
 *     item          partition of the index `seen`
 *     META          the owner's, or everybody's when the project has no owner; none once it is being deleted
 *     SHARE#<user>  the user's
 *
 * The index has keys only, and says where to look: whether somebody may see a project is decided by the project (access.ts).
 * So a share may be there for too long, and never too short: it is written with the project, and deleted after it.
 */
import { createHash } from "node:crypto";
import { Entity } from "dynamodb-toolbox/entity";
import { DeleteTransaction } from "dynamodb-toolbox/entity/actions/transactDelete";
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { projectKey, table } from "./table.ts";
import type { Transaction } from "./transact.ts";

/** A name can be longer than a key. */
const digest = (user: string): string => createHash("sha256").update(user).digest("hex");

export const EVERYBODY = "EVERYBODY";
export const partitionOf = (user: string): string => `USER#${digest(user)}`;

/** The partition of a project's item. */
export const seenBy = (owner: string | undefined): string =>
  owner === undefined ? EVERYBODY : partitionOf(owner);

export const ShareEntity = new Entity({
  name: "share",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    user: string().key(),
    seen_by: string(),
    /** The project's. */
    created_us: number(),
  }),
  computeKey: ({ project_id, user }) => ({ pk: projectKey(project_id), sk: `SHARE#${digest(user)}` }),
});

interface Created {
  readonly project_id: string;
  readonly created_us: number;
}

/** Steps that show the project to users. */
export const showTo = ({ project_id, created_us }: Created, users: readonly string[]): Transaction[] =>
  users.map((user) =>
    ShareEntity.build(PutTransaction).item({ project_id, user, seen_by: partitionOf(user), created_us }),
  );

/** Steps that show it to them no more. */
export const hideFrom = ({ project_id }: Created, users: readonly string[]): Transaction[] =>
  users.map((user) => ShareEntity.build(DeleteTransaction).key({ project_id, user }));
