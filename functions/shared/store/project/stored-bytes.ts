/**
 * Counts the bytes that all projects of a user store, in one item for each user.
 *
 *     before bytes are written     added, on condition that they fit; those of guests in any case
 *     when they do not fit         counted anew, if nothing was added recently: drops the bytes that were deleted since, and those
 *                                  that were added but never written
 *
 * So deletions cost nothing here, and the count is never too low.
 */
import { SERVICE } from "../../edge/access.ts";
import { failure } from "../../edge/errors.ts";
import { count, readCounter, recount } from "../limits/counter.ts";
import { quota } from "../limits/quota.ts";
import { listShownTo } from "./list-seen.ts";
import { readProjects } from "./read-projects.ts";

const counterOf = (user: string) => ({ pk: `USAGE#${user}`, sk: "BYTES" });

/**
 * Bytes that were added longer ago are either written or never will be. A count also reads all projects of the user; this interval
 * keeps the repeated requests of a user who is over the quota from counting each time.
 */
const SETTLED_AFTER_MS = 30_000;

/**
 * Writes packets of a project whose owner has room for them.
 * @param owner undefined with anonymous callers: then nothing is counted.
 * @param write returns false when it wrote nothing.
 * @param guestBytes counted also when there is no room; those that shrink are dropped by the next count.
 * @throws ApiError `quota.user-stored-bytes` before anything is written.
 */
export async function withRoomFor(
  bytes: number,
  owner: string | undefined,
  write: () => Promise<boolean>,
  guestBytes = 0,
): Promise<boolean> {
  const grown = Math.max(guestBytes, 0);
  if (owner === undefined || bytes + grown === 0) return write();
  if (bytes > 0) await addIfRoom(owner, bytes);
  if (grown > 0) await count(counterOf(owner), { bytes: grown }, {}, { changed_ms: Date.now() });
  const written = await write();
  // If this fails, or the write was cut off, these bytes stay counted until the next count.
  if (!written) await count(counterOf(owner), { bytes: -(bytes + grown) });
  return written;
}

async function addIfRoom(owner: string, bytes: number): Promise<void> {
  if (!(await add(owner, bytes))) {
    const counted = await countAnew(owner);
    if (!(await add(owner, bytes))) {
      const limit = quota("quota_user_stored_bytes");
      throw failure("quota.user-stored-bytes", { user: owner, limit, count: counted, amount: bytes });
    }
  }
}

/** @returns the bytes of a user whose quota they use up; undefined when there is room. */
export async function bytesOverQuota(owner: string): Promise<number | undefined> {
  const limit = quota("quota_user_stored_bytes");
  const { bytes = 0 } = await readCounter(counterOf(owner));
  if (bytes < limit) return undefined;
  const counted = await countAnew(owner);
  return counted < limit ? undefined : counted;
}

/** @returns whether there was room. */
const add = (user: string, bytes: number): Promise<boolean> =>
  count(counterOf(user), { bytes }, { bytes: "quota_user_stored_bytes" }, { changed_ms: Date.now() });

/** @returns the count, which may be half a minute old. */
async function countAnew(user: string): Promise<number> {
  const before = await readCounter(counterOf(user));
  if (before.bytes !== undefined && Date.now() - (before.changed_ms ?? 0) < SETTLED_AFTER_MS)
    return before.bytes;
  const projects = await readProjects(SERVICE, await listShownTo(user));
  const bytes = projects
    .filter(({ owner }) => owner === user)
    .reduce((sum, { stored_bytes = 0 }) => sum + stored_bytes, 0);
  const counted = await recount(counterOf(user), before, { bytes, changed_ms: Date.now() });
  return counted ? bytes : (before.bytes ?? bytes);
}
