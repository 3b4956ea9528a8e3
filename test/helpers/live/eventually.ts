/** Waits for what a real program prints. Tests that run at the same time cannot share `expect.poll`. */

const TIMEOUT_MS = 120_000;
const INTERVAL_MS = 250;

/** @throws Error with the last text if none has `isWanted` in time. */
async function until(get: () => unknown, isWanted: (text: string) => boolean, what: string): Promise<void> {
  const endMs = Date.now() + TIMEOUT_MS;
  for (;;) {
    const text = String(await get());
    if (isWanted(text)) return;
    if (Date.now() > endMs) throw new Error(`${what} after ${TIMEOUT_MS / 1000} s:\n${text}`);
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}

export const eventually = (get: () => unknown, wanted: RegExp): Promise<void> =>
  until(get, (text) => wanted.test(text), `${wanted} is not there`);

export const eventuallyNot = (get: () => unknown, unwanted: RegExp): Promise<void> =>
  until(get, (text) => !unwanted.test(text), `${unwanted} is still there`);
