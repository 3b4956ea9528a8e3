/** Runs a task for every item, a bounded number at a time. Throws the first failure after all have ended. */
export async function forEachParallel<T>(
  items: readonly T[],
  limit: number,
  task: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await task(item);
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
