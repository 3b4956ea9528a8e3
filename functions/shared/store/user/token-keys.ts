/**
 * The keys that sign the service's own tokens: the current one, and the one before, whose tokens are valid until they expire. The
 * function that issues tokens makes the first key and replaces old ones. Deleting the item ends all sessions.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { item } from "dynamodb-toolbox/schema/item";
import { map } from "dynamodb-toolbox/schema/map";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import type { TokenKey } from "../../edge/session-token.ts";
import { table } from "../base/table.ts";
import { holds } from "../base/transact.ts";
import { when } from "../base/when.ts";

/** @param secret base64. */
const key = () => map({ id: string(), secret: string(), made_s: number() });

const KeysEntity = new Entity({
  name: "token-keys",
  table,
  timestamps: false,
  schema: item({
    id: string().key().const("CURRENT").default("CURRENT"),
    current: key(),
    previous: key().optional(),
  }),
  computeKey: ({ id }) => ({ pk: "TOKEN_KEYS", sk: id }),
});
type Keys = FormattedItem<typeof KeysEntity>;
type StoredKey = Keys["current"];

/** HMAC-SHA256 gains nothing from a longer key. */
const KEY_BYTES = 32;
/** Longer than a token is valid. */
const REPLACED_AFTER_S = 7 * 86_400;

const toKey = ({ id, secret }: StoredKey): TokenKey => ({ id, bytes: Buffer.from(secret, "base64") });

async function readKeys(): Promise<Keys | undefined> {
  const { Item } = await KeysEntity.build(GetItemCommand)
    .key({ id: "CURRENT" })
    .options({ consistent: true })
    .send();
  return Item;
}

/** Returns the keys with which a token may be signed. */
export async function listTokenKeys(): Promise<TokenKey[]> {
  const keys = await readKeys();
  return [keys?.current, keys?.previous].flatMap((each) => (each === undefined ? [] : [toKey(each)]));
}

/** Returns the key for new tokens. Of concurrent calls that make a key, one stores its own, and the others use that one. */
export async function signingKey(nowS: number): Promise<TokenKey> {
  for (;;) {
    const keys = await readKeys();
    if (keys !== undefined && nowS - keys.current.made_s < REPLACED_AFTER_S) return toKey(keys.current);
    const current = {
      id: randomUUID(),
      secret: randomBytes(KEY_BYTES).toString("base64"),
      made_s: nowS,
    };
    const put = KeysEntity.build(PutItemCommand)
      .item({ current, ...(keys && { previous: keys.current }) })
      .options(
        keys
          ? when(KeysEntity, { "current.id": keys.current.id })
          : when(KeysEntity, { attr: "current", exists: false }),
      );
    if (await holds(put)) return toKey(current);
  }
}
