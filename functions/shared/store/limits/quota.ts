/**
 * Quotas of projects and users. The project's own item counts what it has. The transactions that add and remove things update
 * the counts, so a count is always exact and costs no call of its own.
 *
 *     read the project        refuses what does not fit; the error names the quota
 *     transaction             counts, on condition that it still fits: of two requests that race for the last place one is refused
 */
import { $add } from "dynamodb-toolbox/entity/actions/update";
import { type ErrorCode, failure } from "../../edge/errors.ts";
import { figure, QUOTAS } from "../../edge/figures.ts";
import type { Test } from "../base/when.ts";

/** Usage of a project: attributes of its item, each missing until something is counted. */
export interface Usage {
  readonly node_count?: number | undefined;
  readonly link_count?: number | undefined;
  readonly capture_count?: number | undefined;
  readonly drawing_count?: number | undefined;
  readonly snapshot_count?: number | undefined;
  readonly file_count?: number | undefined;
  /** Bytes of packets in captures, without the file headers, of files, of snapshots, and of the states of guests. */
  readonly stored_bytes?: number | undefined;
}

export type Quota = keyof typeof QUOTAS;

const OF_A_PROJECT = {
  node_count: { quota: "quota_nodes", refusal: "quota.nodes" },
  link_count: { quota: "quota_links", refusal: "quota.links" },
  capture_count: { quota: "quota_captures", refusal: "quota.captures" },
  drawing_count: { quota: "quota_drawings", refusal: "quota.drawings" },
  snapshot_count: { quota: "quota_snapshots", refusal: "quota.snapshots" },
  file_count: { quota: "quota_files", refusal: "quota.files" },
  stored_bytes: { quota: "quota_stored_bytes", refusal: "quota.stored-bytes" },
} as const satisfies Record<keyof Usage, { quota: Quota; refusal: ErrorCode }>;

/** @throws Error when the environment has a value that is not a number from 0 up. */
export const quota = (setting: Quota): number => figure(QUOTAS, setting);

const entriesOf = (usage: Usage): [keyof Usage, number][] =>
  Object.entries(usage).filter(([, amount]) => amount) as [keyof Usage, number][];

/** @throws ApiError `quota.*` when the project, as it was read, has no room for the added usage. */
export function refuseOverQuota(project: Usage, added: Usage): void {
  for (const [name, amount] of entriesOf(added)) {
    const { quota: setting, refusal } = OF_A_PROJECT[name];
    const [limit, count] = [quota(setting), project[name] ?? 0];
    if (count + amount > limit) throw failure(refusal, { limit, count, amount });
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
  entriesOf(added).flatMap(([attr, amount]) => fits(attr, quota(OF_A_PROJECT[attr].quota), amount));

export const less = (usage: Usage): Usage =>
  Object.fromEntries(entriesOf(usage).map(([name, amount]) => [name, -amount]));
