/**
 * Takes tokens for a sign-in attempt before its password is checked, and ends the attempt.
 *
 *     from an address known for the user   one of the name's tokens for that address
 *     from another address                 one of the name's in that network, the address's and the name's, in this order
 *
 * If a bucket is empty while other attempts are in progress, the attempt waits for them a little: of parallel attempts with the
 * right password the first makes the address known or gives back its tokens, so the others can follow. No more wrong passwords are
 * checked than there are tokens. If the others do not end either, the service is overloaded: the attempt fails, and is not a refusal.
 */
import type { Bucket, BucketState } from "../shared/store/user/sign-in.ts";
import { KNOWN_LOCK_OUT, NAME_LOCK_OUT, NETWORK_LOCK_OUT, SOURCE_LOCK_OUT } from "./lock-out.ts";
import { Overloaded } from "./overloaded.ts";
import { networkOf, sourceOf } from "./source.ts";

/** Implemented by functions/shared/store/user/sign-in.ts. */
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
  /** When the address stops being known for the user, in seconds since 1970; undefined when it is not known. */
  readonly knownUntilS: number | undefined;
  end(options: { givesBack: boolean }): Promise<void>;
}

/** Pauses while other attempts end, three seconds in all: the function has ten. */
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

/**
 * @returns undefined when no tokens are left: the caller must not check the password.
 * @throws Overloaded when other attempts hold the tokens for too long.
 */
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
    // In this order, because a successful attempt makes its address known before it ends.
    const { hasRoom, isUnderWay } = await store.readBucket(empty, clock.nowMs());
    if (!isKnown) knownUntilS = await readKnown();
    if (!isKnown && knownUntilS !== undefined) continue;
    if (!hasRoom && !isUnderWay) return undefined;
    // Another attempt may take the room first, so the pause also applies when there is room.
    await clock.sleep(pauseMs);
  }
  throw new Overloaded("other attempts hold the tokens");
}

/** Takes from all buckets or none. @returns the first empty bucket. */
async function takeAll(
  store: Attempts,
  clock: Clock,
  buckets: readonly Bucket[],
): Promise<Bucket | undefined> {
  const taken: Bucket[] = [];
  for (const bucket of buckets) {
    const isTaken = await store.takeAttempt(bucket, clock.nowMs()).catch(async (error: unknown) => {
      await endAll(store, taken, { givesBack: true });
      throw error;
    });
    if (!isTaken) {
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
