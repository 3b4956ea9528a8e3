/**
 * Limits how often a user may use the routes that compute. API Gateway's throttles apply to all users together. These routes are
 * expensive enough to justify one more write. Anonymous callers cannot be distinguished, so they are not limited.
 */
import { failure } from "./errors.ts";
import type { Caller } from "./principal.ts";

/** Counts requests. The store implements it, because this folder does not import the store. */
export interface Pace {
  /** Counts one request. @returns the limit and, if it is exceeded, when to retry. */
  take(user: string): Promise<{ readonly limit: number; readonly retryAfterS: number | undefined }>;
}

/** @throws ApiError `request.too-many` */
export async function keepPace(pace: Pace, { name, isAnonymous }: Caller): Promise<void> {
  if (isAnonymous) return;
  const { limit, retryAfterS } = await pace.take(name);
  if (retryAfterS === undefined) return;
  throw failure("request.too-many", { user: name, limit, retry_after_s: retryAfterS }, { retryAfterS });
}
