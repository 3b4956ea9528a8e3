import { readFileSync } from "node:fs";
import { App } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { gatewayPath } from "../../../functions/api/route.ts";
import { GROUPS } from "../../../functions/routes.ts";
import { ACCESS } from "../../../infra/access.ts";
import { WirelabStack } from "../../../infra/stack.ts";

/** With the context of the real app, and without bundling: what is looked at is the template. */
const { context } = JSON.parse(readFileSync(new URL("../../../cdk.json", import.meta.url), "utf8"));
const synthesize = (ephemeral: boolean): Template => {
  const app = new App({ context: { ...context, "aws:cdk:bundling-stacks": [] } });
  return Template.fromStack(new WirelabStack(app, "Wirelab", { ephemeral }));
};

let template: Template;
let ephemeral: Template;
beforeAll(() => {
  template = synthesize(false);
  ephemeral = synthesize(true);
});

type Resource = { Properties: Record<string, unknown>; DeletionPolicy?: string };
const resources = (of: Template, type: string): Resource[] =>
  Object.values(of.findResources(type)) as Resource[];

/** The statements of the policy of one function. */
function statementsOf(group: string): { Action: string | string[]; Resource: unknown }[] {
  const policies = Object.entries(template.findResources("AWS::IAM::Policy"));
  const own = policies.find(([id]) => id.startsWith(`${group}Function`));
  return own?.[1].Properties.PolicyDocument.Statement ?? [];
}

describe("the API", () => {
  test("is a REST API whose stage is the version, for any kind of body", () => {
    template.resourceCountIs("AWS::ApiGateway::RestApi", 1);
    template.hasResourceProperties("AWS::ApiGateway::RestApi", { BinaryMediaTypes: ["*/*"] });
    template.hasResourceProperties("AWS::ApiGateway::Stage", {
      StageName: "v2",
      AccessLogSetting: Match.objectLike({ DestinationArn: Match.anyValue() }),
    });
  });

  test("routes the greedy symbol path", () => {
    template.hasResourceProperties("AWS::ApiGateway::Resource", { PathPart: "{symbol_path+}" });
  });

  test("streams every response, and waits for a function as long as it may take", () => {
    const methods = resources(template, "AWS::ApiGateway::Method").map(({ Properties }) => Properties);
    const declared = GROUPS.flatMap(({ routes }) =>
      Object.values(routes).flatMap(({ method, path }) => [
        `${method} ${gatewayPath(path)}`,
        `ANY ${gatewayPath(path)}`,
      ]),
    );
    expect(methods).toHaveLength(new Set(declared).size);
    for (const { Integration } of methods) {
      const { ResponseTransferMode, TimeoutInMillis, Uri } = Integration as Record<string, unknown>;
      expect(ResponseTransferMode).toBe("STREAM");
      const target = JSON.stringify(Uri);
      expect(target).toContain("response-streaming-invocations");
      const { name } = GROUPS.find((group) => target.includes(`"${group.name}Function`))!;
      expect(TimeoutInMillis).toBe(ACCESS[name]!.timeoutSeconds * 1000);
    }
  });

  test("answers unknown routes and oversized requests in the service's own shape", () => {
    for (const [type, status] of [
      ["MISSING_AUTHENTICATION_TOKEN", 404],
      ["REQUEST_TOO_LARGE", 413],
      ["THROTTLED", 429],
      ["DEFAULT_5XX", 500],
    ] as const) {
      template.hasResourceProperties("AWS::ApiGateway::GatewayResponse", {
        ResponseType: type,
        StatusCode: String(status),
        ResponseTemplates: { "application/json": Match.stringLikeRegexp(`"status":${status}`) },
      });
    }
  });
});

describe("the functions", () => {
  test("are one for each group, the authorizer and the sweeper, on Node 24 and arm64, with a log that is not kept for ever", () => {
    const functions = resources(template, "AWS::Lambda::Function").map(({ Properties }) => Properties);
    expect(functions.filter(({ Description }) => String(Description).startsWith("Wirelab: "))).toHaveLength(
      GROUPS.length + 2,
    );
    for (const properties of functions) {
      expect(properties).toMatchObject({
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        Handler: "index.handler",
      });
    }
    for (const { Properties } of resources(template, "AWS::Logs::LogGroup")) {
      expect(Properties.RetentionInDays).toBe(30);
    }
  });

  test("may do what their routes need, and nothing else", () => {
    for (const { name } of GROUPS) {
      const granted = new Set(statementsOf(name).flatMap(({ Action }) => Action));
      const { table, bucket } = ACCESS[name]!;
      const expected = new Set([
        ...(table?.actions ?? []).map((action) => `dynamodb:${action}`),
        ...(table?.index ? ["dynamodb:Query"] : []),
        ...(bucket?.actions ?? []).map((action) => `s3:${action}`),
        ...(bucket ? ["s3:ListBucket"] : []),
      ]);
      expect(granted, name).toEqual(expected);
    }
  });

  test("are granted no action and no whole service by a wildcard", () => {
    const statements = GROUPS.flatMap(({ name }) => statementsOf(name));
    expect(statements.length).toBeGreaterThan(GROUPS.length);
    for (const { Action, Resource } of statements) {
      for (const action of [Action].flat()) expect(action).not.toContain("*");
      expect(Resource).not.toBe("*");
    }
  });
});

describe("the table", () => {
  test("is on demand, recoverable to a point in time, and protected", () => {
    template.hasResource("AWS::DynamoDB::Table", {
      DeletionPolicy: "Retain",
      Properties: Match.objectLike({
        BillingMode: "PAY_PER_REQUEST",
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    });
  });
});

describe("the bucket", () => {
  test("is private, encrypted, reached by TLS only, and swept", () => {
    template.hasResource("AWS::S3::Bucket", {
      DeletionPolicy: "Retain",
      Properties: Match.objectLike({
        BucketEncryption: Match.anyValue(),
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        LifecycleConfiguration: {
          Rules: Match.arrayWith([
            Match.objectLike({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } }),
            Match.objectLike({ Prefix: "segments/", ExpirationInDays: 365 }),
          ]),
        },
      }),
    });
    template.hasResourceProperties("AWS::S3::BucketPolicy", {
      PolicyDocument: Match.objectLike({
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
        ]),
      }),
    });
  });
});

describe("the stack", () => {
  test("tells where it is", () => {
    for (const output of ["ApiUrl", "TableName", "BucketName"]) template.hasOutput(output, {});
  });

  test("stays well under the limit of 500 resources", () => {
    const { Resources } = template.toJSON() as { Resources: object };
    expect(Object.keys(Resources).length).toBeLessThan(350);
  });

  test("takes everything with it when it is ephemeral", () => {
    ephemeral.hasResource("AWS::DynamoDB::Table", {
      DeletionPolicy: "Delete",
      Properties: Match.objectLike({ DeletionProtectionEnabled: false }),
    });
    ephemeral.hasResource("AWS::S3::Bucket", { DeletionPolicy: "Delete" });
    const all = Object.values((ephemeral.toJSON() as { Resources: Record<string, Resource> }).Resources);
    expect(all.filter(({ DeletionPolicy }) => DeletionPolicy === "Retain")).toEqual([]);
  });
});
