/**
 * How often a user may use the routes that compute. API Gateway's throttles know no users, only all of them together; these
 * routes are dear enough for one more write. Where nobody is asked who they are there is nobody to tell apart.
 */
import { failure } from "./errors.ts";
import type { Caller } from "./principal.ts";

/** Where it is counted: the store's, which this room does not import. */
export interface Pace {
  /** Counts one more. @returns the limit, and when to come back if it is passed. */
  take(user: string): Promise<{ readonly limit: number; readonly retryAfterS: number | undefined }>;
}

/** @throws ApiError `request.too-many` */
export async function keepPace(pace: Pace, { name, isAnonymous }: Caller): Promise<void> {
  if (isAnonymous) return;
  const { limit, retryAfterS } = await pace.take(name);
  if (retryAfterS === undefined) return;
  throw failure("request.too-many", { user: name, limit, retry_after_s: retryAfterS }, { retryAfterS });
}
