/** Runs a task for each item, a few at once. */
const AT_ONCE = 6;

export async function inTurns<T>(
  items: readonly T[],
  task: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) await task(item, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
