/**
 * The figures among the stack's settings that functions read, with their defaults. The environment variable of a setting is its name in
 * capitals. The stack sets it when the context has a value: infra/settings.ts, which has all settings.
 */

export interface Bounds {
  readonly least?: number;
  readonly most?: number;
  readonly above?: number;
  readonly below?: number;
  readonly isWhole?: boolean;
}

export interface Figure extends Bounds {
  readonly default: number;
  /** The functions that read it: those that create resources with a quota, those that run labs, or the sweeper. */
  readonly reader: "quotas" | "runs" | "sweeper";
}

const quota = (value: number, least = 0): Figure => ({
  default: value,
  least,
  isWhole: true,
  reader: "quotas",
});
const runLimit = (value: number): Figure => ({ default: value, above: 0, reader: "runs" });

export const FIGURES = {
  runs_per_minute: quota(300),
  quota_nodes: quota(1_200),
  quota_links: quota(2_000),
  quota_captures: quota(1_000),
  quota_drawings: quota(500),
  quota_files: quota(1_000),
  quota_stored_bytes: quota(5_368_709_120),
  quota_templates: quota(500),
  quota_projects: quota(1_000),
  quota_user_stored_bytes: quota(53_687_091_200),
  quota_symbols: quota(1_000),
  quota_symbol_bytes: quota(268_435_456),
  quota_user_symbols: quota(250),
  quota_user_symbol_bytes: quota(67_108_864),
  // A new follower evicts the oldest one, so the minimum is one; `concurrency_follow=0` disables following.
  quota_followed_captures: quota(3, 1),
  quota_followed_events: quota(10, 1),
  quota_kept_answer_bytes: quota(67_108_864),
  run_max_events: runLimit(5_000_000),
  run_max_packets: runLimit(1_000_000),
  run_max_cpu_seconds: runLimit(15),
  run_max_captured_bytes: runLimit(67_108_864),
  run_max_bytes_in_flight: runLimit(268_435_456),
  run_max_output_characters: runLimit(1_000_000),
  run_max_lab_seconds: runLimit(7 * 86_400),
  abandoned_capture_days: { default: 30, above: 0, reader: "sweeper" },
} as const satisfies Record<string, Figure>;

export type FigureName = keyof typeof FIGURES;

export const variableOf = (name: string): string => name.toUpperCase();

/** @throws Error when the environment has a value that is out of bounds. */
export function figure(name: FigureName): number {
  const variable = variableOf(name);
  const text = process.env[variable];
  const bounds: Figure = FIGURES[name];
  return text ? checkedFigure(variable, text, bounds) : bounds.default;
}

/** @throws Error that names what has the value, and the bounds. */
export function checkedFigure(what: string, given: unknown, bounds: Bounds): number {
  const value = Number(given);
  if (Number.isFinite(value) && isWithin(value, bounds)) return value;
  throw new Error(`${what} is ${given}; it must be ${describe(bounds)}`);
}

const isWithin = (value: number, { least, most, above, below, isWhole }: Bounds): boolean =>
  value >= (least ?? -Infinity) &&
  value <= (most ?? Infinity) &&
  value > (above ?? -Infinity) &&
  value < (below ?? Infinity) &&
  (!isWhole || Number.isInteger(value));

const describe = ({ least, most, above, below, isWhole }: Bounds): string =>
  [
    `a ${isWhole ? "whole " : ""}number`,
    ...(least === undefined ? [] : [`from ${least} ${most === undefined ? "up" : `to ${most}`}`]),
    ...(above === undefined ? [] : [`above ${above}`]),
    ...(below === undefined ? [] : [`and below ${below}`]),
  ].join(" ");
