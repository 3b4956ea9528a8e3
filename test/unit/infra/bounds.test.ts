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

describe("the stage", () => {
  test("takes a bounded number of requests a second, and of those that compute fewer", () => {
    const [all, ...runs] = methodSettings(usual);
    expect(all).toMatchObject({ ResourcePath: "/*", ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 });
    const computing = GROUPS.flatMap(({ name, routes }) =>
      Object.values(routes).filter(({ path }) => name === "runs" || /\/(replay|open)$/.test(path)),
    );
    expect(computing.length).toBeGreaterThan(10);
    const shown = runs.map(
      ({ HttpMethod, ResourcePath }) => `${HttpMethod} ${ResourcePath.slice(1).replaceAll("~1", "/")}`,
    );
    expect(shown.toSorted()).toEqual(
      computing.map(({ method, path }) => `${method} ${gatewayPath(path)}`).toSorted(),
    );
    for (const setting of runs) {
      expect(setting).toMatchObject({
        ThrottlingRateLimit: 20,
        ThrottlingBurstLimit: 40,
        MetricsEnabled: true,
      });
    }
  });

  test("takes as many as the context says", () => {
    const given = {
      throttle_rate: "7",
      throttle_burst: 9,
      throttle_runs_rate: 0.5 + 1,
      throttle_runs_burst: "3",
    };
    const [all, ...runs] = methodSettings(synthesize(given));
    expect(all).toMatchObject({ ThrottlingRateLimit: 7, ThrottlingBurstLimit: 9 });
    for (const setting of runs)
      expect(setting).toMatchObject({ ThrottlingRateLimit: 1.5, ThrottlingBurstLimit: 3 });
  });
});

describe("functions", () => {
  test("share the account's concurrency, unless the context reserves some", () => {
    expect(concurrencies(usual)).toEqual([]);
    expect(concurrencies(synthesize({ concurrency_runs: "5", concurrency_links: 3 })).toSorted()).toEqual([
      3, 5,
    ]);
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
