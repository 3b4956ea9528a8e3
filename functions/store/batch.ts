/** Deletes in batches, with what the table left unprocessed tried again. */
import type { BatchDeleteRequest } from "dynamodb-toolbox/entity/actions/batchDelete";
import { BatchWriteCommand, execute } from "dynamodb-toolbox/table/actions/batchWrite";
import { table } from "./table.ts";

/** A batch writes at most this many items. */
const BATCH_SIZE = 25;
/** Batches under way at once: enough to be quick, few enough not to crowd out other requests. */
const PARALLEL = 4;
const ATTEMPTS = 8;

export async function batchDelete(requests: readonly BatchDeleteRequest[]): Promise<void> {
  const batches: BatchDeleteRequest[][] = [];
  for (let start = 0; start < requests.length; start += BATCH_SIZE) {
    batches.push(requests.slice(start, start + BATCH_SIZE));
  }
  for (let start = 0; start < batches.length; start += PARALLEL) {
    await Promise.all(batches.slice(start, start + PARALLEL).map(deleteBatch));
  }
}

async function deleteBatch(batch: BatchDeleteRequest[]): Promise<void> {
  const command = table.build(BatchWriteCommand).requests(...(batch as never[]));
  const { UnprocessedItems } = await execute({ maxAttempts: ATTEMPTS }, command);
  if (Object.keys(UnprocessedItems ?? {}).length > 0)
    throw new Error("The table did not take a batch of deletes");
}
