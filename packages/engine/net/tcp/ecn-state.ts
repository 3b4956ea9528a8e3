/** The use of ECN by a connection (ecn.ts): plain JSON data. */

/** Present in a connection that offers ECN or uses it. */
export interface Ecn {
  /** Acknowledgements have ECE. */
  echoes: boolean;
  /** The next new data have CWR. */
  owesCwr: boolean;
  /** While no position above this one is acknowledged, the window neither falls by another echo nor grows. */
  holdsUntil?: number | undefined;
  /** Segments of data that arrived with a mark. */
  marked: number;
  /** Times that an echo reduced the window. */
  reductions: number;
}

export const makeEcn = (): Ecn => ({ echoes: false, owesCwr: false, marked: 0, reductions: 0 });
