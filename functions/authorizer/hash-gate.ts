/**
 * Limits how many passwords a process checks at once: each check takes 32 MiB and a processor. A request that waits too long, or
 * finds too many waiting, gets no check.
 */

export interface GateSettings {
  readonly atOnce: number;
  readonly waiting: number;
  readonly patienceMs: number;
}

/** Node has four threads for hashes. The wait and a hash together are shorter than the function's time. */
export const HASH_GATE: GateSettings = { atOnce: 4, waiting: 32, patienceMs: 3_000 };

export type Gate = <T>(work: () => Promise<T>, options: { isFirst: boolean }) => Promise<T | "busy">;

/** @returns a function that runs work at its turn; work with `isFirst` precedes all other work. */
export function makeGate({ atOnce, waiting, patienceMs }: GateSettings): Gate {
  let atWork = 0;
  const lanes: (() => void)[][] = [[], []];

  /** @returns false when the turn never came. */
  function enter(lane: (() => void)[]): Promise<boolean> {
    if (atWork < atOnce) {
      atWork++;
      return Promise.resolve(true);
    }
    if (lane.length >= waiting) return Promise.resolve(false);
    return new Promise((resolve) => {
      const turn = () => {
        clearTimeout(patience);
        resolve(true);
      };
      const giveUp = () => {
        lane.splice(lane.indexOf(turn), 1);
        resolve(false);
      };
      const patience = setTimeout(giveUp, patienceMs);
      lane.push(turn);
    });
  }

  /** Passes the place on to a waiting request, so that a new request cannot overtake it. */
  function leave(): void {
    const next = lanes[0]!.shift() ?? lanes[1]!.shift();
    if (next === undefined) atWork--;
    else next();
  }

  return async (work, { isFirst }) => {
    if (!(await enter(lanes[isFirst ? 0 : 1]!))) return "busy";
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
