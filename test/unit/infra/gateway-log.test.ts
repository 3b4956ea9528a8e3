/** The gateway's access log, and the role by which all REST APIs of a region write theirs. */
import { readFileSync } from "node:fs";
import type { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { GATEWAY_METRICS } from "../../../infra/metrics.ts";
import { type Settings, templateOf } from "../../helpers/stack/stack.ts";

interface Resource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

const resources = (template: Template, type: string): Resource[] =>
  Object.values(template.findResources(type)) as unknown as Resource[];

const hasLog = (template: Template): boolean =>
  resources(template, "AWS::ApiGateway::Stage")[0]!.Properties.AccessLogSetting !== undefined;

/** Roles that API Gateway assumes. */
const logRoles = (template: Template): Resource[] =>
  resources(template, "AWS::IAM::Role").filter(({ Properties }) =>
    JSON.stringify(Properties.AssumeRolePolicyDocument).includes('"apigateway.amazonaws.com"'),
  );

/** Metrics made from the gateway's log. */
const gatewayMetrics = (template: Template): string[] =>
  resources(template, "AWS::Logs::MetricFilter")
    .map(({ Properties }) => (Properties.MetricTransformations as { MetricName: string }[])[0]!.MetricName)
    .filter((name) => name in GATEWAY_METRICS);

describe("a stack that lasts", () => {
  test("sets a role of its own for the region, and keeps both when it is destroyed", () => {
    const template = templateOf();
    expect(hasLog(template)).toBe(true);
    const kept = [...resources(template, "AWS::ApiGateway::Account"), ...logRoles(template)];
    expect(kept).toHaveLength(2);
    // Plain Retain: if the first deployment fails, the region keeps its new role.
    for (const resource of kept) {
      expect(resource).toMatchObject({ DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" });
    }
    expect(gatewayMetrics(template)).toHaveLength(Object.keys(GATEWAY_METRICS).length);
  });

  test("uses the region's role with region-role", () => {
    const template = templateOf({ gateway_log: "region-role" });
    expect(hasLog(template)).toBe(true);
    template.resourceCountIs("AWS::ApiGateway::Account", 0);
    expect(logRoles(template)).toEqual([]);
    expect(gatewayMetrics(template)).toHaveLength(Object.keys(GATEWAY_METRICS).length);
  });
});

test.each<Settings>([
  { ephemeral: "true" },
  { gateway_log: "none" },
  { ephemeral: "true", gateway_log: "none" },
])(
  "a stack with %j has no gateway log, no metrics of it, and does not touch the region's role",
  (settings) => {
    const template = templateOf(settings);
    expect(hasLog(template)).toBe(false);
    template.resourceCountIs("AWS::ApiGateway::Account", 0);
    expect(logRoles(template)).toEqual([]);
    expect(gatewayMetrics(template)).toEqual([]);
    const groups = Object.keys(template.findResources("AWS::Logs::LogGroup"));
    expect(groups.filter((id) => id.startsWith("Api"))).toEqual([]);
  },
);

test("an ephemeral stack has a log with region-role, and still does not touch that role", () => {
  const template = templateOf({ ephemeral: "true", gateway_log: "region-role" });
  expect(hasLog(template)).toBe(true);
  template.resourceCountIs("AWS::ApiGateway::Account", 0);
});

test.each([
  [{ ephemeral: "true", gateway_log: "own-role" }, /gateway_log is own-role.*region-role or none/],
  [{ gateway_log: "role" }, /gateway_log is role; it must be own-role, region-role or none/],
])("rejects the context %j", (settings, message) => {
  expect(() => templateOf(settings)).toThrow(message);
});

test("the operations page describes how to read the region's role and how to remove it", () => {
  const page = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");
  expect(page).toContain("\n### The gateway's log\n");
  expect(page).toContain("aws apigateway get-account --query cloudwatchRoleArn");
});
