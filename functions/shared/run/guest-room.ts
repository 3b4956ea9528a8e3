/**
 * Room for the states of guests. They count towards the stored bytes as the commit of a run finds them, also over the quota: a run of minutes
 * is not lost for its last bytes. So the quota is checked before the run, and passed by what one run adds at most.
 */
import { failureOf } from "../edge/errors.ts";
import { GUEST_ERRORS } from "../edge/own-errors/guest.ts";
import { quota } from "../store/limits/quota.ts";
import type { ProjectItem } from "../store/project/project.ts";
import { bytesOverQuota } from "../store/project/stored-bytes.ts";

/** @throws ApiError `run.no-room` when the project, or its owner, has used up the quota. */
export async function refuseWithoutRoom({ stored_bytes = 0, owner }: ProjectItem): Promise<void> {
  const limit = quota("quota_stored_bytes");
  if (stored_bytes >= limit)
    throw failureOf(GUEST_ERRORS, "run.no-room", { whose: "the project", count: stored_bytes, limit });
  const count = owner === undefined ? undefined : await bytesOverQuota(owner);
  if (count === undefined) return;
  const ownersLimit = quota("quota_user_stored_bytes");
  const whose = `all projects of ${owner}`;
  throw failureOf(GUEST_ERRORS, "run.no-room", { whose, count, limit: ownersLimit });
}
