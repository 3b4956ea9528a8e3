/** Stores the events of changes, each once. */
import { PutTransaction } from "dynamodb-toolbox/entity/actions/transactPut";
import { nowUs } from "../base/table.ts";
import { MAX_TRANSACTION_ITEMS, STALE, type Transaction, transact, untilFresh } from "../base/transact.ts";
import { when } from "../base/when.ts";
import { type Audience, EventEntity, HeadEntity, headExpiryS, SourceEntity } from "./event.ts";
import { readHead } from "./read-events.ts";

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

const EVENT_SECONDS = 3_600;
/** DynamoDB keeps a change in the table's stream for a day, so a batch can be repeated that long. */
const SOURCE_SECONDS = 2 * 86_400;

/** A transaction holds 4 MB. */
const MAX_BYTES = 3_000_000;

/**
 * Stores the events of a stream in the order of the changes, and omits those of changes that are already stored. The call can be
 * interrupted and repeated.
 * @param stream a project's id, or SERVICE_STREAM.
 */
export async function publishEvents(stream: string, changes: readonly ChangeEvents[]): Promise<void> {
  let left = changes;
  while (left.length > 0) {
    const chunk = firstOf(left);
    const stored = await untilFresh(() => storeChunk(stream, chunk));
    left = left.filter((change) => !stored.has(change.source));
  }
}

/** @returns the sources of the chunk whose events are stored now. */
async function storeChunk(
  stream: string,
  chunk: readonly ChangeEvents[],
): Promise<ReadonlySet<string> | typeof STALE> {
  const nowS = Math.floor(Date.now() / 1000);
  const head = await readHead(stream);
  // Numbers of a new head exceed those of an expired one.
  let seq = head ?? nowUs();
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
  const advance = HeadEntity.build(PutTransaction)
    .item({ stream, last: seq, expires_s: headExpiryS() })
    .options(when(HeadEntity, { last: head }));
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
