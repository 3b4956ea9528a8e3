/** Takes idle time out of a timeline. */
import { NS_PER_MS, NS_PER_SECOND } from "@wirelab/engine/base/time";
import type { Expectation } from "../model/expectation.ts";
import type { LabModel } from "../model/lab-model.ts";

/** What may remain of the time between two events, the shortest first. */
const REMAINDERS_NS = [0, NS_PER_MS, 10 * NS_PER_MS, 100 * NS_PER_MS, NS_PER_SECOND, 10 * NS_PER_SECOND];

/** Shortens the time before each event and each moment of an expectation as far as `fails` still holds. */
export function shorten(model: LabModel, fails: (candidate: LabModel) => boolean): LabModel {
  let shortest = model;
  // From the end, so that the times before it, which are tried later, stay as they were.
  for (let index = timesOf(model).length - 1; index > 0; index--) {
    const [fromNs, toNs] = timesOf(shortest).slice(index - 1, index + 1);
    // Times that became equal are one.
    if (fromNs === undefined || toNs === undefined) continue;
    for (const remainderNs of REMAINDERS_NS.filter((ns) => ns < toNs - fromNs)) {
      const candidate = moveTimes(shortest, fromNs + remainderNs, toNs);
      if (!fails(candidate)) continue;
      shortest = candidate;
      break;
    }
  }
  return shortest;
}

const timesOf = ({ events, expectations, durationNs }: LabModel): number[] => {
  const times = [
    0,
    ...events.map(({ atNs }) => atNs),
    ...expectations.flatMap(({ atNs, sinceNs }) => (atNs === undefined ? [sinceNs] : [atNs, sinceNs])),
    ...(durationNs === undefined ? [] : [durationNs]),
  ];
  return [...new Set(times)].toSorted((a, b) => a - b);
};

/** Moves all times from `oldNs` on to `newNs` and later; those between become `newNs`. */
function moveTimes(model: LabModel, newNs: number, oldNs: number): LabModel {
  const move = (ns: number): number => (ns >= oldNs ? ns - (oldNs - newNs) : Math.min(ns, newNs));
  return {
    ...model,
    events: model.events.map((event) => ({ ...event, atNs: move(event.atNs) })),
    expectations: model.expectations.map((each) => moveExpectation(each, move)),
    durationNs: model.durationNs === undefined ? undefined : move(model.durationNs),
  };
}

function moveExpectation(expectation: Expectation, move: (ns: number) => number): Expectation {
  const { atNs, sinceNs, claim } = expectation;
  const moved = { ...expectation, atNs: atNs === undefined ? undefined : move(atNs), sinceNs: move(sinceNs) };
  if (claim.kind !== "seen" && claim.kind !== "count") return moved;
  const { fromNs, untilNs } = claim.packets;
  return {
    ...moved,
    claim: { ...claim, packets: { ...claim.packets, fromNs: move(fromNs), untilNs: move(untilNs) } },
  };
}
