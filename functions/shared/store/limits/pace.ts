/** Counts each user's runs in the current minute. */
import { Entity } from "dynamodb-toolbox/entity";
import { $add, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import type { Pace } from "../../edge/pace.ts";
import { table } from "../base/table.ts";
import { holds } from "../base/transact.ts";
import { quota } from "./quota.ts";

const PaceEntity = new Entity({
  name: "pace",
  table,
  timestamps: false,
  schema: item({
    user: string().key(),
    /** Minutes since 1970. */
    minute: number().key(),
    runs: number().optional(),
    /** The table's time to live: seconds since 1970. */
    expires_s: number(),
  }),
  computeKey: ({ user, minute }) => ({ pk: `PACE#${user}`, sk: `MINUTE#${minute}` }),
});

const MINUTE_S = 60;
const KEPT_SECONDS = 3_600;

export const runPace: Pace = {
  async take(user) {
    const limit = quota("runs_per_minute");
    const nowS = Math.floor(Date.now() / 1000);
    const minute = Math.floor(nowS / MINUTE_S);
    const fits = { attr: "runs", lt: limit } as const;
    const update = PaceEntity.build(UpdateItemCommand)
      .item({ user, minute, runs: $add(1), expires_s: nowS + KEPT_SECONDS })
      .options({ condition: (limit < 1 ? fits : { or: [{ attr: "runs", exists: false }, fits] }) as never });
    return { limit, retryAfterS: (await holds(update)) ? undefined : (minute + 1) * MINUTE_S - nowS };
  },
};
