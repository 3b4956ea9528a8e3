/**
 * Leases of the followers of running captures, and of those of events. For each kind, one item holds the few leases of a user. A new follower evicts the oldest one,
 * which finds at its next poll that its lease is gone. The lease of a function that died expires with the function's time.
 */
import { Entity } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { logger } from "../../edge/log.ts";
import { document } from "../base/document.ts";
import { table } from "../base/table.ts";
import { holds, STALE, untilFresh } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { quota } from "./quota.ts";

/** Maps lease ids to expiry times, in milliseconds since 1970, in order of expiry. */
type Leases = Readonly<Record<string, number>>;

const KINDS = ["captures", "events"] as const;
type Kind = (typeof KINDS)[number];

const FollowedEntity = new Entity({
  name: "followed",
  table,
  timestamps: false,
  schema: item({
    kind: string()
      .key()
      .enum(...KINDS),
    user: string().key(),
    leases: document<Leases>(),
    revision: number(),
    /** The table's time to live: seconds since 1970. */
    expires_s: number(),
  }),
  computeKey: ({ kind, user }) => ({
    pk: `PACE#${user}`,
    sk: kind === "captures" ? "FOLLOWED" : "FOLLOWED_EVENTS",
  }),
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
export async function takeFollowLease(kind: Kind, user: string, forMs: number): Promise<FollowLease> {
  const id = crypto.randomUUID();
  const others = quota(`quota_followed_${kind}`) - 1;
  await change({ kind, user }, (leases) => {
    const newest = Object.entries(leases).toSorted(([, a], [, b]) => b - a);
    return { ...Object.fromEntries(newest.slice(0, others)), [id]: Date.now() + forMs };
  });
  return {
    isHeld: async () => id in ((await readFollowed({ kind, user }))?.leases ?? {}),
    release: () => change({ kind, user }, ({ [id]: _released, ...rest }) => rest),
  };
}

interface Follower {
  readonly kind: Kind;
  readonly user: string;
}

async function readFollowed(follower: Follower) {
  const { Item } = await FollowedEntity.build(GetItemCommand)
    .key(follower)
    .options({ consistent: true })
    .send();
  return Item;
}

/** @param changed receives the leases that have not expired. */
function change(follower: Follower, changed: (leases: Leases) => Leases): Promise<void> {
  return untilFresh(async () => {
    const stored = await readFollowed(follower);
    const live = Object.entries(stored?.leases ?? {}).filter(([, untilMs]) => untilMs > Date.now());
    const leases = changed(Object.fromEntries(live));
    const expires_s = Math.ceil(Math.max(Date.now(), ...Object.values(leases)) / 1000);
    const put = FollowedEntity.build(PutItemCommand)
      .item({ ...follower, leases, revision: (stored?.revision ?? 0) + 1, expires_s })
      .options(when(FollowedEntity, { revision: stored?.revision }));
    return (await holds(put)) ? undefined : STALE;
  });
}

/** Releases the lease before the stream ends, because Lambda freezes the function after that. */
export async function* releasing(
  lease: FollowLease | undefined,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } finally {
    await lease?.release().catch((error: unknown) => {
      logger.warn("The lease of a follower could not be released; it expires", { error: error as Error });
    });
  }
}
