/** Returns the value of a promise, or undefined if it takes longer. */
export async function answeredWithin<T>(answer: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    // Its failure after this time concerns no caller.
    answer.catch(() => {});
  }
}
