/** Stores the events of changes, each once. */
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { MAX_TRANSACTION_ITEMS, STALE, type Transaction, transact, untilFresh } from "../base/transact.ts";
import { when } from "../base/when.ts";
import {
  type Audience,
  EVENT_SECONDS,
  EventEntity,
  HeadEntity,
  headExpiryS,
  SourceEntity,
  type StreamHead,
  secondsNow,
  wantedUntilS,
} from "./event.ts";
import { isWanted, readHead } from "./read-events.ts";

/** An event before it has a number. */
export interface NewEvent {
  /** `node.updated`, ... */
  readonly action: string;
  /** The resource, as the routes return it. */
  readonly event: object;
  readonly audience?: Audience | undefined;
}

/** The events that one change of an item makes in a stream. */
export interface ChangeEvents {
  /** The change's sequence number in the table's stream. */
  readonly source: string;
  /** When the change was committed, in seconds since 1970. */
  readonly changedS: number;
  readonly events: readonly NewEvent[];
}

/** DynamoDB keeps a change in the table's stream for a day, so a batch can be repeated that long. */
const SOURCE_SECONDS = 2 * 86_400;

/** A transaction holds 4 MB. */
const MAX_BYTES = 3_000_000;

/**
 * A change that was committed this long before the stream had its follower makes no event. The two times are of different clocks, and a
 * follower may be sent an event of a change that it has read already.
 */
const CLOCK_MARGIN_S = 60;

/**
 * Stores the events of a stream in the order of the changes, and omits those of changes that are already stored. The call can be
 * interrupted and repeated. A follower that opens the stream meanwhile reads the state of before after it, so it needs no event of it.
 * @param stream a project's id, or SERVICE_STREAM.
 * @param stored gets the sources of the changes that need no further call, also if the call fails.
 * @returns false when no follower wants the stream: then nothing is stored.
 */
export async function publishEvents(
  stream: string,
  changes: readonly ChangeEvents[],
  stored = new Set<string>(),
): Promise<boolean> {
  let left = changes;
  while (left.length > 0) {
    const chunk = firstOf(left);
    const sources = await untilFresh(() => storeChunk(stream, chunk));
    if (sources === UNWANTED) return false;
    for (const source of sources) stored.add(source);
    left = left.filter(({ source }) => !stored.has(source));
  }
  return true;
}

const UNWANTED = Symbol("unwanted");

/** @returns the sources of the chunk whose events are stored now, or need not be. */
async function storeChunk(
  stream: string,
  chunk: readonly ChangeEvents[],
): Promise<ReadonlySet<string> | typeof STALE | typeof UNWANTED> {
  const head = await readHead(stream);
  if (head === undefined || !isWanted(head)) return UNWANTED;
  const sinceS = (head.wanted_since_s ?? 0) - CLOCK_MARGIN_S;
  const [early, due] = [
    chunk.filter(({ changedS }) => changedS < sinceS),
    chunk.filter(({ changedS }) => changedS >= sinceS),
  ];
  if (early.length > 0) return new Set(early.map(({ source }) => source));
  return storeDue(stream, head, due);
}

async function storeDue(
  stream: string,
  head: StreamHead,
  chunk: readonly ChangeEvents[],
): Promise<ReadonlySet<string> | typeof STALE> {
  const nowS = secondsNow();
  let seq = head.last;
  const events = chunk.flatMap(({ changedS, events }) =>
    events.map(({ action, event, audience }): Transaction => {
      seq += 1;
      const text = JSON.stringify({ action, event, seq });
      const stored = { stream, seq, text, changed_s: changedS, audience, expires_s: nowS + EVENT_SECONDS };
      return EventEntity.build(PutTransaction).item(stored);
    }),
  );
  const sources = chunk.map(({ source }) => [
    source,
    SourceEntity.build(PutTransaction)
      .item({ stream, source, expires_s: nowS + SOURCE_SECONDS })
      .options(when(SourceEntity, { source: undefined })),
  ]);
  // An update, because a follower may want the stream for longer meanwhile.
  const advance = HeadEntity.build(UpdateTransaction)
    .item({
      stream,
      last: seq,
      expires_s: headExpiryS(),
      ...(head.wanted_until_s === undefined && { wanted_until_s: wantedUntilS() }),
    })
    .options(when(HeadEntity, { last: head.last }));
  const refused: ReadonlySet<string> = await transact({
    advance,
    ...(Object.fromEntries(sources) as Record<string, Transaction>),
    events,
  });
  const all = chunk.map(({ source }) => source);
  if (refused.size === 0) return new Set(all);
  const repeated = all.filter((source) => refused.has(source));
  return repeated.length > 0 ? new Set(repeated) : STALE;
}

/** Returns as many changes as fit into a transaction with the head, at least one. */
function firstOf(changes: readonly ChangeEvents[]): readonly ChangeEvents[] {
  let items = 1;
  let bytes = 0;
  let count = 0;
  for (const { events } of changes) {
    items += 1 + events.length;
    for (const { event } of events) bytes += Buffer.byteLength(JSON.stringify(event));
    if (count > 0 && (items > MAX_TRANSACTION_ITEMS || bytes > MAX_BYTES)) break;
    count += 1;
  }
  return changes.slice(0, count);
}
