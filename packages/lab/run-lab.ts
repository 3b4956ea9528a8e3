/** Plays a lab and judges its expectations. Pure: no files, no clock, no network. */
import { NS_PER_SECOND } from "@wirelab/engine/base/time";
import type { Simulation } from "@wirelab/engine/simulation/simulation";
import type { Check, Outcome } from "./expect/check.ts";
import { judgeFile } from "./expect/collected.ts";
import { makeCheck } from "./expect/make-check.ts";
import type { Claim, Expectation } from "./model/expectation.ts";
import type { LabModel } from "./model/lab-model.ts";
import { type AskedFile, collectFiles } from "./play/collect-files.ts";
import { joinObservers } from "./play/observers.ts";
import { digestOf, failuresOf, fingerprintOf, loopOf, unsettledOf } from "./play/outcome.ts";
import { type Played, play } from "./play/play.ts";
import { countLinks } from "./report/count-links.ts";
import type { LabReport, Status, Transcript, Verdict } from "./report/report.ts";

export interface RunLabOptions {
  /** Instead of the model's. */
  readonly seed?: string;
  /** Polled now and then; true ends the lab at the limit `cpu_seconds`: what is not decided by then is undecided. */
  readonly isOutOfTime?: () => boolean;
  /** Gets the simulation of the boot, and then that of the timeline, before each runs. */
  readonly watch?: (simulation: Simulation) => void;
  /** Gets what nodes answer for the files of `collect`, whose verdicts are after those of the expectations. Without it, nothing is read. */
  readonly collect?: (files: readonly AskedFile[]) => void;
  /** Gives further verdicts, after the verdicts of expectations and before the verdicts of files. */
  readonly judgeMore?: (played: Played) => FurtherVerdicts;
}

export interface FurtherVerdicts {
  readonly verdicts: readonly Verdict[];
  /** What no verdict is about, in words. */
  readonly unchecked: readonly string[];
}

export function runLab(model: LabModel, options: RunLabOptions = {}): LabReport {
  const clock = options.isOutOfTime && new Clock(options.isOutOfTime);
  const checks = model.expectations.map((expectation) => ({
    expectation,
    check: makeCheck(expectation, model),
  }));
  const played = play(model, {
    ...options,
    isOutOfTime: clock && (() => clock.isOver()),
    moments: checks.flatMap(({ check: { momentNs } }) => (momentNs === undefined ? [] : [momentNs])),
    probed: checks.flatMap(({ check }) => (check.probes ? [check.momentNs] : [])),
    watchers: { timeline: joinObservers(checks.flatMap(({ check }) => check.observer ?? [])) },
  });
  const verdicts = checks.map(({ expectation, check }) => judge(expectation, check, played));
  const further = options.judgeMore?.(played);
  const report = toReport(played, [
    ...verdicts,
    ...(further?.verdicts ?? []),
    ...(options.collect ? judgeFiles(played, options.collect) : []),
  ]);
  return {
    ...report,
    limit: report.limit ?? (clock?.wasOver ? "cpu_seconds" : undefined),
    ...(further && further.unchecked.length > 0 && { unchecked: further.unchecked }),
  };
}

/** The caller's clock, which ends playing and judging alike: once it is over, it stays so. */
class Clock {
  readonly #isOver: () => boolean;
  wasOver = false;

  constructor(isOver: () => boolean) {
    this.#isOver = isOver;
  }

  isOver(): boolean {
    this.wasOver ||= this.#isOver();
    return this.wasOver;
  }
}

function judgeFiles(played: Played, collect: NonNullable<RunLabOptions["collect"]>): readonly Verdict[] {
  const files = collectFiles(played);
  collect(files);
  return files.map(judgeFile);
}

function judge(expectation: Expectation, check: Check, played: Played): Verdict {
  const { name, claim, place, isNegated } = expectation;
  const outcome = undecided(expectation, check, played) ?? check.judge(played);
  const status = isNegated ? negate(outcome.status) : outcome.status;
  return {
    name,
    kind: claim.kind,
    status,
    expected: isNegated ? `not: ${outcome.expected}` : outcome.expected,
    got: outcome.got,
    place,
    evidence: status === "passed" ? undefined : evidenceOf(outcome, isNegated),
  };
}

/** Kinds that decide by themselves what a run which ended at a limit has shown. */
const DECIDED_AT_LIMIT: ReadonlySet<Claim["kind"]> = new Set(["loop", "seen", "count", "digest"]);

/** @returns undefined for an expectation that can be judged: what it is about lies before the stop. */
function undecided(expectation: Expectation, check: Check, played: Played): Outcome | undefined {
  if (DECIDED_AT_LIMIT.has(expectation.claim.kind)) return undefined;
  const limit = played.boot.stopped?.limit ?? played.timeline.stopped?.limit;
  const isOpen = limit !== undefined && !liesBefore(expectation, check, played);
  if (isOpen) return { status: "undecided", expected: "a run that ends", got: limitText(limit, played) };
  if (!played.isOutOfTime?.()) return undefined;
  return { status: "undecided", expected: "a run that ends", got: limitText("cpu_seconds", played) };
}

/** Whether the timeline came to the moment at which a check looks, or to the end of the time whose output it reads. */
function liesBefore(
  { claim, atNs, sinceNs, withinNs }: Expectation,
  { momentNs }: Check,
  played: Played,
): boolean {
  if (played.boot.stopped?.limit !== undefined) return false;
  if (momentNs !== undefined) return played.hasCome(momentNs);
  const untilNs = withinNs === undefined ? atNs : sinceNs + withinNs;
  return claim.kind === "console" && untilNs !== undefined && untilNs < played.timeline.nowNs;
}

/** What had to fail has succeeded: its packets matter, and where they ended does not. */
const evidenceOf = ({ evidence }: Outcome, isNegated: boolean): Outcome["evidence"] =>
  evidence && isNegated ? { ...evidence, death: undefined } : evidence;

function limitText(limit: string, played: Played): string {
  const loop = loopOf(played);
  const why = loop ? `; packets loop through ${loop.join(", ")}` : "";
  return `the run reached its limit of ${limit}${why}`;
}

const negate = (status: Status): Status =>
  status === "undecided" ? status : status === "passed" ? "failed" : "passed";

/** A lab with a verdict that failed has failed, even if others are undecided. */
export const toStatus = (verdicts: readonly Verdict[]): Status =>
  verdicts.some(({ status }) => status === "failed")
    ? "failed"
    : verdicts.some(({ status }) => status === "undecided")
      ? "undecided"
      : "passed";

export function toReport(played: Played, verdicts: readonly Verdict[]): LabReport {
  const { model, seed, boot, timeline } = played;
  return {
    name: model.name,
    seed,
    status: toStatus(verdicts),
    verdicts,
    bootSeconds: boot.nowNs / NS_PER_SECOND,
    labSeconds: played.endNs / NS_PER_SECOND,
    events: boot.events + timeline.events,
    packets: boot.packets + timeline.packets,
    digest: digestOf(played),
    fingerprint: fingerprintOf(played),
    limit: boot.stopped?.limit ?? timeline.stopped?.limit,
    ...unsettledOf(played),
    loop: loopOf(played),
    ...failuresOf(played),
    transcripts: timeline.sessions.map(
      ({ nodeId, startedNs, output, status }): Transcript => ({
        node: nodeId,
        at: (startedNs ?? 0) / NS_PER_SECOND,
        output,
        status,
      }),
    ),
    links: countLinks(timeline),
  };
}
