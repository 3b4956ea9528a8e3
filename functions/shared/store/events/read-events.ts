/** Reads the events of a stream. */
import { setTimeout as sleep } from "node:timers/promises";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import type { Caller } from "../../edge/principal.ts";
import { nowUs, table } from "../base/table.ts";
import { holds } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { roleIn } from "../project/access.ts";
import {
  EVENT,
  EventEntity,
  eventSortKey,
  eventsKey,
  HeadEntity,
  headExpiryS,
  type StoredEvent,
  type StreamHead,
  secondsNow,
  WANTED_SECONDS,
  wantedUntilS,
} from "./event.ts";

/** Returned instead of events when some between have expired, or when the stream has never had the event to continue after. */
export const EXPIRED = Symbol("expired");

/** Returns undefined while the stream has had no follower. */
export async function readHead(stream: string): Promise<StreamHead | undefined> {
  const { Item } = await HeadEntity.build(GetItemCommand)
    .key({ stream })
    .options({ consistent: true })
    .send();
  return Item;
}

/** Returns whether a follower may still want events of the stream. */
export const isWanted = ({ wanted_until_s }: StreamHead): boolean =>
  wanted_until_s === undefined || wanted_until_s > secondsNow();

/**
 * Has the events of a stream stored for as long as a follower may last that begins now, and continue after its end.
 * @returns the number of the stream's last event, after which the events of the follower begin.
 */
export async function openStream(stream: string): Promise<number> {
  const head = await readHead(stream);
  const nowS = secondsNow();
  if (head !== undefined && isWanted(head)) {
    const isLongEnough = (head.wanted_until_s ?? 0) >= nowS + WANTED_SECONDS;
    if (isLongEnough || (await putHead(stream, head, { ...head, wanted_until_s: wantedUntilS() })))
      return head.last;
    return openStream(stream);
  }
  // Numbers of a new head exceed those of the one before: changes between the two have no events.
  const last = Math.max(nowUs(), (head?.last ?? 0) + 1);
  const next = { last, wanted_since_s: nowS, wanted_until_s: wantedUntilS() };
  return (await putHead(stream, head, next)) ? last : openStream(stream);
}

/** @returns false when the head is not as it was read. */
const putHead = (stream: string, asRead: StreamHead | undefined, next: StreamHead): Promise<boolean> =>
  holds(
    HeadEntity.build(PutItemCommand)
      .item({ ...next, stream, expires_s: headExpiryS() })
      .options(when(HeadEntity, { last: asRead?.last, wanted_until_s: asRead?.wanted_until_s })),
  );

/** A Query may see a part of a transaction; the rest follows within milliseconds. */
const GAP_ATTEMPTS = 5;
const GAP_PAUSE_MS = 40;

/**
 * Returns the events after a number in their order, at most `limit`.
 * @param after the number of the last event that the follower has: see `openStream`.
 */
export async function readEvents(
  stream: string,
  after: number,
  limit = 100,
): Promise<readonly StoredEvent[] | typeof EXPIRED> {
  for (let attempt = 1; ; attempt++) {
    const found = await queryEvents(stream, after, limit);
    const whole = found.filter((event, index) => event.seq === found[0]!.seq + index);
    const isNext = found.length === 0 || found[0]!.seq === after + 1;
    if (isNext) return whole;
    if (attempt === GAP_ATTEMPTS) return EXPIRED;
    await sleep(GAP_PAUSE_MS);
  }
}

async function queryEvents(stream: string, after: number, limit: number): Promise<StoredEvent[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({
      partition: eventsKey(stream),
      range: { between: [eventSortKey(after + 1), `${EVENT}\uffff`] },
    })
    .entities(EventEntity)
    .options({ consistent: true, limit })
    .send();
  return Items ?? [];
}

/**
 * Returns an event's JSON text for a follower.
 * @param host the host at which the follower reached the service: there is the console of a node, as the routes return it.
 */
export function textFor({ text }: StoredEvent, host: string): string {
  if (!text.startsWith('{"action":"node.')) return text;
  const line = JSON.parse(text) as { event: object };
  return JSON.stringify({ ...line, event: { ...line.event, console_host: host } });
}

/** Returns whether a caller may see an event of the service's stream. */
export const maySee = ({ audience }: StoredEvent, caller: Caller): boolean =>
  audience === undefined || roleIn(audience, caller) !== undefined;

/**
 * Returns whether an event is of an earlier project, whose id the project has got since. The time of an event has whole seconds, so one in
 * the second of the creation counts as the project's own.
 */
export const wasBefore = ({ changed_s }: StoredEvent, { created_us }: { created_us: number }): boolean =>
  (changed_s + 1) * 1_000_000 <= created_us;
