/** For every context, cdk-nag finds nothing in the stack, and the mandatory resources exist. */
import { readFileSync } from "node:fs";
import { type Stack, Validations } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { AwsSolutionsChecks } from "cdk-nag";
import type { IConstruct } from "constructs";
import { describe, expect, test } from "vitest";
import { findingsIn, findingsOf } from "../../helpers/stack/nag.ts";
import {
  CORNER_CONTEXTS,
  describeContext,
  makeStack,
  PAIRED_CONTEXTS,
  type Settings,
} from "../../helpers/stack/stack.ts";

const reasonsIn = (scope: IConstruct): string[] =>
  scope.node
    .findAll()
    .flatMap((construct) => construct.node.metadata)
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .map(({ data }) => JSON.stringify(data));

describe("cdk-nag", () => {
  // `npm run test:contexts` checks all combinations.
  test("finds nothing in contexts that have every pair of the switches' values", () => {
    expect(PAIRED_CONTEXTS.length).toBeGreaterThan(15);
    expect(findingsOf(PAIRED_CONTEXTS)).toEqual([]);
  }, 300_000);

  test("is run by the app, too", () => {
    const app = readFileSync(new URL("../../../infra/app.ts", import.meta.url), "utf8");
    expect(app).toContain("Validations.of(app).addPlugins(new AwsSolutionsChecks(app))");
  });

  test("reports a violation", () => {
    const { stack } = makeStack();
    new Bucket(stack, "Bare");
    expect(findingsIn(stack).join()).toMatch(/AwsSolutions-S1 Wirelab\/Bare/);
  });
});

const synthesize = (settings: Settings): { stack: Stack; template: Template } => {
  const { app, stack } = makeStack(settings, {});
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { stack, template: Template.fromStack(stack) };
};

test.each(CORNER_CONTEXTS.map((settings) => ({ settings, title: describeContext(settings) })))(
  "$title passes the real synthesis; exceptions have reasons; the bucket of a lasting stack has an access log, the API one where it may, and both take TLS only",
  ({ settings }) => {
    const { stack, template } = synthesize(settings);
    const reasons = reasonsIn(stack);
    expect(reasons.length).toBeGreaterThan(10);
    for (const reason of reasons) expect(reason).toMatch(/[A-Z][^"]{25,}\./);

    const withoutLog = (settings.gateway_log ?? (settings.ephemeral ? "none" : "own-role")) === "none";
    template.hasResourceProperties("AWS::ApiGateway::Stage", {
      AccessLogSetting: withoutLog
        ? Match.absent()
        : { DestinationArn: Match.anyValue(), Format: Match.stringLikeRegexp("requestId") },
    });
    template.hasResourceProperties("AWS::ApiGateway::RestApi", {
      SecurityPolicy: Match.stringLikeRegexp("^SecurityPolicy_TLS13_1_2_"),
    });
    const logged = template.findResources("AWS::S3::Bucket", {
      Properties: { LoggingConfiguration: Match.anyValue() },
    });
    const buckets = Object.keys(template.findResources("AWS::S3::Bucket"));
    const own = settings.edge === "true" ? 2 : 1;
    expect(Object.keys(logged)).toHaveLength(settings.ephemeral ? 0 : own);
    expect(buckets).toHaveLength(settings.ephemeral ? own : own + 1);
    const policies = Object.values(template.findResources("AWS::S3::BucketPolicy"));
    for (const bucket of buckets) {
      const policy = policies.find(({ Properties }) => Properties.Bucket.Ref === bucket)?.Properties;
      const denied = policy?.PolicyDocument.Statement.filter(
        ({ Effect }: { Effect: string }) => Effect === "Deny",
      ).map(({ Condition }: { Condition: unknown }) => Condition);
      expect(denied, bucket).toEqual(
        expect.arrayContaining([
          { Bool: { "aws:SecureTransport": "false" } },
          { NumericLessThan: { "s3:TlsVersion": 1.2 } },
        ]),
      );
    }
  },
  300_000,
);
