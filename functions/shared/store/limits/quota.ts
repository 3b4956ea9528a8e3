/**
 * Quotas of projects and users. The project's own item counts what it has. The transactions that add and remove things update
 * the counts, so a count is always exact and costs no call of its own.
 *
 *     read the project        refuses what does not fit; the error names the quota
 *     transaction             counts, on condition that it still fits: of two requests that race for the last place one is refused
 */
import { $add } from "dynamodb-toolbox/entity/actions/update";
import { type ErrorCode, failure } from "../../edge/errors.ts";
import { type FigureName, figure } from "../../edge/figures.ts";

/** Usage of a project: attributes of its item, each missing until something is counted. */
export interface Usage {
  readonly node_count?: number | undefined;
  readonly link_count?: number | undefined;
  readonly capture_count?: number | undefined;
  readonly drawing_count?: number | undefined;
  readonly file_count?: number | undefined;
  /** Bytes of packets in captures, without the file headers, and of files. */
  readonly stored_bytes?: number | undefined;
}

/** The setting of each quota. */
const QUOTAS = {
  node_count: "quota_nodes",
  link_count: "quota_links",
  capture_count: "quota_captures",
  drawing_count: "quota_drawings",
  file_count: "quota_files",
  stored_bytes: "quota_stored_bytes",
  template_count: "quota_templates",
  project_count: "quota_projects",
  user_stored_bytes: "quota_user_stored_bytes",
  symbol_count: "quota_symbols",
  symbol_bytes: "quota_symbol_bytes",
  user_symbol_count: "quota_user_symbols",
  user_symbol_bytes: "quota_user_symbol_bytes",
  runs_per_minute: "runs_per_minute",
  followed_captures: "quota_followed_captures",
  followed_events: "quota_followed_events",
  kept_answer_bytes: "quota_kept_answer_bytes",
} as const satisfies Record<string, FigureName> & Record<keyof Usage, FigureName>;

export type Quota = keyof typeof QUOTAS;

const REFUSALS: Readonly<Record<keyof Usage, ErrorCode>> = {
  node_count: "quota.nodes",
  link_count: "quota.links",
  capture_count: "quota.captures",
  drawing_count: "quota.drawings",
  file_count: "quota.files",
  stored_bytes: "quota.stored-bytes",
};

/** @throws Error when the setting is out of bounds. */
export const quota = (of: Quota): number => figure(QUOTAS[of]);

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
  Object.fromEntries(entriesOf(added).map(([name, amount]) => [name, $add(amount)]));

/** Conditions of such an update: the project has room. */
export const roomFor = (added: Usage) =>
  entriesOf(added).map(([attr, amount]) => {
    const most = quota(attr) - amount;
    const fits = { attr, lte: most };
    return most < 0 ? fits : { or: [{ attr, exists: false as const }, fits] };
  });

export const less = (usage: Usage): Usage =>
  Object.fromEntries(entriesOf(usage).map(([name, amount]) => [name, -amount]));
