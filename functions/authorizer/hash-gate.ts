/**
 * How many passwords are looked at at once in a process: each takes 32 MiB and a processor. Who waits too long, or finds
 * too many waiting, is told so instead of being looked at.
 */

export interface GateSettings {
  readonly atOnce: number;
  readonly waiting: number;
  readonly patienceMs: number;
}

/** Node has four threads for them. Together with a hash the wait is shorter than the function's time. */
export const HASH_GATE: GateSettings = { atOnce: 4, waiting: 32, patienceMs: 3_000 };

export type Gate = <T>(work: () => Promise<T>, options: { isFirst: boolean }) => Promise<T | "busy">;

/** @returns runs work when it is its turn; `isFirst` goes before all that is not. */
export function makeGate({ atOnce, waiting, patienceMs }: GateSettings): Gate {
  let atWork = 0;
  const lanes: (() => void)[][] = [[], []];

  /** @returns false when it was never its turn. */
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

  /** Hands the place on, so that nobody who comes now gets before those who wait. */
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
