/**
 * Quotas of projects and users. The project's own item counts what it has. The transactions that add and remove things update
 * the counts, so a count is always exact and costs no call of its own.
 *
 *     read the project        refuses what does not fit; the error names the quota
 *     transaction             counts, on condition that it still fits: of two requests that race for the last place one is refused
 */
import { $add } from "dynamodb-toolbox/entity/actions/update";
import { type ErrorCode, failure } from "../../edge/errors.ts";
import type { Test } from "../base/when.ts";

/** Usage of a project: attributes of its item, each missing until something is counted. */
export interface Usage {
  readonly node_count?: number | undefined;
  readonly link_count?: number | undefined;
  readonly capture_count?: number | undefined;
  readonly drawing_count?: number | undefined;
  readonly snapshot_count?: number | undefined;
  readonly file_count?: number | undefined;
  /** Bytes of packets in captures, without the file headers, and of files. */
  readonly stored_bytes?: number | undefined;
}

export type Quota =
  | keyof Usage
  | "project_count"
  | "template_count"
  | "user_stored_bytes"
  | "symbol_count"
  | "symbol_bytes"
  | "user_symbol_count"
  | "user_symbol_bytes"
  | "runs_per_minute"
  | "kept_answer_bytes"
  | "followed_captures"
  | "followed_events";

interface Definition {
  /** The environment variable that infra/ sets when its context has a value. */
  readonly variable: string;
  readonly fallback: number;
}

const QUOTAS: Readonly<Record<Quota, Definition>> = {
  node_count: { variable: "QUOTA_NODES", fallback: 1_200 },
  link_count: { variable: "QUOTA_LINKS", fallback: 2_000 },
  capture_count: { variable: "QUOTA_CAPTURES", fallback: 1_000 },
  snapshot_count: { variable: "QUOTA_SNAPSHOTS", fallback: 100 },
  drawing_count: { variable: "QUOTA_DRAWINGS", fallback: 500 },
  file_count: { variable: "QUOTA_FILES", fallback: 1_000 },
  stored_bytes: { variable: "QUOTA_STORED_BYTES", fallback: 5_368_709_120 },
  template_count: { variable: "QUOTA_TEMPLATES", fallback: 500 },
  project_count: { variable: "QUOTA_PROJECTS", fallback: 1_000 },
  user_stored_bytes: { variable: "QUOTA_USER_STORED_BYTES", fallback: 53_687_091_200 },
  symbol_count: { variable: "QUOTA_SYMBOLS", fallback: 1_000 },
  symbol_bytes: { variable: "QUOTA_SYMBOL_BYTES", fallback: 268_435_456 },
  user_symbol_count: { variable: "QUOTA_USER_SYMBOLS", fallback: 250 },
  user_symbol_bytes: { variable: "QUOTA_USER_SYMBOL_BYTES", fallback: 67_108_864 },
  runs_per_minute: { variable: "RUNS_PER_MINUTE", fallback: 300 },
  followed_captures: { variable: "QUOTA_FOLLOWED_CAPTURES", fallback: 3 },
  followed_events: { variable: "QUOTA_FOLLOWED_EVENTS", fallback: 10 },
  kept_answer_bytes: { variable: "QUOTA_KEPT_ANSWER_BYTES", fallback: 67_108_864 },
};

const REFUSALS: Readonly<Record<keyof Usage, ErrorCode>> = {
  node_count: "quota.nodes",
  link_count: "quota.links",
  capture_count: "quota.captures",
  drawing_count: "quota.drawings",
  snapshot_count: "quota.snapshots",
  file_count: "quota.files",
  stored_bytes: "quota.stored-bytes",
};

/** @throws Error when the variable is set to anything but a number from 0 up. */
export function quota(of: Quota): number {
  const { variable, fallback } = QUOTAS[of];
  const text = process.env[variable];
  if (text === undefined || text === "") return fallback;
  const value = Number(text);
  if (!(value >= 0)) throw new Error(`${variable} must be a number from 0 up, got ${text}`);
  return value;
}

const entriesOf = (usage: Usage): [keyof Usage, number][] =>
  Object.entries(usage).filter(([, amount]) => amount) as [keyof Usage, number][];

/** @throws ApiError `quota.*` when the project, as it was read, has no room for the added usage. */
export function refuseOverQuota(project: Usage, added: Usage): void {
  for (const [name, amount] of entriesOf(added)) {
    const [limit, count] = [quota(name), project[name] ?? 0];
    if (count + amount > limit) throw failure(REFUSALS[name], { limit, count, amount });
  }
}

/** For an update of the project: adds to its counts; negative amounts subtract. */
export const counting = (added: Usage) =>
  Object.fromEntries(entriesOf(added).map(([name, amount]) => [name, $add(amount)])) as {
    readonly [K in keyof Usage]?: ReturnType<typeof $add<number>>;
  };

/** Returns the test that a figure, which is 0 when it is missing, has room for the amount; none unless it grows. */
export function fits<Name extends string>(attr: Name, limit: number, amount: number): Test<Name>[] {
  if (amount <= 0) return [];
  const most = limit - amount;
  const isLow = { attr, lte: most };
  return [most < 0 ? isLow : { or: [{ attr, exists: false }, isLow] }];
}

/** Conditions of such an update: the project has room. */
export const roomFor = (added: Usage) =>
  entriesOf(added).flatMap(([attr, amount]) => fits(attr, quota(attr), amount));

export const less = (usage: Usage): Usage =>
  Object.fromEntries(entriesOf(usage).map(([name, amount]) => [name, -amount]));
