/** The local stack that the tests of this file have for themselves while they run. */
import { inject } from "vitest";
import type { LocalStackHandle } from "./local-stack.ts";

/** The files that a worker runs one after another share its stack. */
export function localStack(): LocalStackHandle {
  const stack = inject("localStacks")[Number(process.env.VITEST_POOL_ID) - 1];
  if (stack === undefined) throw new Error(`Worker ${process.env.VITEST_POOL_ID} has no stack`);
  return stack;
}
