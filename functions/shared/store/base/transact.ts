/** Atomic writes, and how they report a lost race. */
import { setTimeout as sleep } from "node:timers/promises";
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from "@aws-sdk/client-dynamodb";
import { execute } from "dynamodb-toolbox/entity/actions/transactWrite";
import { failure } from "../../edge/errors.ts";
import { isThrottle, Patience } from "./patience.ts";
import { unavailable } from "./store-faults.ts";

export type Transaction = Parameters<typeof execute>[number] & { params(): unknown };

/** A transaction holds at most this many items. */
export const MAX_TRANSACTION_ITEMS = 100;

/**
 * How long a request, and each of its steps, retries: together within the 29 s of a request. Of many rivals for one item
 * one wins each round, so the last of them needs many rounds.
 */
const PATIENCE_MS = 12_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 400;

/** @throws ApiError `store.busy` when `attemptOnce` returned RIVAL for too long. */
async function persist<T>(
  attemptOnce: () => Promise<T | typeof RIVAL>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const begin = performance.now();
  for (let attempt = 0; performance.now() - begin < patienceMs; attempt++) {
    const result = await attemptOnce();
    if (result !== RIVAL) return result;
    await pause(attempt);
  }
  throw failure("store.busy");
}

/** Another request was writing the same item at the same moment. */
const RIVAL = Symbol("rival");

/** "Full jitter": a random pause under a doubling bound keeps rivals from meeting again. */
const pause = (attempt: number): Promise<void> =>
  sleep(Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10)));

/** The steps of a transaction by name; a name may stand for several steps, or for none. */
type Steps = Readonly<Record<string, Transaction | readonly Transaction[] | undefined>>;

/**
 * Performs all steps or none.
 * @returns the names of the steps whose condition did not hold; empty when everything was written.
 * @throws ApiError `store.busy` when other transactions kept touching the same items, `store.unavailable`.
 */
export function transact<S extends Steps>(named: S): Promise<ReadonlySet<keyof S & string>> {
  const steps = Object.entries(named).flatMap(([name, own]) =>
    [own ?? []].flat().map((step) => ({ name, step: step as Transaction })),
  );
  const patience = new Patience();
  const attempt = async (): Promise<ReadonlySet<keyof S & string> | typeof RIVAL> => {
    try {
      await execute(...(steps.map(({ step }) => step) as Parameters<typeof execute>));
      return new Set<keyof S & string>();
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const codes = (error.CancellationReasons ?? []).map((reason) => reason.Code);
      const refused = steps.filter((_, index) => codes[index] === "ConditionalCheckFailed");
      if (refused.length > 0) return new Set<keyof S & string>(refused.map(({ name }) => name));
      if (codes.some(isThrottle)) {
        // The SDK repeats a throttled write, but no cancelled transaction.
        if (await patience.goesOn()) return attempt();
        throw unavailable(error);
      }
      if (codes.includes("TransactionConflict")) return RIVAL;
      throw error;
    }
  };
  return persist(attempt);
}

/** Performs all steps or none; returns false when a condition did not hold. Throws as `transact` does. */
export const holdsAll = async (steps: readonly Transaction[]): Promise<boolean> =>
  (await transact({ steps })).size === 0;

/** Returned when another request changed what was read before it was written. */
export const STALE = Symbol("stale");

/**
 * Repeats a read followed by a conditional write until no other request writes between the two.
 * @throws ApiError `store.busy` after too many lost races.
 */
export const untilFresh = <T>(
  attemptOnce: () => Promise<T | typeof STALE>,
  patienceMs = PATIENCE_MS,
): Promise<T> =>
  persist(async () => {
    const result = await attemptOnce();
    return result === STALE ? RIVAL : result;
  }, patienceMs);

/**
 * Performs one write; returns false when its condition fails. Waits for a transaction in progress on the same item, which the
 * SDK does not do.
 */
export const holds = (write: { send(): Promise<unknown> }): Promise<boolean> =>
  persist(async () => {
    try {
      await write.send();
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      if (error instanceof TransactionConflictException) return RIVAL;
      throw error;
    }
  });

/** Repeats a batch until the table has processed all of it. @param attemptOnce returns whether it has. */
export const untilProcessed = (attemptOnce: () => Promise<boolean>): Promise<true> =>
  persist(async () => (await attemptOnce()) || RIVAL);
