/** The size of the template, with every option at once. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import { expect, test } from "vitest";
import { makeStack, type Settings } from "../../helpers/stack/stack.ts";

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const CLOUDFORMATION = { resources: 500, bytes: 1_000_000 };

const EVERYTHING: Settings = {
  auth: "basic",
  cors_origins: "https://lab.example,http://localhost:4200",
  edge: "true",
  customer_key: "true",
  waf: "true",
  helper: "c8i.xlarge",
  helper_hibernation: "true",
  helper_nat: "true",
  alarm_email: "ops@example.org",
  dashboard: "true",
  budget_usd: "20",
  tracing: "true",
  upgrade_index: "true",
  gateway_log: "region-role",
};

/** Of the template as it is uploaded. */
function sizeOf(settings: Settings): { readonly resources: number; readonly bytes: number } {
  const { app, stack } = makeStack(settings);
  const { Resources } = Template.fromStack(stack).toJSON();
  const file = readFileSync(join(app.synth().directory, stack.templateFile));
  return { resources: Object.keys(Resources).length, bytes: file.length };
}

test.each([
  ["no option", {}, { resources: 150, bytes: 250_000 }],
  [
    "every option, in a stack that lasts",
    { ...EVERYTHING, gateway_log: "own-role" },
    { resources: 200, bytes: 500_000 },
  ],
  [
    "every option, in an ephemeral stack",
    { ...EVERYTHING, ephemeral: "true" },
    { resources: 200, bytes: 500_000 },
  ],
] as const)(
  "the template with %s is far below the limits of CloudFormation",
  (_title, settings, below) => {
    const { resources, bytes } = sizeOf(settings);
    expect(resources).toBeLessThan(below.resources);
    expect(bytes).toBeLessThan(below.bytes);
    expect(below.resources).toBeLessThan(CLOUDFORMATION.resources / 2);
    expect(below.bytes).toBeLessThanOrEqual(CLOUDFORMATION.bytes / 2);
  },
  300_000,
);
