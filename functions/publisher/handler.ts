/**
 * Reads the table's stream: turns changes into events of the interface, and calls other functions for what they do (infra/publisher.ts). A
 * change reaches this function after its commit, and again if its work fails, so all that commits is announced once and nothing else is.
 *
 *     records -> calls of other functions     first, because a client waits for the first message of its console
 *             -> changes -> events            the events of a stream one after another, several streams at once
 *                        -> consoles to close, computes to follow
 *
 * The result names the first record whose work has failed. Lambda calls the function again with that record and those behind it.
 */
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import { logger } from "../shared/edge/log.ts";
import { embedMetrics } from "../shared/edge/metrics.ts";
import { forEachParallel } from "../shared/store/base/parallel.ts";
import { type ChangeEvents, publishEvents } from "../shared/store/events/publish.ts";
import { deliverToAll } from "../shared/store/sockets/deliver.ts";
import { Batch } from "./batch.ts";
import { callOthers } from "./calls.ts";
import { type Change, toChange } from "./change.ts";
import { type Announcement, MAKERS } from "./makers.ts";
import { callWatcherFor } from "./new-computes.ts";
import type { SettingsOf } from "./project-events.ts";
import { settingsIn } from "./settings-of.ts";
import { closeConsolesOfStopped } from "./stopped-nodes.ts";

/** How many streams of events are written at once. */
const PARALLEL = 8;

export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const batch = new Batch(Records);
  const changes = Records.map(readChange).filter((change) => change !== undefined);
  const [readable] = await Promise.all([announce(changes, batch), callOthers(Records, batch)]);
  await followUp(readable, batch);
  return batch.response();
}

/** Returns the changes that can be read. */
async function announce(changes: readonly Change[], batch: Batch): Promise<readonly Change[]> {
  const { readable, byStream } = await eventsOf(changes, batch);
  await forEachParallel([...byStream], PARALLEL, ([stream, events]) => publish(stream, events, batch));
  return readable;
}

/** Leaves out what is repeated: closing consoles twice would close those that have been opened since. */
async function followUp(changes: readonly Change[], batch: Batch): Promise<void> {
  for (const change of changes) {
    const { sequenceNumber } = change;
    if (batch.isRepeated(sequenceNumber)) break;
    try {
      await closeConsolesOfStopped(change);
      await callWatcherFor(change);
    } catch (error) {
      batch.fail(sequenceNumber, error);
    }
  }
}

/** Returns the events by stream, up to the first change whose events cannot be made now: later ones must not come before these. */
async function eventsOf(
  changes: readonly Change[],
  batch: Batch,
): Promise<{ readonly readable: readonly Change[]; readonly byStream: ReadonlyMap<string, ChangeEvents[]> }> {
  const settingsOf = settingsIn(changes);
  const byStream = new Map<string, ChangeEvents[]>();
  const readable: Change[] = [];
  for (const change of changes) {
    const { sequenceNumber: source, changedS } = change;
    try {
      const announced = await announcementsOf(change, settingsOf);
      if (announced === undefined) continue;
      readable.push(change);
      for (const [stream, events] of Map.groupBy(announced, ({ stream }) => stream))
        byStream.set(stream, [...(byStream.get(stream) ?? []), { source, changedS, events }]);
    } catch (error) {
      batch.fail(source, error);
      break;
    }
  }
  return { readable, byStream };
}

async function publish(stream: string, changes: readonly ChangeEvents[], batch: Batch): Promise<void> {
  const stored = new Set<string>();
  try {
    if (!(await publishEvents(stream, changes, stored))) return;
  } catch (error) {
    batch.fail(changes.find(({ source }) => !stored.has(source))!.source, error);
  }
  try {
    // Also after a repeated batch: the call before may have ended between the two.
    await deliverToAll(stream);
  } catch (error) {
    batch.fail(changes.at(-1)!.source, error);
  }
}

function readChange(record: DynamoDBRecord): Change | undefined {
  try {
    return toChange(record);
  } catch (error) {
    skip(record.dynamodb?.SequenceNumber, error);
    return undefined;
  }
}

/** A change that cannot be read makes no event: its work would fail each time, and the changes behind it would wait for an hour. */
async function announcementsOf(
  { source, sequenceNumber, before, after }: Change,
  settingsOf: SettingsOf,
): Promise<readonly Announcement[] | undefined> {
  try {
    return await MAKERS[source](before, after, settingsOf);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    skip(sequenceNumber, error);
    return undefined;
  }
}

const skip = (sequence_number: string | undefined, error: unknown): void =>
  logger.error("a change makes no event", {
    sequence_number,
    error: error as Error,
    ...embedMetrics([{ measured: { ChangeFailures: 1 } }]),
  });
