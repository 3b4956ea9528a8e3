/**
 * Calls other functions for new items. The table's stream has one reader, because DynamoDB serves two at most, so the publisher passes on what
 * other functions do. It does not wait for their work, which would delay all later changes.
 */
import type { DynamoDBRecord } from "aws-lambda";
import { callFunction } from "../shared/store/base/call-function.ts";
import type { Batch } from "./batch.ts";

/** A channel whose connections follow no computes: functions/sockets/channels.ts. */
const CONSOLE = "nodeConsole";

export async function callOthers(records: readonly DynamoDBRecord[], batch: Batch): Promise<void> {
  const added = records.filter(({ eventName }) => eventName === "INSERT");
  const connections = added.filter((record) => entityOf(record) === "connection");
  const followers = connections.filter(({ dynamodb }) => dynamodb?.NewImage?.channel?.S !== CONSOLE);
  const watchCalls = added.filter((record) => entityOf(record) === "watch-call");
  const opened = connections.map(({ dynamodb }) => dynamodb?.Keys?.sk?.S);
  await Promise.all([
    attempt(connections, batch, () => callFunction("SOCKETS_FUNCTION", { opened })),
    attempt(
      added.filter((record) => followers.includes(record) || watchCalls.includes(record)),
      batch,
      () => callFunction("WATCHER_FUNCTION", {}),
    ),
  ]);
}

/** Makes one call for all these records, if there are any. */
async function attempt(
  records: readonly DynamoDBRecord[],
  batch: Batch,
  call: () => Promise<void>,
): Promise<void> {
  const [first] = records;
  if (first === undefined) return;
  await call().catch((error: unknown) => batch.fail(first.dynamodb?.SequenceNumber ?? "", error));
}

const entityOf = ({ dynamodb }: DynamoDBRecord): string | undefined => dynamodb?.NewImage?.entity?.S;
