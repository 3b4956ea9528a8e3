/** What docs/cost.md counts of the stack is what its template has. */
import { readFileSync } from "node:fs";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { OPERATIONS, readStanding, type Standing } from "../../bench/standing.ts";
import { templateOf } from "../../helpers/stack.ts";

const PAGE = readFileSync(new URL("../../../docs/cost.md", import.meta.url), "utf8");

describe("what is paid for while nobody calls", () => {
  const standing: Standing = readStanding(templateOf());

  test("is on the page as the template has it; otherwise `npm run cost` makes it anew", () => {
    expect(PAGE).toContain(`| ${standing.alarms} alarms |`);
    expect(PAGE).toContain(`| ${standing.dashboards} dashboard |`);
    expect(PAGE).toContain(`this one has ${standing.dashboardMetrics})`);
    expect(PAGE).toContain(`| ${standing.secrets} secret |`);
    expect(PAGE).toContain(`metrics of each of ${standing.detailed.size} methods |`);
    expect(PAGE).toContain(`requests by route: ${OPERATIONS.size} metrics`);
  });

  test("has API Gateway's metrics of the routes that run labs, and of no others", () => {
    const paced = [...OPERATIONS].filter(([, { paced }]) => paced).map(([name]) => name);
    expect([...standing.detailed].toSorted()).toEqual(paced.toSorted());
  });
});

const stageWith = (setting: object): Template =>
  Template.fromJSON({
    Resources: { Stage: { Type: "AWS::ApiGateway::Stage", Properties: { MethodSettings: [setting] } } },
  });

test("a stage that tells metrics of every method tells them of every route", () => {
  const all = { HttpMethod: "*", ResourcePath: "/*", MetricsEnabled: true };
  expect(readStanding(stageWith(all)).detailed.size).toBe(OPERATIONS.size);
});

test("settings of a route that there is not are an error", () => {
  const gone = { HttpMethod: "GET", ResourcePath: "/~1gone", MetricsEnabled: true };
  expect(() => readStanding(stageWith(gone))).toThrow("The stage has settings for GET /gone, no route");
});
