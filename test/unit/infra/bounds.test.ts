/** What the context says of throttles, quotas, concurrency and the budget, in the template. */
import { Match, type Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { gatewayPath } from "../../../functions/api/route.ts";
import { GROUPS } from "../../../functions/routes.ts";
import { templateOf as synthesize } from "../../helpers/stack.ts";

/** Without bundling: what is looked at is the template. */
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

/** What runs a lab, and what writes a project's settings. */
const PACED = GROUPS.flatMap(({ name, routes }) =>
  Object.values(routes)
    .map((route) => ({ method: route.method, path: gatewayPath(route.path) }))
    .filter(
      ({ method, path }) =>
        name === "runs" ||
        /\/(replay|open)$/.test(path) ||
        (method === "PUT" && path === "/projects/{project_id}"),
    )
    .map(({ method, path }) => `${method} ${path}`),
);

const VERBS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/** What needs no credentials. API Gateway has settings for each verb of a method for ANY, and none for ANY itself. */
const OPEN = [
  ...["/version", "/docs", "/docs/{file}", "/openapi.json"].flatMap((path) => [
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

  test("takes a bounded number of requests a second, and fewer of each route that runs a lab or writes settings", () => {
    expect(throttleOf(settings.get("* *"))).toEqual([100, 200]);
    expect(PACED.length).toBeGreaterThan(10);
    for (const route of PACED) expect(throttleOf(settings.get(route)), route).toEqual([20, 40]);
  });

  test("takes fewer of each route that needs no credentials, from a bucket of its own: they cannot use up the callers'", () => {
    for (const route of OPEN) expect(throttleOf(settings.get(route)), route).toEqual([10, 20]);
  });

  test("has no other settings", () => {
    expect([...settings.keys()].toSorted()).toEqual(["* *", ...PACED, ...OPEN].toSorted());
  });

  test("has no detailed metrics of a method, which cost $1.50 a month each and which nothing reads", () => {
    for (const { MetricsEnabled = false } of methodSettings(usual)) expect(MetricsEnabled).toBe(false);
  });

  test("takes as many as the context says", () => {
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

  test("of followers are bounded apart from all others, and end within five minutes", () => {
    const bounded = synthesize({ concurrency_follow: 4 });
    expect(concurrencies(bounded)).toEqual([4]);
    const followers = bounded.findResources("AWS::Lambda::Function", {
      Properties: { ReservedConcurrentExecutions: 4 },
    });
    expect(Object.keys(followers)).toEqual([expect.stringMatching(/^follow/)]);
    expect(Object.values(followers)[0]!.Properties.Timeout).toBeLessThanOrEqual(300);
  });

  test("that follow captures know their quota, of which one has at least one", () => {
    expect(variablesOf(synthesize({ quota_followed_captures: 7 }), "follow")).toMatchObject({
      QUOTA_FOLLOWED_CAPTURES: "7",
    });
    expect(() => synthesize({ quota_followed_captures: 0 })).toThrow(
      "The context quota_followed_captures is 0; it has to be a whole number from 1 up",
    );
  });

  test("that add something know the quotas that the context names, and no others", () => {
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
  test("is none of the stack's without the context", () => {
    usual.resourceCountIs("AWS::Budgets::Budget", 0);
  });

  test("tells an address when it is nearly spent, spent, and going to be", () => {
    const template = synthesize({ budget_usd: "20", alarm_email: "ops@example.org" });
    const told = { Subscribers: [{ SubscriptionType: "EMAIL", Address: "ops@example.org" }] };
    const when = (NotificationType: string, Threshold: number) =>
      Match.objectLike({ ...told, Notification: Match.objectLike({ NotificationType, Threshold }) });
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
])("the context %j is refused", (given) => {
  expect(() => synthesize(given)).toThrow(/has to be a/);
});

test.each([{ budget_usd: 20 }, { budget_usd: 20, alarm_email: "nobody" }])(
  "a budget that nobody would hear of is refused: %j",
  (given) => {
    expect(() => synthesize(given)).toThrow("alarm_email");
  },
);
