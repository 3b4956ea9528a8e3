/**
 * Counts the steps of a piece of code: how often each of its blocks runs, by the coverage of V8. Equal on every machine. Only a test file
 * that counts may import this module: all code that is compiled after that counts.
 */
import { Session } from "node:inspector";
import { afterAll } from "vitest";

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

// Functions are compiled when they are first called, and have counters in their blocks if counting has begun by then.
const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
// Counting slows the files down that this worker runs next.
afterAll(() => session.disconnect());

/**
 * The work inside built-in functions, such as the search of a regular expression, is not counted.
 * @param within only the steps in files whose address has this in it.
 */
export function countSteps(work: () => void, within = ""): number {
  take(within);
  work();
  return take(within);
}

/** The steps since the last call. */
function take(within: string): number {
  let total = 0;
  // The answer comes before the call returns, because the session is of this thread.
  session.post("Profiler.takePreciseCoverage", (error, coverage) => {
    if (error) throw error;
    for (const { url, functions } of (coverage as Coverage).result)
      if (url.includes(within))
        for (const { ranges } of functions) for (const { count } of ranges) total += count;
  });
  return total;
}
