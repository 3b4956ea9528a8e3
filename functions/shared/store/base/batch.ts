/** Deletes in batches, and retries the items that the table left unprocessed. */
import type { BatchDeleteRequest } from "dynamodb-toolbox/entity/actions/batchDelete";
import { BatchWriteCommand, execute } from "dynamodb-toolbox/table/actions/batchWrite";
import { forEachParallel } from "./parallel.ts";
import { table } from "./table.ts";
import { untilProcessed } from "./transact.ts";

/** A batch writes at most this many items. */
const BATCH_SIZE = 25;
/** Batches in flight at once: enough to be quick, few enough not to crowd out other requests. */
const PARALLEL = 4;

export async function batchDelete(requests: readonly BatchDeleteRequest[]): Promise<void> {
  const batches: BatchDeleteRequest[][] = [];
  for (let start = 0; start < requests.length; start += BATCH_SIZE) {
    batches.push(requests.slice(start, start + BATCH_SIZE));
  }
  await forEachParallel(batches, PARALLEL, writeBatch);
}

async function writeBatch(batch: BatchDeleteRequest[]): Promise<void> {
  const command = table.build(BatchWriteCommand).requests(...(batch as never[]));
  await untilProcessed(async () => {
    const { UnprocessedItems } = await execute({ maxAttempts: 1 }, command);
    return Object.keys(UnprocessedItems ?? {}).length === 0;
  });
}
