/**
 * Turns changes of the table into events of the interface: infra/publisher.ts. A change reaches this function after its commit, and again
 * if a call fails, so all that commits is announced once and nothing else is.
 */
import type { DynamoDBStreamEvent } from "aws-lambda";
import { logger } from "../shared/edge/log.ts";
import { type ChangeEvents, publishEvents } from "../shared/store/events/publish.ts";
import { deliverToAll } from "../shared/store/sockets/deliver.ts";
import { type Change, toChange } from "./change.ts";
import { type Announcement, MAKERS } from "./makers.ts";
import { callWatcherFor } from "./new-computes.ts";
import type { SettingsOf } from "./project-events.ts";
import { settingsIn } from "./settings-of.ts";
import { closeConsolesOfStopped } from "./stopped-nodes.ts";

export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  const changes = Records.map(toChange).filter((change) => change !== undefined);
  const settingsOf = settingsIn(changes);
  const byStream = new Map<string, ChangeEvents[]>();
  for (const change of changes) {
    const announced = await announcementsOf(change, settingsOf);
    for (const [stream, events] of Map.groupBy(announced, ({ stream }) => stream)) {
      const { sequenceNumber: source, changedS } = change;
      byStream.set(stream, [...(byStream.get(stream) ?? []), { source, changedS, events }]);
    }
  }
  for (const [stream, events] of byStream) {
    if (!(await publishEvents(stream, events))) continue;
    // Also after a repeated batch: the call before may have ended between the two.
    await deliverToAll(stream);
  }
  for (const change of changes) await closeConsolesOfStopped(change);
  await callWatcherFor(changes);
}

/** A change that cannot be read makes no event: if the call failed, the changes behind it would wait for an hour. */
async function announcementsOf(
  { source, sequenceNumber, before, after }: Change,
  settingsOf: SettingsOf,
): Promise<readonly Announcement[]> {
  try {
    return await MAKERS[source](before, after, settingsOf);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    logger.error("a change makes no event", { source, sequence_number: sequenceNumber, error });
    return [];
  }
}
