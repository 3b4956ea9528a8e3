/**
 * Shrinks a failing case: fewest failures of links and nodes, fewest events and console commands, shortest timeline for which the
 * same expectation still fails. Deterministic; bounded by a number of runs.
 */
import type { Deed, LabEvent, LabModel } from "../model/lab-model.ts";
import { runLab } from "../run-lab.ts";
import { applyFailures, type Failure } from "../sweep/failures.ts";
import { minimize } from "./minimize.ts";
import { shorten } from "./shorten.ts";

export interface ShrinkTask {
  /** With the failing expectation alone. */
  readonly model: LabModel;
  readonly seed: string;
  readonly failures: readonly Failure[];
  /**
   * A case of the same lab that passes: a smaller case counts only while this one still passes with the same timeline. So a race
   * stays a race, and a timeline is not shrunk to one that fails with every seed.
   */
  readonly passing?: { readonly seed: string; readonly failures: readonly Failure[] } | undefined;
  readonly maxRuns?: number;
}

export interface ShrunkCase {
  readonly model: LabModel;
  readonly failures: readonly Failure[];
  readonly runs: number;
}

const DEFAULT_MAX_RUNS = 400;

/** @returns undefined if the task's case does not fail. */
export function shrink(task: ShrinkTask): ShrunkCase | undefined {
  const { maxRuns = DEFAULT_MAX_RUNS, seed, passing } = task;
  let runs = 0;
  const stillFails = (model: LabModel, failures: readonly Failure[]): boolean => {
    if (runs >= maxRuns) return false;
    runs++;
    if (statusOf(model, seed, failures) !== "failed") return false;
    if (passing === undefined) return true;
    runs++;
    return statusOf(model, passing.seed, passing.failures) === "passed";
  };
  const whole = { ...task.model, events: splitEvents(task.model.events) };
  if (!stillFails(whole, task.failures)) return undefined;
  const failures = minimize(task.failures, (part) => stillFails(whole, part));
  const withEvents = (events: readonly LabEvent[]): LabModel => ({ ...whole, events });
  const events = minimize(whole.events, (part) => stillFails(withEvents(part), failures));
  const typed = shortenConsoles(events, (part) => stillFails(withEvents(part), failures));
  const model = shorten(withEvents(typed), (candidate) => stillFails(candidate, failures));
  return { model, failures, runs };
}

const statusOf = (model: LabModel, seed: string, failures: readonly Failure[]) =>
  runLab(applyFailures(model, failures), { seed }).verdicts[0]?.status;

/** An event for each deed. */
const splitEvents = (events: readonly LabEvent[]): LabEvent[] =>
  events.flatMap((event) => event.deeds.map((deed) => ({ ...event, deeds: [deed] })));

/** Leaves out console commands of events that remain. */
function shortenConsoles(
  events: readonly LabEvent[],
  fails: (events: readonly LabEvent[]) => boolean,
): readonly LabEvent[] {
  let shortest = events;
  for (const [index, { deeds }] of events.entries()) {
    const [deed] = deeds;
    if (deed?.kind !== "console" || deed.commands.length < 2) continue;
    const replace = (commands: readonly string[]): LabEvent[] => {
      const typed: Deed = { ...deed, commands };
      return shortest.map((event, at) => (at === index ? { ...event, deeds: [typed] } : event));
    };
    shortest = replace(minimize(deed.commands, (part) => part.length > 0 && fails(replace(part))));
  }
  return shortest;
}
