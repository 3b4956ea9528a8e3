/** The context's throttles, quotas, concurrency and budget, in the template. */
import { Match, type Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { GROUPS } from "../../../functions/routes.ts";
import { parsePath } from "../../../functions/shared/edge/path-template.ts";
import { templateOf as synthesize } from "../../helpers/stack/stack.ts";

/** Without bundling, because tests read only the template. */
const usual = synthesize();

interface MethodSetting {
  readonly HttpMethod: string;
  readonly ResourcePath: string;
  readonly MetricsEnabled?: boolean;
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
}

function methodSettings(template: Template): MethodSetting[] {
  const [stage] = Object.values(template.findResources("AWS::ApiGateway::Stage"));
  return stage!.Properties.MethodSettings;
}

/** The variables of the function of a group. */
function variablesOf(template: Template, group: string): Record<string, unknown> {
  const functions = Object.entries(template.findResources("AWS::Lambda::Function"));
  const own = functions.find(([id]) => id.startsWith(`${group}Function`));
  return own![1].Properties.Environment?.Variables ?? {};
}

const concurrencies = (template: Template): number[] =>
  Object.values(template.findResources("AWS::Lambda::Function")).flatMap(({ Properties }) =>
    Properties.ReservedConcurrentExecutions === undefined ? [] : [Properties.ReservedConcurrentExecutions],
  );

/** `GET /projects` -> its setting; that of the stage is `* *`. */
const settingsOf = (template: Template): Map<string, MethodSetting> =>
  new Map(
    methodSettings(template).map((setting) => {
      const path = setting.ResourcePath === "/" ? "/" : setting.ResourcePath.slice(1).replaceAll("~1", "/");
      return [`${setting.HttpMethod} ${path}`, setting];
    }),
  );

/** The routes that run a lab, that copy or replace a whole one, and that write a project's settings. */
const PACED = GROUPS.flatMap(({ name, routes }) =>
  Object.values(routes)
    .map((route) => ({ method: route.method, path: parsePath(route.path).gatewayPath }))
    .filter(
      ({ method, path }) =>
        (["runs", "labs"].includes(name) && method === "POST") ||
        /\/(replay|open|restore)$|^\/projects\/\{project_id\}\/(duplicate|import)$/.test(path) ||
        (method === "POST" && path.endsWith("/snapshots")) ||
        (method === "PUT" && path === "/projects/{project_id}"),
    )
    .map(({ method, path }) => `${method} ${path}`),
);

const VERBS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/** The public routes. API Gateway has settings for each verb of an ANY method, and none for ANY itself. */
const OPEN = [
  ...["/version", "/docs", "/docs/{file}", "/openapi.json", "/page", "/page/{file}"].flatMap((path) => [
    `GET ${path}`,
    `HEAD ${path}`,
  ]),
  ...["/", "/{proxy+}"].flatMap((path) => VERBS.map((verb) => `${verb} ${path}`)),
];

const throttleOf = (setting: MethodSetting | undefined) => [
  setting?.ThrottlingRateLimit,
  setting?.ThrottlingBurstLimit,
];

describe("the stage", () => {
  const settings = settingsOf(usual);

  test("limits the requests per second, with lower limits on routes that run a lab or write settings", () => {
    expect(throttleOf(settings.get("* *"))).toEqual([500, 1_000]);
    expect(PACED.length).toBeGreaterThan(10);
    for (const route of PACED) expect(throttleOf(settings.get(route)), route).toEqual([100, 200]);
  });

  test("limits each public route separately, so that their load cannot use up the callers' limit", () => {
    for (const route of OPEN) expect(throttleOf(settings.get(route)), route).toEqual([10, 20]);
  });

  test("has no other settings", () => {
    expect([...settings.keys()].toSorted()).toEqual(["* *", ...PACED, ...OPEN].toSorted());
  });

  test("has no detailed metrics of methods, which cost $1.50 a month each and are not used", () => {
    for (const { MetricsEnabled = false } of methodSettings(usual)) expect(MetricsEnabled).toBe(false);
  });

  test("takes the limits from the context", () => {
    const given = settingsOf(
      synthesize({
        throttle_rate: "7",
        throttle_burst: 9,
        throttle_runs_rate: 0.5 + 1,
        throttle_runs_burst: "3",
        throttle_public_rate: "5",
        throttle_public_burst: 6,
      }),
    );
    expect(throttleOf(given.get("* *"))).toEqual([7, 9]);
    for (const route of PACED) expect(throttleOf(given.get(route))).toEqual([1.5, 3]);
    for (const route of OPEN) expect(throttleOf(given.get(route))).toEqual([5, 6]);
  });
});

describe("functions", () => {
  test("share the account's concurrency, unless the context reserves some", () => {
    expect(concurrencies(usual)).toEqual([]);
    expect(concurrencies(synthesize({ concurrency_runs: "5", concurrency_links: 3 })).toSorted()).toEqual([
      3, 5,
    ]);
  });

  test("that stream captures have a concurrency limit of their own, and end within five minutes", () => {
    const bounded = synthesize({ concurrency_follow: 4 });
    expect(concurrencies(bounded)).toEqual([4]);
    const followers = bounded.findResources("AWS::Lambda::Function", {
      Properties: { ReservedConcurrentExecutions: 4 },
    });
    expect(Object.keys(followers)).toEqual([expect.stringMatching(/^follow/)]);
    expect(Object.values(followers)[0]!.Properties.Timeout).toBeLessThanOrEqual(300);
  });

  test("that stream captures have their quota, which is at least one", () => {
    expect(variablesOf(synthesize({ quota_followed_captures: 7 }), "follow")).toMatchObject({
      QUOTA_FOLLOWED_CAPTURES: "7",
    });
    expect(() => synthesize({ quota_followed_captures: 0 })).toThrow(
      "The context key quota_followed_captures is 0; it must be a whole number from 1 up",
    );
  });

  test("that add something have the context's quotas, and no others", () => {
    const template = synthesize({
      quota_nodes: "12",
      quota_stored_bytes: 1000,
      quota_projects: 0,
      runs_per_minute: 9,
    });
    for (const group of ["projects", "nodes", "links", "runs"]) {
      expect(variablesOf(template, group)).toMatchObject({
        QUOTA_NODES: "12",
        QUOTA_STORED_BYTES: "1000",
        QUOTA_PROJECTS: "0",
        RUNS_PER_MINUTE: "9",
      });
      const named = Object.keys(variablesOf(usual, group)).filter((name) => /QUOTA|PER_MINUTE/.test(name));
      expect(named).toEqual([]);
    }
  });
});

describe("the budget", () => {
  test("does not exist by default", () => {
    usual.resourceCountIs("AWS::Budgets::Budget", 0);
  });

  test("notifies an address when it is nearly spent, spent, and forecast to be", () => {
    const template = synthesize({ budget_usd: "20", alarm_email: "ops@example.org" });
    const subscribers = { Subscribers: [{ SubscriptionType: "EMAIL", Address: "ops@example.org" }] };
    const when = (NotificationType: string, Threshold: number) =>
      Match.objectLike({ ...subscribers, Notification: Match.objectLike({ NotificationType, Threshold }) });
    template.hasResourceProperties("AWS::Budgets::Budget", {
      Budget: { BudgetType: "COST", TimeUnit: "MONTHLY", BudgetLimit: { Amount: 20, Unit: "USD" } },
      NotificationsWithSubscribers: [when("ACTUAL", 80), when("ACTUAL", 100), when("FORECASTED", 100)],
    });
  });
});

test.each([
  { throttle_rate: "many" },
  { throttle_burst: 1.5 },
  { throttle_runs_rate: 0 },
  { throttle_public_rate: "none" },
  { concurrency_runs: -1 },
  { quota_nodes: "1e999" },
  { quota_links: "NaN" },
  { quota_captures: 2.5 },
  { budget_usd: "0", alarm_email: "ops@example.org" },
])("rejects the context %j", (given) => {
  expect(() => synthesize(given)).toThrow(/must be a/);
});

test.each([{ budget_usd: 20 }, { budget_usd: 20, alarm_email: "nobody" }])(
  "rejects a budget without a valid address to notify: %j",
  (given) => {
    expect(() => synthesize(given)).toThrow("alarm_email");
  },
);
