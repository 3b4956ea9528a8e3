/**
 * Calls a function with a batch of changes until all are handled or given up, as Lambda does for an event source mapping.
 *
 *     the function succeeds                            the batch is handled
 *     it reports a change, not the first               those before it are handled; the others are the next batch
 *     it fails, or reports the first change            the batch is halved, or repeated if it cannot be
 *     too many repetitions, or a change is too old     the batch is given up: a message in the queue of failures
 */
import { randomUUID } from "node:crypto";
import type { FailureQueues } from "./failure-queues.ts";
import type { LambdaPool } from "./lambda-pool.ts";
import type { StreamDefinition } from "./template/streams.ts";

/** A record as Lambda passes it to a function. */
export interface StreamChange {
  readonly eventSourceARN: string;
  readonly dynamodb: {
    readonly SequenceNumber?: string;
    /** In seconds since 1970. */
    readonly ApproximateCreationDateTime: number;
  };
}

export interface BatchOptions {
  readonly stream: StreamDefinition;
  readonly shardId: string;
  readonly pool: Pick<LambdaPool, "invoke">;
  readonly stopping: AbortSignal;
  readonly queues: FailureQueues;
  /** Waits before the next attempt. */
  readonly pause: () => Promise<void>;
  readonly complain: (failure: string) => void;
}

interface Batch {
  readonly changes: readonly StreamChange[];
  readonly failures: number;
}

/** @returns false when the stream was stopped before. */
export async function settleBatch(changes: readonly StreamChange[], options: BatchOptions): Promise<boolean> {
  const { stream, stopping, pause, complain } = options;
  const { bisects, retries = Number.POSITIVE_INFINITY } = stream;
  const left: Batch[] = [{ changes, failures: 0 }];
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    if (stopping.aborted) return false;
    const batch = withoutOld(next, options);
    if (batch.changes.length === 0) continue;
    const outcome = await call(batch.changes, options);
    if (stopping.aborted) return false;
    if (outcome === undefined) continue;
    complain(outcome.failure);
    const { length } = batch.changes;
    if (outcome.firstFailed > 0) {
      left.unshift({ changes: batch.changes.slice(outcome.firstFailed), failures: 0 });
    } else if (bisects && length > 1) {
      const [first, second] = [batch.changes.slice(0, length / 2), batch.changes.slice(length / 2)];
      left.unshift({ ...batch, changes: first }, { ...batch, changes: second });
    } else if (batch.failures >= retries) {
      giveUp(batch, "RetryAttemptsExhausted", options);
      continue;
    } else left.unshift({ ...batch, failures: batch.failures + 1 });
    await pause();
  }
  return true;
}

/** Gives up the changes that are too old; the order of changes is that of their age. */
function withoutOld(batch: Batch, options: BatchOptions): Batch {
  const { maxAgeMs = Number.POSITIVE_INFINITY } = options.stream;
  const oldest = Date.now() - maxAgeMs;
  const isOld = ({ dynamodb }: StreamChange) => dynamodb.ApproximateCreationDateTime * 1000 < oldest;
  const old = batch.changes.filter(isOld);
  if (old.length > 0) giveUp({ ...batch, changes: old }, "RecordAgeExceeded", options);
  return { ...batch, changes: batch.changes.filter((change) => !isOld(change)) };
}

interface Failure {
  /** The place of the first change that has to be handled again. */
  readonly firstFailed: number;
  readonly failure: string;
}

/** @returns undefined when all changes are handled. */
async function call(
  changes: readonly StreamChange[],
  { stream, pool, stopping }: BatchOptions,
): Promise<Failure | undefined> {
  try {
    const event = JSON.stringify({ Records: changes });
    const result = await pool.invoke(stream.functionId, randomUUID(), event, stopping);
    return stream.reportsFailures ? failureIn(result, changes) : undefined;
  } catch (error) {
    return { firstFailed: 0, failure: (error as Error).message };
  }
}

/** A response that names a change which is not in the batch counts as a failure of the batch. */
function failureIn(
  result: Awaited<ReturnType<LambdaPool["invoke"]>>,
  changes: readonly StreamChange[],
): Failure | undefined {
  if (result?.kind !== "buffered") return undefined;
  const { batchItemFailures } = (JSON.parse(result.payload) ?? {}) as {
    batchItemFailures?: { itemIdentifier?: string }[];
  };
  const failed = (batchItemFailures ?? []).map(({ itemIdentifier }) =>
    changes.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === itemIdentifier),
  );
  if (failed.length === 0) return undefined;
  const firstFailed = Math.max(0, Math.min(...failed));
  const number = changes[firstFailed]!.dynamodb.SequenceNumber;
  return { firstFailed, failure: `the change ${number} could not be handled` };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html */
function giveUp(
  { changes, failures }: Batch,
  condition: string,
  { stream, shardId, queues }: BatchOptions,
): void {
  if (stream.failureQueueId === undefined) return;
  const [first, last] = [changes[0]!, changes.at(-1)!];
  const arrivalOf = ({ dynamodb }: StreamChange) =>
    new Date(dynamodb.ApproximateCreationDateTime * 1000).toISOString();
  queues.send(stream.failureQueueId, {
    requestContext: {
      requestId: randomUUID(),
      functionArn: stream.functionId,
      condition,
      approximateInvokeCount: failures + 1,
    },
    version: "1.0",
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: first.dynamodb.SequenceNumber,
      endSequenceNumber: last.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: arrivalOf(first),
      approximateArrivalOfLastRecord: arrivalOf(last),
      batchSize: changes.length,
      streamArn: first.eventSourceARN,
    },
  });
}
