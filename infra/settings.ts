/**
 * All settings of the stack in one table: `-c quota_nodes=200`. The readers, the refusal of other keys, the functions' environment and
 * the table of docs/settings.md (settings-table.ts) come from it.
 */
import type { Node } from "constructs";
import {
  type Bounds,
  checkedFigure,
  FIGURES,
  type Figure,
  type FigureName,
  variableOf,
} from "../functions/shared/edge/figures.ts";
import { ACCESS } from "./access.ts";

interface Setting extends Bounds {
  readonly kind: "text" | "flag" | "figure";
  /** The value without an entry in the context; undefined for none. */
  readonly default?: string | boolean | number;
  /** The default as the page states it, if it is not the value itself. */
  readonly stated?: string;
  /** What the setting sets. Neighbours with the same text share a row of the page. */
  readonly doc: string;
}

const text = (value: string, doc: string): Setting => ({ kind: "text", default: value, doc });
const open = (stated: string, doc: string): Setting => ({ kind: "text", stated, doc });
const flag = (doc: string, stated?: string): Setting => ({
  kind: "flag",
  default: false,
  ...(stated !== undefined && { stated }),
  doc,
});
const figure = (value: number | undefined, bounds: Bounds, doc: string): Setting => ({
  kind: "figure",
  ...(value !== undefined && { default: value }),
  ...bounds,
  doc,
});
/** A figure that functions read. */
const shared = (name: FigureName, doc: string, bounds: Bounds = {}): Setting => ({
  kind: "figure",
  ...(FIGURES[name] as Figure),
  ...bounds,
  doc,
});

/** The part of the function's timeout for the commit and the response: RESERVE_MS of functions/shared/run/limits.ts. */
const RESERVE_SECONDS = 6;

/**
 * The function ends a run when only the reserve of its timeout is left, so no run reaches a limit at or above this bound.
 * The function `projects`, which opens projects, has a longer timeout and the same limit.
 */
export const CPU_SECONDS_BELOW = ACCESS.runs!.timeoutSeconds - RESERVE_SECONDS;

const RUN = "where [a run](limits.md#runs) ends";
const LIKEWISE = "likewise";
const RATE = { least: 1 };
const WHOLE = { least: 1, isWhole: true };

export const SETTINGS = {
  stack_name: text(
    "Wirelab",
    "the name of the stack, so that several stand in one account; also of its dashboard and metrics",
  ),
  ephemeral: flag("`true`: everything is deleted with the stack, and no earlier state can be restored"),
  auth: text(
    "basic",
    "how callers sign in: `basic`, `jwt`, `iam`, or with `ephemeral` `none`; [security](security.md#ways-to-sign-in)",
  ),
  iam_role: text("admin", "with `auth=iam`: the role of all callers"),
  jwt_issuer: open("none; required with `auth=jwt`", "the issuer and the audience of accepted tokens"),
  jwt_audience: open("none; required with `auth=jwt`", "the issuer and the audience of accepted tokens"),
  jwt_user_claim: text("sub", "the claim that [identifies the user](security.md#tokens)"),
  jwt_role_claim: text("wirelab_role", "the claim with [the user's role](security.md#tokens)"),
  interface_version: open(
    "2.2.60",
    "the version that [clients of another release](compatibility.md#versions) expect, as 2.2.54",
  ),
  cors_origins: open(
    "none",
    "[origins whose pages may use the service](security.md#pages-of-other-origins), separated by commas, as `https://lab.example,http://localhost:4200`",
  ),
  gateway_log: open(
    "`own-role`; with `ephemeral` `none`",
    "whether [the gateway has a log](operations.md#the-gateways-log), and with which role: `own-role`, `region-role` or `none`",
  ),
  customer_key: flag(
    "`true`: a [key of the account's own](security.md#a-key-of-your-own) for all stored data",
  ),
  waf: flag("`true`: a [web application firewall](security.md#a-firewall) before the API"),
  // AWS allows no lower rate.
  waf_rate: figure(
    3_000,
    { least: 10, isWhole: true },
    "with `waf`: requests of one address in five minutes",
  ),
  throttle_rate: figure(100, RATE, "[requests](limits.md#how-often) a second of all callers, and at once"),
  throttle_burst: figure(200, WHOLE, "[requests](limits.md#how-often) a second of all callers, and at once"),
  throttle_runs_rate: figure(20, RATE, "the same for each route that runs a lab"),
  throttle_runs_burst: figure(40, WHOLE, "the same for each route that runs a lab"),
  throttle_public_rate: figure(10, RATE, "the same for each route that needs no credentials"),
  throttle_public_burst: figure(20, WHOLE, "the same for each route that needs no credentials"),
  runs_per_minute: shared("runs_per_minute", "runs of a user, and changes of projects"),
  "concurrency_<function>": figure(
    undefined,
    { least: 0, isWhole: true },
    "[how many instances of a function](limits.md#how-often) run at once: `concurrency_authorizer`, `concurrency_sweeper`, or a group of routes, such as `concurrency_runs`",
  ),
  quota_nodes: shared("quota_nodes", "[the most](limits.md#how-much-there-may-be) that a project may have"),
  quota_links: shared("quota_links", "[the most](limits.md#how-much-there-may-be) that a project may have"),
  quota_captures: shared(
    "quota_captures",
    "[the most](limits.md#how-much-there-may-be) that a project may have",
  ),
  quota_drawings: shared(
    "quota_drawings",
    "[the most](limits.md#how-much-there-may-be) that a project may have",
  ),
  quota_files: shared("quota_files", "[the most](limits.md#how-much-there-may-be) that a project may have"),
  quota_stored_bytes: shared("quota_stored_bytes", "bytes of a project's captures and files"),
  quota_templates: shared("quota_templates", "templates, of all users together"),
  quota_projects: shared("quota_projects", "projects of a user"),
  quota_user_stored_bytes: shared(
    "quota_user_stored_bytes",
    "bytes of the captures and files of all projects of a user",
  ),
  quota_symbols: shared("quota_symbols", "uploaded symbols, of all users together"),
  quota_symbol_bytes: shared("quota_symbol_bytes", "uploaded symbols, of all users together"),
  quota_user_symbols: shared("quota_user_symbols", "symbols that a user has uploaded"),
  quota_user_symbol_bytes: shared("quota_user_symbol_bytes", "symbols that a user has uploaded"),
  quota_followed_captures: shared(
    "quota_followed_captures",
    "[captures that a user follows](limits.md#captures) at once; at least 1",
  ),
  quota_followed_events: shared(
    "quota_followed_events",
    "[streams of events that a user follows](limits.md#how-often) at once; at least 1",
  ),
  quota_kept_answer_bytes: shared(
    "quota_kept_answer_bytes",
    "answers of a user that are [kept for idempotency keys](idempotency.md) in a day",
  ),
  run_max_events: shared("run_max_events", RUN),
  run_max_packets: shared("run_max_packets", RUN),
  run_max_cpu_seconds: shared("run_max_cpu_seconds", `likewise; below ${CPU_SECONDS_BELOW}`, {
    below: CPU_SECONDS_BELOW,
  }),
  run_max_captured_bytes: shared("run_max_captured_bytes", LIKEWISE),
  run_max_bytes_in_flight: shared("run_max_bytes_in_flight", LIKEWISE),
  run_max_output_characters: shared("run_max_output_characters", LIKEWISE),
  run_max_lab_seconds: shared("run_max_lab_seconds", LIKEWISE),
  abandoned_capture_days: shared(
    "abandoned_capture_days",
    "after how many days without packets [the sweeper](operations.md#the-sweeper) stops a capture",
  ),
  // DynamoDB restores a table to a point in the last 35 days.
  restore_days: figure(
    7,
    { least: 1, most: 35, isWhole: true },
    "for how long [what was deleted](operations.md#backup) can be brought back; up to 35",
  ),
  alarms: flag("the [alarms](operations.md#alarms), $0.80 a month", "`false`; with `alarm_email` `true`"),
  alarm_email: open("none", "the address to which alarms are sent"),
  dashboard: flag("`true`: a dashboard of the service in CloudWatch, $3 a month"),
  budget_usd: figure(
    undefined,
    RATE,
    "with `alarm_email`: an alarm on [what the account spends](limits.md#money)",
  ),
  tracing: flag("`true`: X-Ray follows requests"),
  upgrade_index: flag("`true`: the first of two deployments of an [upgrade](operations.md#upgrade)"),
} as const satisfies Record<string, Setting>;

const EACH_FUNCTION = "concurrency_<function>";

/** The readers accept only this type, so code with an unlisted key does not compile. */
export type ContextKey = Exclude<keyof typeof SETTINGS, typeof EACH_FUNCTION> | `concurrency_${string}`;

export const CONTEXT_KEYS: ReadonlySet<string> = new Set(
  Object.keys(SETTINGS).flatMap((key) =>
    key === EACH_FUNCTION ? Object.keys(ACCESS).map((name) => `concurrency_${name}`) : [key],
  ),
);

const settingOf = (key: ContextKey): Setting =>
  SETTINGS[key.startsWith("concurrency_") ? EACH_FUNCTION : (key as keyof typeof SETTINGS)];

/** @returns undefined if the context has no value. */
export const givenText = (node: Node, key: ContextKey): string | undefined =>
  String(node.tryGetContext(key) ?? "") || undefined;

/** Returns the value of a setting with a default. */
export const readText = (node: Node, key: ContextKey): string =>
  givenText(node, key) ?? (settingOf(key).default as string);

/**
 * Values from the command line are text; cdk.json may also have booleans.
 * @throws Error for a value other than true and false, because a mistyped value must not count as false.
 */
export function readFlag(
  node: Node,
  key: ContextKey,
  byDefault = settingOf(key).default as boolean,
): boolean {
  const given = givenText(node, key);
  if (given === undefined) return byDefault;
  if (given === "true") return true;
  if (given === "false") return false;
  throw new Error(`The context key ${key} is ${given}; it must be true or false`);
}

/** @returns undefined if the context has no value. @throws Error for a value that is out of the setting's bounds. */
export function givenFigure(node: Node, key: ContextKey): number | undefined {
  const given: unknown = node.tryGetContext(key);
  if (given === undefined || given === "") return undefined;
  return checkedFigure(`The context key ${key}`, given, settingOf(key));
}

/** Returns the value of a setting with a default. @throws Error for a value that is out of the setting's bounds. */
export const readFigure = (node: Node, key: ContextKey): number =>
  givenFigure(node, key) ?? (settingOf(key).default as number);

/** Returns the environment variables of the functions that read these figures; without a value they use their defaults. */
export function figuresFor(node: Node, reader: Figure["reader"]): Record<string, string> {
  const names = (Object.keys(FIGURES) as FigureName[]).filter((name) => FIGURES[name].reader === reader);
  const given = names.map((name) => [variableOf(name), givenFigure(node, name)] as const);
  return Object.fromEntries(
    given.flatMap(([variable, value]) => (value === undefined ? [] : [[variable, String(value)]])),
  );
}
