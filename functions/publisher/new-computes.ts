/** Has computes followed that a client's stream concerns from now on: functions/watcher. */
import { callFunction } from "../shared/store/base/call-function.ts";
import { SERVICE_STREAM } from "../shared/store/events/event.ts";
import { isOnCompute, type NodeItem } from "../shared/store/lab/node.ts";
import { listFollowers } from "../shared/store/sockets/follower.ts";
import type { Change } from "./change.ts";

/** Returns the stream whose followers get what a new compute, or the compute of a new node, reports. */
export function streamOfNew({ source, before, after }: Change): string | undefined {
  if (before !== undefined || after === undefined) return undefined;
  if (source === "compute") return SERVICE_STREAM;
  if (source !== "node") return undefined;
  const node = after as NodeItem;
  return isOnCompute(node) ? node.project_id : undefined;
}

export async function callWatcherFor(change: Change): Promise<void> {
  const stream = streamOfNew(change);
  if (stream === undefined || (await listFollowers(stream)).length === 0) return;
  await callFunction("WATCHER_FUNCTION", {});
}
