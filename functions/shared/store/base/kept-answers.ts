/** Bounds the bytes of responses that are stored for each user under idempotency keys. */
import { Entity } from "dynamodb-toolbox/entity";
import { $add, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { quota } from "../limits/quota.ts";
import { table } from "./table.ts";
import { holds } from "./transact.ts";

const KeptAnswersEntity = new Entity({
  name: "kept-answers",
  table,
  timestamps: false,
  schema: item({
    user: string().key(),
    /** Days since 1970. */
    day: number().key(),
    bytes: number().optional(),
    /** The table's time to live: seconds since 1970. */
    expires_s: number(),
  }),
  computeKey: ({ user, day }) => ({ pk: `PACE#${user}`, sk: `KEPT#${day}` }),
});

const DAY_S = 86_400;

/** Most responses are smaller than this and need no counter write; the throttles of the stage bound their number. */
const UNCOUNTED_BYTES = 1_024;

/** Counts a response of so many bytes, compressed. @returns false when the user's daily limit is reached. */
export async function mayKeep(user: string, bytes: number): Promise<boolean> {
  if (bytes <= UNCOUNTED_BYTES) return true;
  const most = quota("kept_answer_bytes") - bytes;
  if (most < 0) return false;
  const nowS = Math.floor(Date.now() / 1000);
  const condition = {
    or: [
      { attr: "bytes", exists: false },
      { attr: "bytes", lte: most },
    ],
  };
  return holds(
    KeptAnswersEntity.build(UpdateItemCommand)
      .item({ user, day: Math.floor(nowS / DAY_S), bytes: $add(bytes), expires_s: nowS + 2 * DAY_S })
      .options({ condition: condition as never }),
  );
}
