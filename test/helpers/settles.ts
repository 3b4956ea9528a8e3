import { vi } from "vitest";

/** How long a condition may take to come true. vitest's own second passes on a machine that does other work. */
const PATIENCE_MS = 120_000;

/**
 * Repeats the check until it does not throw, and returns its result.
 * @param options times in milliseconds; a timeout for what takes longer.
 * @throws what the check threw last.
 */
export const settles = <T>(
  check: () => T | Promise<T>,
  options: { readonly timeout?: number; readonly interval?: number } = {},
): Promise<T> => vi.waitFor(check, { timeout: PATIENCE_MS, ...options });
