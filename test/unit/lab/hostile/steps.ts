/** Counts the steps of a piece of code: how often each of its blocks runs, by the coverage of V8. Equal on every machine. */
import { Session } from "node:inspector";

interface Coverage {
  readonly result: readonly {
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** The work inside built-in functions, such as the search of a regular expression, is not counted. */
export function countSteps(work: () => void): number {
  const session = new Session();
  session.connect();
  try {
    session.post("Profiler.enable");
    session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    // Code that was compiled before it began counts from here.
    take(session);
    work();
    return take(session);
  } finally {
    session.disconnect();
  }
}

function take(session: Session): number {
  let total = 0;
  // The answer comes before the call returns, because the session is of this thread.
  session.post("Profiler.takePreciseCoverage", (error, coverage) => {
    if (error) throw error;
    for (const { functions } of (coverage as Coverage).result)
      for (const { ranges } of functions) for (const { count } of ranges) total += count;
  });
  return total;
}
