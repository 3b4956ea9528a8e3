/**
 * Counts the bytes of packets in all captures of a user's projects, in one item for each user.
 *
 *     before packets are written   added, on condition that they fit
 *     when they do not fit         counted anew, if nothing was added recently: drops the bytes that were deleted since, and those
 *                                  that were added but never written
 *
 * So deletions cost nothing here, and the count is never too low.
 */
import { Entity } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { $add, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { asService } from "../../edge/access.ts";
import { failure } from "../../edge/errors.ts";
import { table } from "../base/table.ts";
import { holds } from "../base/transact.ts";
import { listShownTo } from "../project/list-seen.ts";
import { readProjects } from "../project/read.ts";
import { quota } from "./quota.ts";

const StoredBytesEntity = new Entity({
  name: "stored-bytes",
  table,
  timestamps: false,
  schema: item({
    user: string().key(),
    bytes: number().optional(),
    /** When bytes were last added or counted, in milliseconds since 1970. */
    changed_ms: number().optional(),
  }),
  computeKey: ({ user }) => ({ pk: `USAGE#${user}`, sk: "BYTES" }),
});

/**
 * Bytes that were added longer ago are either written or never will be. A count also reads all projects of the user; this interval
 * keeps the repeated requests of a user who is over the quota from counting each time.
 */
const SETTLED_AFTER_MS = 30_000;

/**
 * Writes packets of a project whose owner has room for them.
 * @param owner undefined with anonymous callers: then nothing is counted.
 * @param write returns false when it wrote nothing.
 * @throws ApiError `quota.user-stored-bytes` before anything is written.
 */
export async function withRoomFor(
  bytes: number,
  owner: string | undefined,
  write: () => Promise<boolean>,
): Promise<boolean> {
  if (owner === undefined || bytes === 0) return write();
  if (!(await add(owner, bytes))) {
    const count = await countAnew(owner);
    if (!(await add(owner, bytes))) {
      const limit = quota("user_stored_bytes");
      throw failure("quota.user-stored-bytes", { user: owner, limit, count, amount: bytes });
    }
  }
  const written = await write();
  // If this fails, or the write was cut off, these bytes stay counted until the next count.
  if (!written)
    await StoredBytesEntity.build(UpdateItemCommand)
      .item({ user: owner, bytes: $add(-bytes) })
      .send();
  return written;
}

/** @returns whether there was room. */
function add(user: string, bytes: number): Promise<boolean> {
  const most = quota("user_stored_bytes") - bytes;
  const fits = { attr: "bytes" as const, lte: most };
  const condition = most < 0 ? fits : { or: [{ attr: "bytes" as const, exists: false as const }, fits] };
  return holds(
    StoredBytesEntity.build(UpdateItemCommand)
      .item({ user, bytes: $add(bytes), changed_ms: Date.now() })
      .options({ condition: condition as never }),
  );
}

/** @returns the count, which may be half a minute old. */
async function countAnew(user: string): Promise<number> {
  const { Item } = await StoredBytesEntity.build(GetItemCommand)
    .key({ user })
    .options({ consistent: true })
    .send();
  const { bytes: before, changed_ms = 0 } = Item ?? {};
  if (before !== undefined && Date.now() - changed_ms < SETTLED_AFTER_MS) return before;
  const projects = await asService(async () => readProjects(await listShownTo(user)));
  const bytes = projects
    .filter(({ owner }) => owner === user)
    .reduce((sum, { stored_bytes = 0 }) => sum + stored_bytes, 0);
  const asRead = before === undefined ? { exists: false as const } : { eq: before };
  const counted = await holds(
    StoredBytesEntity.build(UpdateItemCommand)
      .item({ user, bytes, changed_ms: Date.now() })
      .options({ condition: { attr: "bytes" as const, ...asRead } as never }),
  );
  return counted ? bytes : (before ?? bytes);
}
