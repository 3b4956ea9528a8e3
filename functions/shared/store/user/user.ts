/** Users who may sign in with a password, and their roles. */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { DeleteItemCommand } from "dynamodb-toolbox/entity/actions/delete";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { $set, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { map } from "dynamodb-toolbox/schema/map";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { ROLES, type Role } from "../../edge/principal.ts";
import { table } from "../base/table.ts";
import { holds } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { hashPassword, type PasswordHash } from "./password.ts";

/** A password's hash as an attribute: password.ts. */
export const storedPassword = () =>
  map({ salt: string(), hash: string(), cost: number(), block_size: number(), parallelism: number() });

const UserEntity = new Entity({
  name: "user",
  table,
  timestamps: false,
  schema: item({
    name: string().key(),
    role: string().enum(...ROLES),
    password: storedPassword(),
    /** ISO 8601, UTC. */
    created_at: string(),
  }),
  computeKey: ({ name }) => ({ pk: "USERS", sk: name }),
});

const isThere = when(UserEntity, { attr: "name", exists: true });
export type User = FormattedItem<typeof UserEntity>;

/** The user whom a deployment adds to a table without users. */
export const FIRST_USER = "admin";

/** Needs no escaping in headers, logs and transcripts; has no colon, which ends the name in HTTP Basic. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/;

export const isUserName = (name: string): boolean => NAME.test(name);

export async function getUser(name: string): Promise<User | undefined> {
  const { Item } = await UserEntity.build(GetItemCommand).key({ name }).options({ consistent: true }).send();
  return Item;
}

/** Lists users by name. */
export async function listUsers(): Promise<User[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: "USERS" })
    .entities(UserEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return Items ?? [];
}

/** @returns false when there is a user of that name. */
export async function addUser(name: string, role: Role, password: string): Promise<boolean> {
  const user: User = {
    name,
    role,
    password: await hashPassword(password),
    created_at: new Date().toISOString(),
  };
  return holds(
    UserEntity.build(PutItemCommand)
      .item(user)
      .options(when(UserEntity, { name: undefined })),
  );
}

/** @returns false when there is no such user. */
export async function changePassword(name: string, password: string): Promise<boolean> {
  const hash: PasswordHash = await hashPassword(password);
  return holds(
    UserEntity.build(UpdateItemCommand)
      .item({ name, password: $set(hash) })
      .options(isThere),
  );
}

/** @returns false when there is no such user. */
export const changeRole = (name: string, role: Role): Promise<boolean> =>
  holds(UserEntity.build(UpdateItemCommand).item({ name, role }).options(isThere));

/** @returns false when there is no such user. */
export const removeUser = (name: string): Promise<boolean> =>
  holds(UserEntity.build(DeleteItemCommand).key({ name }).options(isThere));
