/** Reads any number of items. */
import { getItems, type ItemKey } from "./get-items.ts";
import { forEachParallel } from "./parallel.ts";

/** A batch reads at most this many items. */
const BATCH_SIZE = 100;

/** Batches in flight at once: a batch of the largest items has ten megabytes. */
const PARALLEL = 8;

/** Reads items, strongly consistent, in no order; an item that does not exist is undefined. */
export async function readBatches(requests: readonly ItemKey[]): Promise<unknown[]> {
  const batches: ItemKey[][] = [];
  for (let start = 0; start < requests.length; start += BATCH_SIZE) {
    batches.push(requests.slice(start, start + BATCH_SIZE));
  }
  const found: unknown[] = [];
  await forEachParallel(batches, PARALLEL, async (batch) => found.push(...(await getItems(batch))));
  return found;
}
