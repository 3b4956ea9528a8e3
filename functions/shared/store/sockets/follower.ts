/**
 * Followers of a stream of events over WebSockets. Several functions may want to send to one follower at the same time: each publisher
 * that has stored an event, and the one that opens the connection. One of them holds the follower, and sends all that is new.
 *
 *     sender: it is free  -> the sender holds it, for a time
 *             it is held  -> `wanted` is raised, so that the holder looks again
 *     holder: reads events after `sent`, sends them, and lets go if `wanted` is as it was; else it looks again
 *
 * So a follower gets each event once, in order, and no event is left behind. Only if a holder dies between sending and storing `sent`,
 * the next holder sends those events again, with the same numbers.
 */
import { randomUUID } from "node:crypto";
import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { DeleteItemCommand } from "dynamodb-toolbox/entity/actions/delete";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { $add, $remove, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { boolean } from "dynamodb-toolbox/schema/boolean";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { table } from "../base/table.ts";
import { holds } from "../base/transact.ts";
import { callerAttributes } from "./connection.ts";

/** Longer than sending takes; after it, another sender takes the place of one that has died. */
const HELD_MS = 30_000;

const followersKey = (stream: string): string => `SOCKETS#${stream}`;

const FollowerEntity = new Entity({
  name: "follower",
  table,
  timestamps: false,
  schema: item({
    /** A project's id, or SERVICE_STREAM. */
    stream: string().key(),
    connection_id: string().key(),
    ...callerAttributes,
    /** When the project was created: another project may get its id. Missing in the stream of the service. */
    project_created_us: number().optional(),
    /** The number of the last event that was sent. */
    sent: number(),
    /** Set when the connection is open and has its first message. */
    open: boolean().optional(),
    wanted: number(),
    holder: string().optional(),
    /** Milliseconds since 1970. */
    held_until_ms: number().optional(),
    /** The table's time to live: seconds since 1970. */
    expires_s: number(),
  }),
  computeKey: ({ stream, connection_id }) => ({ pk: followersKey(stream), sk: connection_id }),
});

export type Follower = FormattedItem<typeof FollowerEntity>;
type FollowerKey = Pick<Follower, "stream" | "connection_id">;

export const putFollower = (follower: Omit<Follower, "wanted">): Promise<boolean> =>
  holds(FollowerEntity.build(PutItemCommand).item({ ...follower, wanted: 0 }));

export async function removeFollower({ stream, connection_id }: FollowerKey): Promise<void> {
  await FollowerEntity.build(DeleteItemCommand).key({ stream, connection_id }).send();
}

/** Returns the followers of a stream, also those whose connections are about to open. */
export async function listFollowers(stream: string): Promise<Follower[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: followersKey(stream) })
    .entities(FollowerEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return Items ?? [];
}

/** Returns undefined when the follower has left. */
export async function getFollower({ stream, connection_id }: FollowerKey): Promise<Follower | undefined> {
  const { Item } = await FollowerEntity.build(GetItemCommand)
    .key({ stream, connection_id })
    .options({ consistent: true })
    .send();
  return Item;
}

/** Returns the number of the last event that the follower has got, or undefined when the follower has left. */
export const lastSent = async (key: FollowerKey): Promise<number | undefined> =>
  (await getFollower(key))?.sent;

/** @returns false when the follower has left. */
export const openFollower = ({ stream, connection_id }: FollowerKey): Promise<boolean> =>
  holds(
    FollowerEntity.build(UpdateItemCommand)
      .item({ stream, connection_id, open: true })
      .options({ condition: { attr: "connection_id", exists: true } }),
  );

/** @returns the follower, which the caller now holds; undefined if it is not open, or another sender holds it and will look again. */
export async function holdFollower({ stream, connection_id }: FollowerKey): Promise<Follower | undefined> {
  const held = await updated({
    key: { stream, connection_id },
    change: { wanted: $add(1), holder: randomUUID(), held_until_ms: Date.now() + HELD_MS },
    condition: {
      and: [
        { attr: "open", eq: true },
        {
          or: [
            { attr: "holder", exists: false },
            { attr: "held_until_ms", lt: Date.now() },
          ],
        },
      ],
    },
  });
  if (held) return held;
  const noted = await updated({
    key: { stream, connection_id },
    change: { wanted: $add(1) },
    condition: { attr: "holder", exists: true },
  });
  if (noted) return undefined;
  const follower = await getFollower({ stream, connection_id });
  // An open follower was released between the two updates; others have left, or are not open yet.
  return follower?.open ? holdFollower({ stream, connection_id }) : undefined;
}

/**
 * Notes the last event that was sent, and lets go of the follower.
 * @returns undefined if it has let go, or another sender holds it; else the follower, which was wanted again and is still held.
 */
export async function releaseFollower(held: Follower, sent: number): Promise<Follower | undefined> {
  const { stream, connection_id, holder, wanted } = held;
  const key = { stream, connection_id };
  const isMine = { attr: "holder", eq: holder };
  const released = await updated({
    key,
    change: { sent, holder: $remove(), held_until_ms: $remove() },
    condition: { and: [isMine, { attr: "wanted", eq: wanted }] },
  });
  if (released) return undefined;
  return updated({ key, change: { sent, held_until_ms: Date.now() + HELD_MS }, condition: isMine });
}

/** Lets go of a follower to whom sending has failed. */
export async function abandonFollower(
  { stream, connection_id, holder }: Follower,
  sent: number,
): Promise<void> {
  await updated({
    key: { stream, connection_id },
    change: { sent, holder: $remove(), held_until_ms: $remove() },
    condition: { attr: "holder", eq: holder },
  });
}

interface Update {
  readonly key: FollowerKey;
  readonly change: object;
  readonly condition: object;
}

/** @returns the follower after the change, or undefined when the condition fails. */
async function updated({ key, change, condition }: Update): Promise<Follower | undefined> {
  try {
    const { Attributes } = await FollowerEntity.build(UpdateItemCommand)
      .item({ ...key, ...change } as never)
      .options({ condition: condition as never, returnValues: "ALL_NEW" })
      .send();
    return Attributes as Follower | undefined;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
