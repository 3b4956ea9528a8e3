/** Joins several observers in one. */
import type { Observer } from "@wirelab/engine/simulation/observer";

/** @returns undefined without observers, so that the run does not pay for them. */
export function joinObservers(observers: readonly Observer[]): Observer | undefined {
  if (observers.length < 2) return observers[0];
  const entered = observers.filter((each) => each.entered);
  const lost = observers.filter((each) => each.lost);
  const arrived = observers.filter((each) => each.arrived);
  const discarded = observers.filter((each) => each.discarded);
  return {
    ...(entered.length > 0 && {
      entered: (entry) => {
        for (const each of entered) each.entered!(entry);
      },
    }),
    ...(lost.length > 0 && {
      lost: (loss) => {
        for (const each of lost) each.lost!(loss);
      },
    }),
    ...(arrived.length > 0 && {
      arrived: (arrival) => {
        for (const each of arrived) each.arrived!(arrival);
      },
    }),
    ...(discarded.length > 0 && {
      discarded: (discard) => {
        for (const each of discarded) each.discarded!(discard);
      },
    }),
  };
}
