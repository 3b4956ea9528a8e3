/** The stack for a context, with the settings of the real app and without bundling, because tests read only the template. */
import { readFileSync } from "node:fs";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Settings as ChosenSettings } from "../../../infra/chosen-settings.ts";
import { WirelabStack } from "../../../infra/stack.ts";

const { context } = JSON.parse(readFileSync(new URL("../../../cdk.json", import.meta.url), "utf8"));

export type Settings = Readonly<Record<string, string | number | undefined>>;

/** Excludes the CDK's own rules, which take half a minute to load; every-context.test.ts enables them. */
const WITHOUT_RULES = { "@aws-cdk/core:validateAgainstDefaultRules": false };

export function makeStack(
  settings: Settings = {},
  rules: object = WITHOUT_RULES,
): { app: App; stack: WirelabStack } {
  const app = new App({ context: { ...context, "aws:cdk:bundling-stacks": [], ...rules } });
  const { stack_name } = settings;
  return {
    app,
    stack: new WirelabStack(app, "Wirelab", {
      settings: new ChosenSettings(settings),
      ...(stack_name !== undefined && { stackName: String(stack_name) }),
    }),
  };
}

const templates = new Map<string, Template>();

/** Synthesizes each context once for a test file, because templates are read only. */
export function templateOf(settings: Settings = {}): Template {
  const key = describeContext(settings);
  const known = templates.get(key);
  if (known) return known;
  const template = Template.fromStack(makeStack(settings).stack);
  templates.set(key, template);
  return template;
}

const LIFETIMES: readonly Settings[] = [
  {},
  { gateway_log: "region-role" },
  { gateway_log: "none" },
  { ephemeral: "true" },
];

const AUTH: readonly Settings[] = [
  { auth: "basic" },
  { auth: "iam" },
  { auth: "iam", iam_role: "editor" },
  {
    auth: "jwt",
    jwt_issuer: "https://issuer.example/",
    jwt_audience: "wirelab",
    jwt_role_claim: "groups",
    jwt_user_claim: "email",
  },
  { auth: "none" },
];

const flag = (name: string): Settings[] => [{}, { [name]: "true" }];

/** Every setting that can be switched; a setting with a number is on with one value. */
const SWITCHES: readonly (readonly Settings[])[] = [
  AUTH,
  LIFETIMES,
  flag("tracing"),
  flag("customer_key"),
  flag("waf"),
  flag("edge"),
  [
    {},
    { alarms: "true", dashboard: "true" },
    { alarm_email: "ops@example.org", budget_usd: "20", dashboard: "true", helper: "c8i.xlarge" },
  ],
];

const isRefused = ({ auth, ephemeral }: Settings): boolean => auth === "none" && ephemeral !== "true";

const product = (switches: readonly (readonly Settings[])[]): Settings[] =>
  switches
    .reduce<Settings[]>(
      (all, values) => all.flatMap((one) => values.map((value) => ({ ...one, ...value }))),
      [{}],
    )
    .filter((settings) => !isRefused(settings));

/** Every combination of the context's switches, except rejected ones. */
export const EVERY_CONTEXT: readonly Settings[] = product(SWITCHES);

/** The pairs of values that a context has: each names two switches and their values. */
const pairsIn = (settings: Settings): string[] => {
  const values = SWITCHES.map((options, index) => {
    const matching = options.findLastIndex((option) =>
      Object.entries(option).every(([key, value]) => settings[key] === value),
    );
    return `${index}:${matching}`;
  });
  return values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one} ${other}`));
};

/** Few contexts with every pair of the switches' values: each one has the most pairs that no earlier one has. */
export const PAIRED_CONTEXTS: readonly Settings[] = (() => {
  const missing = new Set(EVERY_CONTEXT.flatMap(pairsIn));
  const chosen: Settings[] = [];
  const news = (settings: Settings): number => pairsIn(settings).filter((pair) => missing.has(pair)).length;
  while (missing.size > 0) {
    const best = EVERY_CONTEXT.reduce((one, other) => (news(other) > news(one) ? other : one));
    for (const pair of pairsIn(best)) missing.delete(pair);
    chosen.push(best);
  }
  return chosen;
})();

const ALL_ON: Settings = {
  tracing: "true",
  customer_key: "true",
  waf: "true",
  edge: "true",
  alarm_email: "ops@example.org",
  budget_usd: "20",
  dashboard: "true",
  helper: "c8i.xlarge",
};

/** Each authentication mode with all other settings off, and on in an ephemeral stack; and contexts with and without a log. */
export const CORNER_CONTEXTS: readonly Settings[] = AUTH.flatMap((auth) => [
  auth,
  { ...auth, ...ALL_ON, ephemeral: "true" },
])
  .concat(ALL_ON, { ...ALL_ON, gateway_log: "none" }, { ephemeral: "true", gateway_log: "region-role" })
  .filter((settings) => !isRefused(settings));

export const describeContext = (settings: Settings): string =>
  Object.entries(settings)
    .map(([key, value]) => `-c ${key}=${value}`)
    .join(" ") || "no context";
