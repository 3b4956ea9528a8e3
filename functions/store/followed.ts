/**
 * Captures that a user follows at present: each holds a function for minutes, so a user may hold so many. One item a user, which
 * is read and written when one is begun and when it ends; who dies without ending it gives it back when its time is over.
 */
import { Entity } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { failure } from "../api/errors.ts";
import { document } from "./document.ts";
import { quota } from "./quota.ts";
import { table } from "./table.ts";
import { holds, STALE, untilFresh } from "./transact.ts";

/** Until when each is held: milliseconds since 1970. */
type Leases = Readonly<Record<string, number>>;

const FollowedEntity = new Entity({
  name: "followed",
  table,
  timestamps: false,
  schema: item({
    user: string().key(),
    leases: document<Leases>(),
    revision: number(),
    /** The table's time to live: seconds since 1970. */
    expires_s: number(),
  }),
  computeKey: ({ user }) => ({ pk: `PACE#${user}`, sk: "FOLLOWED" }),
});

const RETRY_AFTER_S = 60;

/**
 * Takes one of the user's places.
 * @param forMs how long at most it is held.
 * @returns what gives it back.
 * @throws ApiError `capture.too-many-followed`
 */
export async function takeFollowed(user: string, forMs: number): Promise<() => Promise<void>> {
  const id = crypto.randomUUID();
  const limit = quota("followed_captures");
  await change(user, (leases) => {
    if (Object.keys(leases).length >= limit)
      throw failure("capture.too-many-followed", { user, limit, retry_after_s: RETRY_AFTER_S });
    return { ...leases, [id]: Date.now() + forMs };
  });
  return () => change(user, ({ [id]: _over, ...others }) => others);
}

/** @param changed is given the leases that still count. */
function change(user: string, changed: (leases: Leases) => Leases): Promise<void> {
  return untilFresh(async () => {
    const { Item } = await FollowedEntity.build(GetItemCommand)
      .key({ user })
      .options({ consistent: true })
      .send();
    const live = Object.entries(Item?.leases ?? {}).filter(([, untilMs]) => untilMs > Date.now());
    const leases = changed(Object.fromEntries(live));
    const expires_s = Math.ceil(Math.max(Date.now(), ...Object.values(leases)) / 1000);
    const condition = Item
      ? { attr: "revision" as const, eq: Item.revision }
      : { attr: "revision" as const, exists: false as const };
    const put = FollowedEntity.build(PutItemCommand)
      .item({ user, leases, revision: (Item?.revision ?? 0) + 1, expires_s })
      .options({ condition });
    return (await holds(put)) ? undefined : STALE;
  });
}
