import type { FollowLease } from "../shared/store/limits/followed.ts";

/** The conditions that end a follower before its capture stops. */
export interface Bounds {
  readonly hasTime: () => boolean;
  /** Undefined for anonymous callers. */
  readonly lease: FollowLease | undefined;
  /** Aborted when the response body is destroyed. */
  readonly gone: AbortSignal;
}
