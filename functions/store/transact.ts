/** Writes that happen together or not at all, and how a lost race is told. */
import { setTimeout as sleep } from "node:timers/promises";
import { ConditionalCheckFailedException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { execute } from "dynamodb-toolbox/entity/actions/transactWrite";
import { failure } from "../api/errors.ts";

export type Transaction = Parameters<typeof execute>[number] & { params(): unknown };

/** A transaction holds at most this many items. */
export const MAX_TRANSACTION_ITEMS = 100;

/** Of many rivals for one item one wins each round, so the last of a crowd needs many. */
const MAX_ATTEMPTS = 30;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 400;

/**
 * Performs all steps or none.
 * @returns the positions of the steps whose condition did not hold; empty when everything was written.
 * @throws ApiError `store.busy` when other transactions kept touching the same items.
 */
export async function transact(steps: readonly Transaction[]): Promise<readonly number[]> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      await execute(...(steps as Parameters<typeof execute>));
      return [];
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const codes = (error.CancellationReasons ?? []).map((reason) => reason.Code);
      const refused = codes.flatMap((code, index) => (code === "ConditionalCheckFailed" ? [index] : []));
      if (refused.length > 0) return refused;
      if (!codes.some(isPassing)) throw error;
      await pause(attempt);
    }
  }
  throw failure("store.busy");
}

const isPassing = (code: string | undefined): boolean =>
  code === "TransactionConflict" || code === "ThrottlingError" || code === "ProvisionedThroughputExceeded";

/** "Full jitter": a random pause under a doubling bound keeps rivals from meeting again. */
const pause = (attempt: number): Promise<void> =>
  sleep(Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt));

/** Sent when what was read has been changed by somebody else before it was written. */
export const STALE = Symbol("stale");

/**
 * Repeats a read followed by a conditional write until nobody came between.
 * @throws ApiError `store.busy` after many lost races.
 */
export async function untilFresh<T>(attemptOnce: () => Promise<T | typeof STALE>): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const result = await attemptOnce();
    if (result !== STALE) return result;
    await pause(attempt);
  }
  throw failure("store.busy");
}

/** Performs one conditional write; false when its condition did not hold. */
export async function holds(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
