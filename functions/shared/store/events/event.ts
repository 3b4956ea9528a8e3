/**
 * Events of the interface (docs/interface.md; controller streams and project streams), kept for an hour so that a follower that reconnects
 * misses none.
 *
 *     EVENTS#<project>  EVENT#<number>     an event of the project; of the whole service if <project> is empty
 *     EVENTS#<project>  SOURCE#<sequence>  a change of the table whose events are stored, so that a repeated change makes none
 *     EVENTS#<project>  HEAD               the number of the last event, and how long events are stored
 *
 * Events of a stream are stored from its first follower on, until no follower can continue any more: a run of a lab that no client follows
 * writes none. A follower that opens the stream after that gets a new head, so that numbers of before do not continue it.
 *
 * The events of a stream have consecutive numbers, and each transaction that stores events advances the head. So all followers see one
 * order, and a follower finds out that it has missed an event by a gap in the numbers. The sequence number of the table's stream is not the
 * number of the event, because changes in two partitions of the table may arrive in another order than their sequence numbers have.
 */

import type { FormattedItem } from "dynamodb-toolbox/entity";
import { Entity } from "dynamodb-toolbox/entity";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { optionalDocument } from "../base/document.ts";
import { table } from "../base/table.ts";
import type { FromSettings } from "../project/stored-settings.ts";

/** The stream of the whole service; the other streams have the ids of their projects. */
export const SERVICE_STREAM = "";

/** The attributes of a project that decide who may see it: store/project/access.ts. */
export interface Audience {
  readonly owner?: string | undefined;
  readonly shares?: FromSettings["shares"];
}

export const eventsKey = (stream: string): string => `EVENTS#${stream}`;

/** Numbers below 2^53 have at most this many digits. */
const DIGITS = 16;
export const EVENT = "EVENT#";
export const eventSortKey = (seq: number): string => `${EVENT}${String(seq).padStart(DIGITS, "0")}`;

export const EventEntity = new Entity({
  name: "event",
  table,
  timestamps: false,
  schema: item({
    stream: string().key(),
    seq: number().key(),
    /** JSON text: `{"action": ..., "event": ..., "seq": ...}`. */
    text: string(),
    /** When the change was committed, in seconds since 1970. */
    changed_s: number(),
    /** Who may see an event of the service's stream that is about a project; missing if all users may. */
    audience: optionalDocument<Audience>(),
    /** The table's time to live, like below: seconds since 1970. */
    expires_s: number(),
  }),
  computeKey: ({ stream, seq }) => ({ pk: eventsKey(stream), sk: eventSortKey(seq) }),
});

export type StoredEvent = FormattedItem<typeof EventEntity>;

export const SourceEntity = new Entity({
  name: "event-source",
  table,
  timestamps: false,
  schema: item({ stream: string().key(), source: string().key(), expires_s: number() }),
  computeKey: ({ stream, source }) => ({ pk: eventsKey(stream), sk: `SOURCE#${source}` }),
});

export const HeadEntity = new Entity({
  name: "event-head",
  table,
  timestamps: false,
  schema: item({
    stream: string().key(),
    last: number(),
    /** Events of changes between these times are stored; seconds since 1970. Missing in heads of earlier releases, which stored all. */
    wanted_since_s: number().optional(),
    wanted_until_s: number().optional(),
    expires_s: number(),
  }),
  computeKey: ({ stream }) => ({ pk: eventsKey(stream), sk: "HEAD" }),
});

export type StreamHead = Pick<FormattedItem<typeof HeadEntity>, "last" | "wanted_since_s" | "wanted_until_s">;

/** How long the table keeps an event. */
export const EVENT_SECONDS = 3_600;
/** A follower may last this long: API Gateway closes a WebSocket after two hours. */
const FOLLOWER_SECONDS = 2 * 3_600;
/** The shortest time for which a stream is wanted when a follower opens it, so that the follower can continue after its end. */
export const WANTED_SECONDS = FOLLOWER_SECONDS + EVENT_SECONDS;
/** Added to that time, so that not every follower writes the head. */
export const SPARE_SECONDS = 3_600;

const HEAD_SECONDS = 30 * 86_400;
export const secondsNow = (): number => Math.floor(Date.now() / 1000);
/** Returns when a head expires that is written now. One that replaces it has larger numbers. */
export const headExpiryS = (): number => secondsNow() + HEAD_SECONDS;
/** Returns until when a stream is wanted that a follower opens now. */
export const wantedUntilS = (): number => secondsNow() + WANTED_SECONDS + SPARE_SECONDS;
