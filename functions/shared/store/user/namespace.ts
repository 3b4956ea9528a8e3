/**
 * Namespaces (edge/namespace.ts): the user of each, with the end. They lie in a partition of their own, so that the function that makes
 * them can make no other users.
 *
 *     PUT -> the user may sign in until expires_at -> refused -> the sweeper removes the projects -> and, hours later, the item
 *
 * The item stays for some hours, because the gateway may admit a caller for as long as it has cached the sign-in.
 */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { DeleteItemCommand } from "dynamodb-toolbox/entity/actions/delete";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { table } from "../base/table.ts";
import { holds } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { generatePassword, hashPassword } from "./password.ts";
import { storedPassword } from "./user.ts";

const NamespaceEntity = new Entity({
  name: "namespace",
  table,
  timestamps: false,
  schema: item({
    name: string().key(),
    password: storedPassword(),
    /** ISO 8601, UTC, like the next. */
    created_at: string(),
    expires_at: string(),
  }),
  computeKey: ({ name }) => ({ pk: "NAMESPACES", sk: name }),
});

export type Namespace = FormattedItem<typeof NamespaceEntity>;

export async function getNamespace(name: string): Promise<Namespace | undefined> {
  const { Item } = await NamespaceEntity.build(GetItemCommand)
    .key({ name })
    .options({ consistent: true })
    .send();
  return Item;
}

/** Lists all, also those that have ended. */
export async function listNamespaces(): Promise<Namespace[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: "NAMESPACES" })
    .entities(NamespaceEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return Items ?? [];
}

/** Makes a namespace, or gives the one of that name another end. @returns also its password, which is another one each time. */
export async function putNamespace(
  name: string,
  expires_at: string,
): Promise<{ readonly namespace: Namespace; readonly password: string }> {
  const password = generatePassword();
  const [before, hash] = await Promise.all([getNamespace(name), hashPassword(password)]);
  const namespace: Namespace = {
    name,
    password: hash,
    created_at: before?.created_at ?? new Date().toISOString(),
    expires_at,
  };
  await NamespaceEntity.build(PutItemCommand).item(namespace).send();
  return { namespace, password };
}

/** @returns false when there is no such namespace. */
export const endNamespace = (name: string, expires_at: string): Promise<boolean> =>
  holds(
    NamespaceEntity.build(UpdateItemCommand)
      .item({ name, expires_at })
      .options(when(NamespaceEntity, { attr: "name", exists: true })),
  );

/** Forgets a namespace, unless it has got another end since it was read. */
export const forgetNamespace = ({ name, expires_at }: Namespace): Promise<boolean> =>
  holds(
    NamespaceEntity.build(DeleteItemCommand).key({ name }).options(when(NamespaceEntity, { expires_at })),
  );

export const hasEnded = ({ expires_at }: Pick<Namespace, "expires_at">, nowMs: number): boolean =>
  Date.parse(expires_at) <= nowMs;
