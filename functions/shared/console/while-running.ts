/** Looks at something while a run computes. */
import { logger } from "../edge/log.ts";

const EVERY_MS = 500;

/** Calls `look` every half second until the run ends; no call is under way when it returns. A look that fails is logged. */
export async function whileRunning<T>(running: Promise<T>, look: () => Promise<void>): Promise<T> {
  const ended = new AbortController();
  const looking = lookUntil(ended.signal, look);
  try {
    return await running;
  } finally {
    ended.abort();
    await looking;
  }
}

async function lookUntil(signal: AbortSignal, look: () => Promise<void>): Promise<void> {
  while (await pause(signal)) {
    await look().catch((error: unknown) => logger.warn("no look at a console", { error: error as Error }));
  }
}

/** @returns false when the run has ended. */
function pause(signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(!signal.aborted), EVERY_MS);
    const end = () => {
      clearTimeout(timer);
      resolve(false);
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
