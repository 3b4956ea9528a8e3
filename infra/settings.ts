/**
 * All settings of the stack in one table: `-c quota_nodes=200`. The type of each value, the refusal of other keys and values, and the table of
 * docs/settings.md (settings-table.ts) come from it. The environment variable of a setting is its name in capitals.
 */
import {
  GUEST_LIMITS,
  HELPER,
  QUOTAS,
  RESERVE_MS,
  RUN_LIMITS,
  SWEEPS,
} from "../functions/shared/edge/figures.ts";
import { ACCESS } from "./access.ts";

export interface Described {
  /** The value of a setting that is not set; undefined for none. */
  readonly default?: string | number | undefined;
  /** The default as the page states it, if it is not the value itself. */
  readonly stated?: string | undefined;
  /** What the setting sets, in Markdown. Neighbours with the same text share a row of the page. */
  readonly doc: string;
}

/** The type of a setting's values. On the command line, each value is text. */
interface Kind<Value> {
  /** Says which values are accepted. */
  readonly allowed: string;
  readonly accepts: (text: string) => boolean;
  /** Turns an accepted text into the value. */
  readonly parse: (text: string) => Value;
  /** All accepted texts, if there are few. */
  readonly choices?: readonly string[];
}

/** `Default` is undefined for a setting without one. */
export interface Setting<Value = unknown, Default = unknown> extends Described {
  readonly kind: Kind<Value>;
  readonly default: Default & Described["default"];
  /** What the setting protects: a deployment that leaves it out must not change it (infra/deploy/left-out.ts). */
  readonly guards?: "sign-in" | "encryption" | "firewall" | "alarms" | "address";
}

const oneOf = <const Choice extends string>(...choices: readonly Choice[]): Kind<Choice> => ({
  allowed: choices.join(", ").replace(/, (?=[^,]+$)/, " or "),
  accepts: (text) => (choices as readonly string[]).includes(text),
  parse: (text) => text as Choice,
  choices,
});
const matching = (pattern: RegExp, allowed: string): Kind<string> => ({
  allowed,
  accepts: (text) => pattern.test(text),
  parse: (text) => text,
});
const figure = (allowed: string, accepts: (value: number) => boolean): Kind<number> => ({
  allowed: `a ${allowed}`,
  accepts: (text) => Number.isFinite(Number(text)) && accepts(Number(text)),
  parse: Number,
});
const wholeFrom = (least: number, most?: number): Kind<number> =>
  figure(
    `whole number from ${least} ${most === undefined ? "up" : `to ${most}`}`,
    (value) => Number.isInteger(value) && value >= least && value <= (most ?? Infinity),
  );

const TEXT = matching(/^/, "text");
const EMAIL = matching(/^[^@\s]+@[^@\s]+\.[^@\s]+$/, "an email address");
/** Requires HTTPS: over HTTP, an attacker on the network could replace the issuer's keys and sign valid tokens. */
const ISSUER = matching(
  /^(https:\/\/[^/]|http:\/\/(127\.0\.0\.1|localhost)([:/]|$))/,
  "a URL that begins with https://",
);
/** Types of Graviton processors, such as c8g, cannot run GNS3's emulators. */
const INSTANCE_TYPE = matching(
  /^(?![a-z]+\d+g)[a-z]+\d+[a-z-]*\.\d*[a-z-]+\d*[a-z]*$/,
  "an EC2 instance type with an x86 processor, such as c8i.xlarge",
);
const HOST_NAME = matching(
  /^(?=.{1,240}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
  "a host name in lower case, such as lab.example.org",
);
const CERTIFICATE = matching(
  /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
  "the ARN of a certificate in ACM",
);
const ZONE_ID = matching(/^Z[A-Z0-9]{1,31}$/, "the id of a hosted zone in Route 53, such as Z0123456789ABC");
const TIME = matching(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/,
  "a time in UTC, such as 2030-01-31T18:00Z",
);
const FLAG: Kind<boolean> = { ...oneOf("true", "false"), parse: (text) => text === "true" };
const RATE = figure("number from 1 up", (value) => value >= 1);
const LIMIT = figure("number above 0", (value) => value > 0);

const setting = <Value, Default extends string | number | undefined>(
  kind: Kind<Value>,
  value: Default,
  doc: string,
  stated?: string,
): Setting<Value, Default> => ({ kind, default: value, stated, doc });
const guarding = <Row extends Setting>(guards: Setting["guards"], row: Row): Row => ({ ...row, guards });
const flag = (doc: string, stated?: string) => setting(FLAG, "false", doc, stated);

/** Figures that functions read. */
const settingsOf = <Name extends string>(
  kind: Kind<number>,
  defaults: Readonly<Record<Name, number>>,
  docs: Readonly<Record<Name, string>>,
) =>
  Object.fromEntries(
    Object.entries<string>(docs).map(([name, doc]) => [name, setting(kind, defaults[name as Name], doc)]),
  ) as Record<Name, Setting<number, number>>;

/**
 * The function ends a run when only the reserve of its timeout is left, so no run reaches a limit at or above this bound.
 * The function `projects`, which opens projects, has a longer timeout and the same limit.
 */
export const CPU_SECONDS_BELOW = ACCESS.runs!.timeoutSeconds - RESERVE_MS / 1000;

const CPU_SECONDS = figure(
  `number above 0 and below ${CPU_SECONDS_BELOW}`,
  (value) => value > 0 && value < CPU_SECONDS_BELOW,
);

const WITH_JWT = "none; required with `auth=jwt`";
const ISSUED = "the issuer and the audience of accepted tokens";
const OF_ALL = "[requests](limits.md#how-often) a second of all callers, and at once";
const OF_RUNS = "the same for each route that runs a lab";
const OF_PUBLIC = "the same for each route that needs no credentials";
const OF_A_PROJECT = "[the most](limits.md#how-much-there-may-be) that a project may have";
const SYMBOLS = "uploaded symbols, of all users together";
const SYMBOLS_OF_A_USER = "symbols that a user has uploaded";
const RUN = "where [a run](limits.md#runs) ends";

const QUOTA_SETTINGS = settingsOf(wholeFrom(0), QUOTAS, {
  runs_per_minute: "runs of a user, and changes of projects",
  quota_nodes: OF_A_PROJECT,
  quota_links: OF_A_PROJECT,
  quota_captures: OF_A_PROJECT,
  quota_drawings: OF_A_PROJECT,
  quota_snapshots: OF_A_PROJECT,
  quota_files: OF_A_PROJECT,
  quota_stored_bytes: "bytes of a project's captures, files, snapshots and Linux nodes",
  quota_projects: "projects of a user",
  quota_user_stored_bytes: "the same bytes of all projects of a user",
  quota_templates: "templates, of all users together",
  quota_symbols: SYMBOLS,
  quota_symbol_bytes: SYMBOLS,
  quota_user_symbols: SYMBOLS_OF_A_USER,
  quota_user_symbol_bytes: SYMBOLS_OF_A_USER,
  quota_followed_captures: "[captures that a user follows](limits.md#captures) at once; at least 1",
  quota_followed_events: "[streams of events that a user follows](limits.md#how-often) at once; at least 1",
  quota_kept_answer_bytes: "answers of a user that are [kept for idempotency keys](idempotency.md) in a day",
});

const RUN_SETTINGS = settingsOf(LIMIT, RUN_LIMITS, {
  run_max_events: RUN,
  run_max_packets: RUN,
  run_max_cpu_seconds: `likewise; below ${CPU_SECONDS_BELOW}`,
  run_max_captured_bytes: "likewise",
  run_max_bytes_in_flight: "likewise",
  run_max_output_characters: "likewise",
  run_max_lab_seconds: "likewise",
});

const GUEST_SETTINGS = settingsOf(wholeFrom(1), GUEST_LIMITS, {
  linux_max_guests: "[Linux nodes](limits.md#linux-nodes) that are on in a run",
  linux_max_memory_mb: "MiB of memory that these have together",
  linux_max_state_mb: "MiB of their states together, as a run stores them",
  linux_max_lab_seconds: "where a run of a lab with Linux nodes ends",
});

/** What Lambda gives a function; fewer would not carry one guest. */
const MEMORY_MB = wholeFrom(1_024, 10_240);

const EACH_FUNCTION = "concurrency_<function>";

export const SETTINGS = {
  stack_name: setting(
    TEXT,
    "Wirelab",
    "the name of the stack, so that several stand in one account; also of its dashboard and metrics",
  ),
  tags: setting(
    TEXT,
    undefined,
    "[tags of all resources](deploy.md#what-a-lasting-stack-has), as `team=network,stage=prod`, besides `wirelab` with the stack's name",
  ),
  ephemeral: flag("`true`: everything is deleted with the stack, and no earlier state can be restored"),
  expires: setting(
    TIME,
    undefined,
    "with `ephemeral`: the time from which [the janitor](ci.md#the-janitor) deletes the stack, as `2030-01-31T18:00Z`",
  ),
  auth: guarding(
    "sign-in",
    setting(
      oneOf("basic", "iam", "jwt", "none"),
      "basic",
      "how callers sign in: `basic`, `jwt`, `iam`, or with `ephemeral` `none`; [security](security.md#ways-to-sign-in)",
    ),
  ),
  // API Gateway's limit.
  sign_in_cache_seconds: setting(
    wholeFrom(0, 3_600),
    60,
    "with `basic` and `jwt`: for how long the gateway keeps [who a caller is](security.md#the-gateways-cache), so that it is not checked again",
  ),
  iam_role: guarding(
    "sign-in",
    setting(oneOf("viewer", "editor", "admin"), "admin", "with `auth=iam`: the role of all callers"),
  ),
  jwt_issuer: guarding("sign-in", setting(ISSUER, undefined, ISSUED, WITH_JWT)),
  jwt_audience: guarding("sign-in", setting(TEXT, undefined, ISSUED, WITH_JWT)),
  jwt_client_id: setting(
    TEXT,
    undefined,
    "the client at the issuer as which [the page](page.md#signing-in) signs in",
    "`jwt_audience`",
  ),
  jwt_user_claim: guarding(
    "sign-in",
    setting(TEXT, "sub", "the claim that [identifies the user](security.md#tokens)"),
  ),
  jwt_role_claim: guarding(
    "sign-in",
    setting(TEXT, "wirelab_role", "the claim with [the user's role](security.md#tokens)"),
  ),
  interface_version: setting(
    // A release of the interface that the service implements, or a development version of one.
    matching(/^2\.2\.\d+(\.\w+)?(\+[\w.]+)?$/, "a version 2.2, such as 2.2.60"),
    undefined,
    "the version that [clients of another release](compatibility.md#versions) expect, as 2.2.54",
    "2.2.60",
  ),
  cors_origins: setting(
    TEXT,
    undefined,
    "[origins whose pages may use the service](security.md#pages-of-other-origins), separated by commas, as `https://lab.example,http://localhost:4200`",
  ),
  edge: guarding(
    "address",
    flag(
      "`true`: [CloudFront in front](deploy.md#one-address), with one address for requests, WebSockets and pages",
    ),
  ),
  domain: guarding(
    "address",
    setting(
      HOST_NAME,
      undefined,
      "[a name of your own](deploy.md#a-name-of-your-own) for the service, as `lab.example.org`",
    ),
  ),
  domain_certificate: guarding(
    "address",
    setting(CERTIFICATE, undefined, "the ARN of its certificate in ACM", "none; required with `domain`"),
  ),
  domain_zone: guarding(
    "address",
    setting(ZONE_ID, undefined, "the zone in Route 53 that gets its records; without it, you make them"),
  ),
  gateway_log: setting(
    oneOf("own-role", "region-role", "none"),
    undefined,
    "whether [the gateway has a log](operations.md#the-gateways-log), and with which role: `own-role`, `region-role` or `none`",
    "`own-role`; with `ephemeral` `none`",
  ),
  customer_key: guarding(
    "encryption",
    flag("`true`: a [key of the account's own](security.md#a-key-of-your-own) for all stored data"),
  ),
  waf: guarding(
    "firewall",
    flag("`true`: a [web application firewall](security.md#a-firewall) before the API"),
  ),
  // AWS allows no lower rate.
  waf_rate: guarding(
    "firewall",
    setting(wholeFrom(10), 3_000, "with `waf`: requests of one address in five minutes"),
  ),
  throttle_rate: setting(RATE, 500, OF_ALL),
  throttle_burst: setting(wholeFrom(1), 1_000, OF_ALL),
  throttle_runs_rate: setting(RATE, 100, OF_RUNS),
  throttle_runs_burst: setting(wholeFrom(1), 200, OF_RUNS),
  throttle_public_rate: setting(RATE, 10, OF_PUBLIC),
  throttle_public_burst: setting(wholeFrom(1), 20, OF_PUBLIC),
  [EACH_FUNCTION]: setting(
    wholeFrom(0),
    undefined,
    "[how many instances of a function](limits.md#how-often) run at once: `concurrency_authorizer`, `concurrency_sweeper`, or a group of routes, such as `concurrency_runs`",
  ),
  ...QUOTA_SETTINGS,
  // A new follower evicts the oldest one, so the minimum is one; `concurrency_follow=0` disables following.
  quota_followed_captures: { ...QUOTA_SETTINGS.quota_followed_captures, kind: wholeFrom(1) },
  quota_followed_events: { ...QUOTA_SETTINGS.quota_followed_events, kind: wholeFrom(1) },
  ...RUN_SETTINGS,
  run_max_cpu_seconds: { ...RUN_SETTINGS.run_max_cpu_seconds, kind: CPU_SECONDS },
  ...GUEST_SETTINGS,
  linux_function_memory_mb: setting(
    MEMORY_MB,
    ACCESS.guests!.memoryMb,
    "MB of [the function that runs labs with Linux nodes](linux-nodes.md#memory-of-the-function); 1,769 are one processor, and a new account may have 3,008",
  ),
  console_pace: setting(
    oneOf("once", "real"),
    "once",
    "`real`: [consoles](consoles.md#pace) print at the pace of lab time",
  ),
  ...settingsOf(LIMIT, SWEEPS, {
    abandoned_capture_days:
      "after how many days without packets [the sweeper](operations.md#the-sweeper) stops a capture",
  }),
  helper: setting(
    INSTANCE_TYPE,
    undefined,
    "the type of [the helper machine](helper-machine.md), as `c8i.xlarge`: a GNS3 server in EC2 that runs while a project uses it",
  ),
  ...settingsOf(LIMIT, HELPER, {
    helper_idle_minutes:
      "with `helper`: for how many minutes without open projects the machine keeps running",
  }),
  // The image has 8 GB, and hibernation saves the memory to the volume.
  helper_volume_gb: setting(wholeFrom(10, 16_384), 40, "with `helper`: the machine's disk, in GB"),
  helper_hibernation: flag(
    "with `helper`, `true`: [the machine can hibernate](helper-machine.md#when-it-stops)",
  ),
  helper_nat: flag(
    "with `helper`, `true`: a NAT gateway, $33 a month, to [computes at public IPv4 addresses](helper-machine.md#the-network)",
  ),
  // DynamoDB restores a table to a point in the last 35 days.
  restore_days: setting(
    wholeFrom(1, 35),
    7,
    "for how long [what was deleted](operations.md#backup) can be brought back; up to 35",
  ),
  alarms: guarding(
    "alarms",
    flag("the [alarms](operations.md#alarms), $1.30 a month", "`false`; with `alarm_email` `true`"),
  ),
  alarm_email: guarding("alarms", setting(EMAIL, undefined, "the address to which alarms are sent")),
  dashboard: flag("`true`: a dashboard of the service in CloudWatch, $3 a month"),
  budget_usd: guarding(
    "alarms",
    setting(RATE, undefined, "with `alarm_email`: an alarm on [what the account spends](limits.md#money)"),
  ),
  tracing: flag("`true`: X-Ray follows requests"),
  upgrade_index: flag("`true`: the first of two deployments of an [upgrade](operations.md#upgrade)"),
} satisfies Record<string, Setting>;

/** Returns Markdown. */
export function describeDefault({ stated, default: value }: Described): string {
  if (stated !== undefined) return stated;
  if (value === undefined) return "none";
  return typeof value === "number" ? value.toLocaleString("en-US") : `\`${value}\``;
}

/** What a stack can be given: the type of wirelab.config.ts. */
export type WirelabSettings = {
  readonly [Key in Exclude<keyof typeof SETTINGS, typeof EACH_FUNCTION>]?: GivenValue<Key> | undefined;
} & {
  readonly [key: `concurrency_${string}`]: number | undefined;
};

/** Code with an unlisted key does not compile. */
export type SettingKey = Exclude<keyof typeof SETTINGS, typeof EACH_FUNCTION> | `concurrency_${string}`;

/** The setting of a key in the table. */
type RowOf<Key extends SettingKey> = (typeof SETTINGS)[Key extends keyof typeof SETTINGS
  ? Key
  : typeof EACH_FUNCTION];

/** The values that a setting can be given. */
export type GivenValue<Key extends SettingKey> =
  RowOf<Key> extends Setting<infer Value, infer _> ? Value : never;

/** The values that a setting has, given or by default. */
export type ValueOf<Key extends SettingKey> =
  RowOf<Key> extends Setting<infer Value, infer Default>
    ? Value | (Default extends undefined ? undefined : never)
    : never;

export const SETTING_KEYS: ReadonlySet<string> = new Set(
  Object.keys(SETTINGS).flatMap((key) =>
    key === EACH_FUNCTION ? Object.keys(ACCESS).map((name) => `concurrency_${name}`) : [key],
  ),
);

export const settingOf = (key: SettingKey): Setting =>
  SETTINGS[key.startsWith("concurrency_") ? EACH_FUNCTION : (key as keyof typeof SETTINGS)];

/** Keys of settings that protect a deployed stack. */
export const GUARDED = (Object.entries<Setting>(SETTINGS) as [SettingKey, Setting][]).flatMap(
  ([key, { guards }]) => (guards === undefined ? [] : [key]),
);

export const QUOTA_KEYS = Object.keys(QUOTAS) as (keyof typeof QUOTAS)[];
export const GUEST_KEYS = Object.keys(GUEST_LIMITS) as (keyof typeof GUEST_LIMITS)[];
export const RUN_KEYS = Object.keys(RUN_LIMITS) as (keyof typeof RUN_LIMITS)[];
