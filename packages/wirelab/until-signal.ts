/** Commands that run until the user ends them. */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Resolves when the user or the system ends the command, or after `maxMs`. */
export function untilSignal(maxMs?: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = maxMs === undefined ? undefined : setTimeout(end, maxMs);
    function end(): void {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.off(signal, end);
      resolve();
    }
    for (const signal of SIGNALS) process.once(signal, end);
  });
}
