/**
 * What an attempt to come in takes before it is looked at, and how it ends.
 *
 *     from where the user has come in of late   one of the name's there
 *     from elsewhere                            one of the name's in that network, the address's and the name's, in this order
 *
 * Where none is left while others are under way, it waits for them a little: of right passwords that come in parallel
 * the first makes the address known or gives back what it took, so that the others follow. Of wrong ones no more are
 * looked at than there are tokens.
 */
import type { Bucket, BucketState } from "../store/sign-in.ts";
import { KNOWN_LOCK_OUT, NAME_LOCK_OUT, NETWORK_LOCK_OUT, SOURCE_LOCK_OUT } from "./lock-out.ts";
import { networkOf, sourceOf } from "./source.ts";

/** functions/store/sign-in.ts. */
export interface Attempts {
  takeAttempt(bucket: Bucket, nowMs: number, underWay?: 0 | 1): Promise<boolean>;
  endAttempt(bucket: Bucket, options: { givesBack: boolean }): Promise<void>;
  readBucket(bucket: Bucket, nowMs: number): Promise<BucketState>;
  knownUntil(user: string, source: string, nowMs: number): Promise<number | undefined>;
  rememberSource(user: string, source: string, nowMs: number, keptSeconds: number): Promise<void>;
}

export interface Clock {
  nowMs(): number;
  sleep(ms: number): Promise<unknown>;
}

export interface Attempt {
  /** Of the address, in seconds since 1970; undefined when the user has not come in from there of late. */
  readonly knownUntilS: number | undefined;
  end(options: { givesBack: boolean }): Promise<void>;
}

/** How long others are waited for, in all three seconds: the function has ten. */
const PAUSES_MS = [100, 200, 300, 400, 500, 500, 500, 500];

export const sourceBucket = (address: string): Bucket => ({
  of: `SOURCE#${sourceOf(address)}`,
  from: "ANYONE",
  ...SOURCE_LOCK_OUT,
});

export function bucketsOf(name: string, address: string, { isKnown }: { isKnown: boolean }): Bucket[] {
  const of = `USER#${name}` as const;
  if (isKnown) return [{ of, from: `SOURCE#${sourceOf(address)}`, ...KNOWN_LOCK_OUT }];
  return [
    { of, from: `NETWORK#${networkOf(address)}`, ...NETWORK_LOCK_OUT },
    sourceBucket(address),
    { of, from: "ANYWHERE", ...NAME_LOCK_OUT },
  ];
}

/** @returns undefined when there are no tokens left: it is not to be looked at. */
export async function beginAttempt(
  store: Attempts,
  clock: Clock,
  name: string,
  address: string,
): Promise<Attempt | undefined> {
  const readKnown = () => store.knownUntil(name, sourceOf(address), clock.nowMs());
  let knownUntilS = await readKnown();
  for (const pauseMs of [...PAUSES_MS, 0]) {
    const isKnown = knownUntilS !== undefined;
    const buckets = bucketsOf(name, address, { isKnown });
    const empty = await takeAll(store, clock, buckets);
    if (empty === undefined) {
      return { knownUntilS, end: (options) => endAll(store, buckets, options) };
    }
    // In this order: who is right is remembered first, and ends then.
    const { hasRoom, isUnderWay } = await store.readBucket(empty, clock.nowMs());
    if (!isKnown) knownUntilS = await readKnown();
    if (!isKnown && knownUntilS !== undefined) continue;
    if (!hasRoom && !isUnderWay) return undefined;
    // Room that is there now may be another's by then: it is no reason to use up all tries at once.
    await clock.sleep(pauseMs);
  }
  return undefined;
}

/** All or nothing. @returns the first that is empty. */
async function takeAll(
  store: Attempts,
  clock: Clock,
  buckets: readonly Bucket[],
): Promise<Bucket | undefined> {
  const taken: Bucket[] = [];
  for (const bucket of buckets) {
    if (!(await store.takeAttempt(bucket, clock.nowMs()))) {
      await endAll(store, taken, { givesBack: true });
      return bucket;
    }
    taken.push(bucket);
  }
  return undefined;
}

async function endAll(
  store: Attempts,
  buckets: readonly Bucket[],
  options: { givesBack: boolean },
): Promise<void> {
  await Promise.all(buckets.map((bucket) => store.endAttempt(bucket, options)));
}
