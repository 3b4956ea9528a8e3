/**
 * Records of sign-in attempts: how many were taken recently and not given back, and the addresses from which users have
 * signed in. All records expire.
 *
 * Attempts are counted before the password is checked, and under the given name, whether or not there is such a user.
 * Each counter is a token bucket, stored as a single timestamp: when it will be full again
 * (https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm).
 */
import { Entity } from "dynamodb-toolbox/entity";
import { BatchDeleteRequest } from "dynamodb-toolbox/entity/actions/batchDelete";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { $add, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { batchDelete } from "../base/batch.ts";
import { table } from "../base/table.ts";
import { holds } from "../base/transact.ts";
import { when } from "../base/when.ts";

/** A counter of attempts and its limits. */
export interface Bucket {
  /** `USER#<name>` or `SOURCE#<address>`. */
  readonly of: `USER#${string}` | `SOURCE#${string}`;
  /** `ANYWHERE`, `NETWORK#<network>` or `SOURCE#<address>`. */
  readonly from: string;
  readonly guesses: number;
  readonly secondsEach: number;
}

export interface BucketState {
  readonly hasRoom: boolean;
  /** True while the outcome of recent attempts is unknown, so that they may still be given back. */
  readonly isUnderWay: boolean;
}

const BucketEntity = new Entity({
  name: "sign-in-attempts",
  table,
  timestamps: false,
  schema: item({
    of: string().key(),
    from: string().key(),
    /** When the bucket is full again, in milliseconds since 1970. */
    full_ms: number().optional(),
    under_way: number().optional(),
    taken_ms: number().optional(),
    /** The table's time to live: seconds since 1970. The table may remove an expired item days later. */
    expires_s: number().optional(),
  }),
  computeKey: ({ of, from }) => ({ pk: `FAILURES#${of}`, sk: from }),
});

const KnownSourceEntity = new Entity({
  name: "known-source",
  table,
  timestamps: false,
  schema: item({ user: string().key(), source: string().key(), expires_s: number() }),
  computeKey: ({ user, source }) => ({ pk: `KNOWN_SOURCES#${user}`, sk: source }),
});

const KEPT_SECONDS = 3600;
/** An attempt takes no longer than the function may; an older one has died. */
const UNDER_WAY_MS = 10_000;

const inSeconds = (epochMs: number): number => Math.floor(epochMs / 1000);

/** Returns the latest time at which a bucket with a token left may be full again. */
const latestMs = ({ guesses, secondsEach }: Bucket, nowMs: number): number =>
  nowMs + (guesses - 1) * secondsEach * 1000;

/**
 * Takes a token, which counts an attempt; concurrent calls are counted separately.
 * @param underWay 0 for an attempt with a known outcome.
 * @returns false, and counts nothing, when no token is left.
 */
export async function takeAttempt(bucket: Bucket, nowMs: number, underWay: 0 | 1 = 1): Promise<boolean> {
  const { of, from } = bucket;
  const eachMs = bucket.secondsEach * 1000;
  const common = {
    of,
    from,
    under_way: $add(underWay),
    taken_ms: nowMs,
    expires_s: inSeconds(nowMs) + KEPT_SECONDS,
  };
  const toFull = BucketEntity.build(UpdateItemCommand)
    .item({ ...common, full_ms: nowMs + eachMs })
    .options(when(BucketEntity, { or: [{ full_ms: undefined }, { attr: "full_ms", lte: nowMs }] }));
  if (await holds(toFull)) return true;
  // Tokens that were given back meanwhile make the bucket fuller than the stored time states, never emptier.
  const toOthers = BucketEntity.build(UpdateItemCommand)
    .item({ ...common, full_ms: $add(eachMs) })
    .options(when(BucketEntity, { attr: "full_ms", lte: latestMs(bucket, nowMs) }));
  return holds(toOthers);
}

/** Ends an attempt that was taken. @param givesBack true when the password was right or not checked: then the attempt does not count. */
export async function endAttempt(
  { of, from, secondsEach }: Bucket,
  { givesBack }: { givesBack: boolean },
): Promise<void> {
  const end = BucketEntity.build(UpdateItemCommand)
    .item({ of, from, under_way: $add(-1), ...(givesBack && { full_ms: $add(-secondsEach * 1000) }) })
    // The counter may have been cleared meanwhile.
    .options(when(BucketEntity, { attr: "full_ms", exists: true }));
  await holds(end);
}

export async function readBucket(bucket: Bucket, nowMs: number): Promise<BucketState> {
  const { of, from } = bucket;
  const { Item } = await BucketEntity.build(GetItemCommand)
    .key({ of, from })
    .options({ consistent: true })
    .send();
  const { full_ms = 0, under_way = 0, taken_ms = 0 } = Item ?? {};
  return {
    hasRoom: full_ms <= latestMs(bucket, nowMs),
    isUnderWay: under_way > 0 && nowMs < taken_ms + UNDER_WAY_MS,
  };
}

/** Clears all attempts under a name. @returns the number of counters cleared. */
export async function clearAttempts(name: string): Promise<number> {
  const { Items = [] } = await table
    .build(QueryCommand)
    .query({ partition: `FAILURES#USER#${name}` })
    .entities(BucketEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  await batchDelete(Items.map(({ of, from }) => BucketEntity.build(BatchDeleteRequest).key({ of, from })));
  return Items.length;
}

/**
 * Checks whether the user has signed in from this address recently.
 * @returns until when that counts, in seconds since 1970; undefined when it does not.
 */
export async function knownUntil(user: string, source: string, nowMs: number): Promise<number | undefined> {
  const { Item } = await KnownSourceEntity.build(GetItemCommand)
    .key({ user, source })
    .options({ consistent: true })
    .send();
  return Item !== undefined && Item.expires_s > inSeconds(nowMs) ? Item.expires_s : undefined;
}

export async function rememberSource(
  user: string,
  source: string,
  nowMs: number,
  keptSeconds: number,
): Promise<void> {
  await KnownSourceEntity.build(PutItemCommand)
    .item({ user, source, expires_s: inSeconds(nowMs) + keptSeconds })
    .send();
}
