/** The combinations of settings that are rehearsed: each pair of settings, and all together, of stacks that last and of ephemeral ones. */
import { SETTINGS } from "../settings.ts";
import { type Combination, coverPairs } from "./pairs.ts";

type Key = keyof typeof SETTINGS;

/** Values of settings that take text. */
const TEXTS: Partial<Record<Key, string>> = {
  stack_name: "wirelab-ci-1234567890-attempt-1",
  jwt_issuer: "https://issuer.example/",
  jwt_audience: "wirelab",
  jwt_client_id: "page",
  jwt_user_claim: "email",
  jwt_role_claim: "groups",
  interface_version: "2.2.54",
  cors_origins: "https://lab.example,http://localhost:4200",
  helper: "c8i.xlarge",
  alarm_email: "ops@example.org",
  domain: "lab.example.org",
  domain_certificate: "arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555",
  domain_zone: "Z0123456789ABC",
  tags: "team=network,stage=ci",
  expires: "2030-01-31T18:00Z",
};

/** Settings that are given together, because one requires or describes the other: the ways to give each group. */
const TOGETHER: readonly (readonly (readonly Key[])[])[] = [
  [["jwt_issuer", "jwt_audience", "jwt_client_id", "jwt_user_claim", "jwt_role_claim"]],
  [["alarm_email", "budget_usd"]],
  [
    ["domain", "domain_certificate"],
    ["domain", "domain_certificate", "domain_zone"],
  ],
];

const CONCURRENCIES: Combination = {
  concurrency_authorizer: "5",
  concurrency_runs: "5",
  concurrency_sweeper: "1",
};

/** Settings with figures do not change which resources there are, so they are given all at once. */
const isFigure = (key: Key): boolean => valuesOf(key).length === 1 && !(key in TEXTS);

/** The values of a setting that are tried. @throws Error for a setting that takes text and has no value in TEXTS. */
export function valuesOf(key: Key): readonly string[] {
  const { kind } = SETTINGS[key];
  const choices = kind.allowed.split(/, | or /);
  if (choices.every((choice) => kind.accepts(choice)) && !kind.accepts("?")) return choices;
  const value =
    TEXTS[key] ?? ["2", "10", "100", "3008"].find((figure) => kind.accepts(figure) && !kind.accepts("?"));
  if (value === undefined)
    throw new Error(`The setting ${key} takes text: give it a value in infra/rehearse/combinations.ts`);
  return [value];
}

/** A default that depends on other settings is a value like others. */
const isDefault = (key: Key, value: string): boolean => {
  const { stated, default: usual } = SETTINGS[key];
  return stated === undefined && value === String(usual);
};

/** What a value requires. */
const WITH: Readonly<Record<string, readonly Key[]>> = { "auth=jwt": ["jwt_issuer", "jwt_audience"] };

const valueFor = (keys: readonly Key[]): Combination =>
  Object.fromEntries(keys.map((key) => [key, valuesOf(key)[0]!]));

/** Each factor has the values that a combination can have of it; the first is none. */
function factors(): readonly (readonly Combination[])[] {
  const keys = (Object.keys(SETTINGS) as Key[]).filter((key) => !key.startsWith("concurrency_"));
  const grouped = new Set(TOGETHER.flat(2));
  const single = keys.filter((key) => !grouped.has(key) && !isFigure(key));
  const figures = { ...valueFor(keys.filter((key) => isFigure(key) && !grouped.has(key))), ...CONCURRENCIES };
  return [
    ...single.map((key) => [
      {},
      ...valuesOf(key)
        .filter((value) => !isDefault(key, value))
        .map((value) => ({ [key]: value, ...valueFor(WITH[`${key}=${value}`] ?? []) })),
    ]),
    ...TOGETHER.map((ways) => [{}, ...ways.map(valueFor)]),
    [{}, figures],
  ];
}

/**
 * `auth=none` admits everybody, so only an ephemeral stack has it. A lasting stack does not expire. An ephemeral stack has no role of
 * its own for the gateway's log.
 */
const isRefused = ({ auth, ephemeral, expires, gateway_log: log }: Combination): boolean =>
  (ephemeral !== "true" && (auth === "none" || expires !== undefined)) ||
  (log === "own-role" && ephemeral === "true");

/** All settings with a value at once, but with one way to sign in, which does not exclude the others. */
const everything = (own: Combination): Combination => {
  const all = factors()
    .map((values) => values.at(-1)!)
    .filter(({ expires }) => expires === undefined || own.ephemeral === "true");
  return { ...Object.assign({}, ...all), auth: "basic", gateway_log: "region-role", ...own };
};

/** With each pair, of which the first is without any setting, and with everything. */
export const combinations = (): readonly Combination[] => [
  { ephemeral: "true" },
  everything({ ephemeral: "false" }),
  everything({ ephemeral: "true" }),
  everything({ ephemeral: "false", auth: "jwt" }),
  ...coverPairs(factors(), isRefused),
];

export const describeCombination = (combination: Combination): string =>
  Object.entries(combination)
    .map(([key, value]) => `${key}=${value}`)
    .join(" ") || "no settings";
