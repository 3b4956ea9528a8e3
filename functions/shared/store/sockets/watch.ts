/**
 * Which function follows computes for the clients that follow events over WebSockets: one at a time, for whose lease the others wait. A call
 * that finds the lease taken raises `wanted`, so that the holder looks for new clients before it ends.
 */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { $add, $remove, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { table } from "../base/table.ts";
import { holds } from "../base/transact.ts";
import { when } from "../base/when.ts";

const PARTITION = "SOCKETS#WATCH";
const CALL_SECONDS = 3_600;

const LeaseEntity = new Entity({
  name: "watch-lease",
  table,
  timestamps: false,
  schema: item({
    id: string().key().const("LEASE"),
    wanted: number(),
    holder: string().optional(),
    /** Milliseconds since 1970. */
    held_until_ms: number().optional(),
  }),
  computeKey: ({ id }) => ({ pk: PARTITION, sk: id }),
});

/**
 * Calls the function: the publisher finds the item in the table's stream. A function that called itself by Lambda's Invoke would be stopped as a
 * loop after 16 calls.
 */
const CallEntity = new Entity({
  name: "watch-call",
  table,
  timestamps: false,
  schema: item({
    id: string().key(),
    /** The table's time to live: seconds since 1970. */
    expires_s: number(),
  }),
  computeKey: ({ id }) => ({ pk: PARTITION, sk: `CALL#${id}` }),
});

export type WatchLease = Pick<FormattedItem<typeof LeaseEntity>, "holder" | "wanted">;

const KEY = { id: "LEASE" } as const;

/** @returns the lease; undefined if another function has it, which will look for new clients before it ends. */
export async function takeWatch(holder: string, untilMs: number): Promise<WatchLease | undefined> {
  const take = LeaseEntity.build(UpdateItemCommand)
    .item({ ...KEY, wanted: $add(1), holder, held_until_ms: untilMs })
    .options({
      ...when(LeaseEntity, {
        or: [{ holder: undefined }, { attr: "held_until_ms", lt: Date.now() }, { holder }],
      }),
      returnValues: "ALL_NEW",
    });
  let taken: unknown;
  const isTaken = await holds({
    async send() {
      taken = (await take.send()).Attributes;
    },
  });
  if (isTaken) return taken as WatchLease;
  const noted = LeaseEntity.build(UpdateItemCommand)
    .item({ ...KEY, wanted: $add(1) })
    .options(when(LeaseEntity, { attr: "holder", exists: true }));
  // The holder may have let go between the two.
  return (await holds(noted)) ? undefined : takeWatch(holder, untilMs);
}

/** @returns false when the function was wanted since it took the lease, or last called this; it still has the lease then. */
export async function leaveWatch(lease: WatchLease): Promise<boolean> {
  const leave = LeaseEntity.build(UpdateItemCommand)
    .item({ ...KEY, holder: $remove(), held_until_ms: $remove() })
    .options(when(LeaseEntity, { holder: lease.holder ?? "", wanted: lease.wanted }));
  return holds(leave);
}

/** Lets go of the lease, also if the function is wanted: it cannot go on. */
export async function dropWatch({ holder = "" }: WatchLease): Promise<void> {
  const leave = LeaseEntity.build(UpdateItemCommand)
    .item({ ...KEY, holder: $remove(), held_until_ms: $remove() })
    .options(when(LeaseEntity, { holder }));
  await holds(leave);
}

export async function callWatcher(): Promise<void> {
  const expires_s = Math.ceil(Date.now() / 1000) + CALL_SECONDS;
  await CallEntity.build(PutItemCommand).item({ id: crypto.randomUUID(), expires_s }).send();
}
