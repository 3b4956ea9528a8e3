/**
 * Bytes of packets in all captures of a user's projects: an item for each user.
 *
 *     before packets are written   added, on condition that they fit
 *     when they do not fit         counted anew, when nothing was added for a while: what was deleted since goes, and what was
 *                                  added and then not written
 *
 * So deletions cost nothing here, and the figure is never too low.
 */
import { Entity } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { $add, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { asService } from "../api/access.ts";
import { failure } from "../api/errors.ts";
import { listShownTo } from "./list-seen.ts";
import { quota } from "./quota.ts";
import { readProjects } from "./read.ts";
import { table } from "./table.ts";
import { holds } from "./transact.ts";

const StoredBytesEntity = new Entity({
  name: "stored-bytes",
  table,
  timestamps: false,
  schema: item({
    user: string().key(),
    bytes: number().optional(),
    /** When they were last added to, or counted, in milliseconds since 1970. */
    changed_ms: number().optional(),
  }),
  computeKey: ({ user }) => ({ pk: `USAGE#${user}`, sk: "BYTES" }),
});

/**
 * What was added longer ago is written, or never will be. Counting reads all projects of the user, too: one who is over the quota
 * and goes on asking is not counted each time.
 */
const SETTLED_AFTER_MS = 30_000;

/**
 * Writes packets of a project whose owner has room for them.
 * @param owner undefined where nobody is asked who they are: nothing is counted then.
 * @param write false when nothing was written.
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
  // Should this fail, or the write have been cut off, they are counted until the next count.
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

/** @returns the figure, which is half a minute old at most. */
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
