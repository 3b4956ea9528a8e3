/**
 * Long tables of cases. A run of the tests takes a share of each table and draws the share anew; `CASES=all`, as in `npm run test:cases`
 * and in the nightly job, takes every case. The titles name the draw, and `CASES=3` repeats draw 3.
 */
const CASES = process.env.CASES ?? "";

/** Whether this run takes every case. */
export const takesAll = CASES === "all";

export interface Draw {
  /** @param index of the case in its table. */
  takes(index: number): boolean;
  /** For the titles of the tests: " (draw 2 of 4)", or nothing if every case is taken. */
  readonly note: string;
}

/** @param share one in so many cases is taken. */
export function drawOf(share: number, cases = CASES, random: () => number = Math.random): Draw {
  if (cases === "all" || share === 1) return { takes: () => true, note: "" };
  const drawn = cases === "" ? Math.floor(random() * share) : Number(cases) % share;
  if (!Number.isInteger(drawn))
    throw new Error(`CASES is ${JSON.stringify(cases)}, and must be all or a number`);
  return { takes: (index) => index % share === drawn, note: ` (draw ${drawn} of ${share})` };
}

/** The drawn cases of a table for `test.each`. At least one is drawn. */
export function drawn<Case>(table: readonly Case[], draw: Draw): Case[] {
  const taken = table.filter((_case, index) => draw.takes(index));
  return taken.length > 0 ? taken : table.slice(0, 1);
}
