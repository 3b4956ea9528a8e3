/**
 * Leases of the followers of running captures. One item holds the few leases of a user. A new follower evicts the oldest one,
 * which finds at its next poll that its lease is gone. The lease of a function that died expires with the function's time.
 */
import { Entity } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { document } from "../base/document.ts";
import { table } from "../base/table.ts";
import { holds, STALE, untilFresh } from "../base/transact.ts";
import { quota } from "./quota.ts";

/** Maps lease ids to expiry times, in milliseconds since 1970, in order of expiry. */
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

export interface FollowLease {
  /** Returns false after newer followers have evicted this lease. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Takes a lease, and evicts the user's oldest ones beyond the limit.
 * @param forMs the remaining time of the function.
 */
export async function takeFollowLease(user: string, forMs: number): Promise<FollowLease> {
  const id = crypto.randomUUID();
  const others = quota("followed_captures") - 1;
  await change(user, (leases) => {
    const newest = Object.entries(leases).toSorted(([, a], [, b]) => b - a);
    return { ...Object.fromEntries(newest.slice(0, others)), [id]: Date.now() + forMs };
  });
  return {
    isHeld: async () => id in ((await readFollowed(user))?.leases ?? {}),
    release: () => change(user, ({ [id]: _released, ...rest }) => rest),
  };
}

async function readFollowed(user: string) {
  const { Item } = await FollowedEntity.build(GetItemCommand)
    .key({ user })
    .options({ consistent: true })
    .send();
  return Item;
}

/** @param changed receives the leases that have not expired. */
function change(user: string, changed: (leases: Leases) => Leases): Promise<void> {
  return untilFresh(async () => {
    const stored = await readFollowed(user);
    const live = Object.entries(stored?.leases ?? {}).filter(([, untilMs]) => untilMs > Date.now());
    const leases = changed(Object.fromEntries(live));
    const expires_s = Math.ceil(Math.max(Date.now(), ...Object.values(leases)) / 1000);
    const condition = stored
      ? { attr: "revision" as const, eq: stored.revision }
      : { attr: "revision" as const, exists: false as const };
    const put = FollowedEntity.build(PutItemCommand)
      .item({ user, leases, revision: (stored?.revision ?? 0) + 1, expires_s })
      .options({ condition });
    return (await holds(put)) ? undefined : STALE;
  });
}
