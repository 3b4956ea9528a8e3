/**
 * A busy hour of the service against the limits of an account: draws the requests of all users, second by second, and returns the peak of
 * each limit. Pure: the same seed gives the same hour.
 */
import type { LimitName } from "./limits.ts";
import { DEFAULTS } from "./stack-defaults.ts";

export interface Load {
  readonly users: number;
  readonly runsADay: number;
  /** The part of the day's requests that fall into its busiest hour. */
  readonly busyHour: number;
  /** Requests that read, for each run: the page after a run, lists, consoles. */
  readonly readsARun: number;
  /** The part of runs that capture. */
  readonly capturing: number;
  /** Users who come within one minute, such as classes that begin at the full hour. */
  readonly arriveTogether: number;
}

/** 10,000 users and 1 M runs a day. */
export const BUSY_DAY: Load = {
  users: 10_000,
  runsADay: 1_000_000,
  busyHour: 0.15,
  readsARun: 2,
  capturing: 0.2,
  arriveTogether: 0.1,
};

export interface Peak {
  readonly peak: number;
  /** Requests of the hour above the limit, as a part of all. */
  readonly refused: number;
}

export type Peaks = Readonly<Record<LimitName, Peak>>;

const HOUR_SECONDS = 3_600;
/** Opening the page: its files are cached by the browser, its requests are not. */
const REQUESTS_TO_OPEN = 6;
/** A cold environment serves no other request while it starts. */
const COLD_SECONDS = 0.6;

/** @param most the limits: requests a second, or units a second. */
export function simulate(load: Load, most: Readonly<Record<LimitName, number>>, seed: number): Peaks {
  const random = mulberry32(seed);
  const runsASecond = (load.runsADay * load.busyHour) / HOUR_SECONDS;
  const arrivalsInMinute = load.users * load.arriveTogether;
  const peaks = {} as Record<LimitName, { peak: number; over: number; all: number }>;
  const note = (name: LimitName, value: number, asked = value): void => {
    const seen = peaks[name] ?? { peak: 0, over: 0, all: 0 };
    peaks[name] = seen;
    seen.peak = Math.max(seen.peak, value);
    seen.over += Math.max(0, asked - most[name]);
    seen.all += asked;
  };
  let warm = 0;
  const started: number[] = [];
  for (let second = 0; second < HOUR_SECONDS; second++) {
    const arrivals = second < 60 ? poisson(random, arrivalsInMinute / 60) : 0;
    const runs = poisson(random, runsASecond);
    const reads = poisson(random, runsASecond * load.readsARun) + arrivals * REQUESTS_TO_OPEN;
    note("runs", runs);
    note("stage", reads);
    const admitted = { runs: Math.min(runs, most.runs), reads: Math.min(reads, most.stage) };
    const busy =
      admitted.runs * DEFAULTS.run_seconds +
      admitted.reads * DEFAULTS.read_seconds +
      arrivals * DEFAULTS.hash_seconds;
    // Requests of one second that overlap: their number at a moment is Poisson with the mean of their busy time.
    const atOnce = poisson(random, busy);
    const cold = Math.max(0, atOnce - warm);
    warm = Math.max(warm, atOnce);
    started.push(cold);
    note("executions", atOnce + cold * COLD_SECONDS);
    note(
      "environments",
      started.slice(-10).reduce((sum, each) => sum + each, 0),
    );
    note("table", admitted.runs * DEFAULTS.run_units);
    note("partition", busiestProject(random, admitted.runs, load) * DEFAULTS.run_units);
    note("objects", admitted.runs * load.capturing);
    note("poller", admitted.runs * DEFAULTS.run_changes);
    note("connections", arrivals);
  }
  return Object.fromEntries(
    Object.entries(peaks).map(([name, { peak, over, all }]) => [
      name,
      { peak, refused: all === 0 ? 0 : over / all },
    ]),
  ) as unknown as Peaks;
}

/**
 * Returns the runs of the second in the project that has most of them. A project runs one lab at a time, so it has at most as many as fit
 * into a second.
 */
function busiestProject(random: () => number, runs: number, { users }: Load): number {
  const counts = new Map<number, number>();
  for (let run = 0; run < runs; run++) {
    // Zipf's law with exponent 1: the first of n projects has 1/ln(n) of the runs.
    const project = Math.floor(users ** random());
    counts.set(project, (counts.get(project) ?? 0) + 1);
  }
  return Math.min(Math.max(0, ...counts.values()), 1 / DEFAULTS.run_seconds);
}

/** https://en.wikipedia.org/wiki/Poisson_distribution: Knuth's algorithm, and the normal distribution for large means. */
function poisson(random: () => number, mean: number): number {
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  const limit = Math.exp(-mean);
  let product = random();
  let count = 0;
  for (; product > limit; product *= random()) count++;
  return count;
}

/** Public domain, by Tommy Ettinger: 32 bits of state, numbers from 0 to below 1. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
