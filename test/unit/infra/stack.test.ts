import { readFileSync } from "node:fs";
import { Match, type Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { gatewayPath } from "../../../functions/api/route.ts";
import { GROUPS } from "../../../functions/routes.ts";
import { ACCESS } from "../../../infra/access.ts";
import { nameOf, statementsOf, statementsOfFunction } from "../../helpers/policies.ts";
import { templateOf } from "../../helpers/stack.ts";

let template: Template;
let ephemeral: Template;
beforeAll(() => {
  template = templateOf();
  ephemeral = templateOf({ ephemeral: "true" });
});

type Resource = { Properties: Record<string, unknown>; DeletionPolicy?: string };
const resources = (of: Template, type: string): Resource[] =>
  Object.values(of.findResources(type)) as Resource[];

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

  test("may do what infra/access.ts says, on the keys that it says, and write their own log", () => {
    for (const name of [...GROUPS.map((group) => group.name), "sweeper"]) {
      const granted = statementsOfFunction(template, name).flatMap(({ actions, resources, conditions }) =>
        actions.flatMap((action) =>
          resources.flatMap((resource) => {
            const on = {
              "<TableState.Arn>": "",
              "<TableState.Arn>/index/projects": "index ",
              "<TableState.Arn>/index/seen": "seen ",
            }[resource];
            if (on === undefined) return [`${action} ${resource.replace("<BucketData.Arn>", "")}`];
            expect(Object.keys(conditions)).toEqual(["ForAllValues:StringLike"]);
            return conditions["ForAllValues:StringLike"]!["dynamodb:LeadingKeys"]!.map(
              (key) => `${action} ${on}${key}`,
            );
          }),
        ),
      );
      const { table, bucket } = ACCESS[name]!;
      const reads = Object.values(bucket?.objects ?? {}).some((actions) => actions.includes("GetObject"));
      const expected = [
        ...["CreateLogStream", "PutLogEvents"].map((action) => `logs:${action} <${name}Log.Arn>`),
        ...Object.entries(table?.keys ?? {}).flatMap(([key, actions]) =>
          actions.map((action) => `dynamodb:${action} ${key}`),
        ),
        ...(table?.listings ?? []).map((key) => `dynamodb:Query index ${key}`),
        ...(table?.seen ?? []).map((key) => `dynamodb:Query seen ${key}`),
        ...Object.entries(bucket?.objects ?? {}).flatMap(([prefix, actions]) =>
          actions.map((action) => `s3:${action} /${prefix}/*`),
        ),
        ...(bucket?.lists || reads ? ["s3:ListBucket "] : []),
      ];
      expect(granted.toSorted(), name).toEqual(expected.toSorted());
    }
  });

  test("that read objects hear what is missing; others list what they may see, and no more", () => {
    const listing = (name: string) =>
      statementsOfFunction(template, name).find(({ actions }) => actions.includes("s3:ListBucket"))
        ?.conditions;
    const both = { "s3:prefix": ["segments/*", "captures/*"] };
    expect(listing("captures")).toEqual({ StringLikeIfExists: both });
    expect(listing("symbols")).toEqual({ StringLikeIfExists: { "s3:prefix": ["symbols/*"] } });
    expect(listing("nodes")).toBeUndefined();
    expect(listing("runs")).toBeUndefined();
    expect(listing("sweeper")).toEqual({});
  });

  test("cannot make a user, none of them; the authorizer reads them", () => {
    const users = statementsOf(template).filter(({ conditions }) =>
      JSON.stringify(conditions).includes('"USERS"'),
    );
    expect(users.map(({ id, actions }) => [nameOf(id), actions])).toEqual([
      ["AuthorizerRoleDefaultPolicy", ["dynamodb:GetItem"]],
    ]);
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
            Match.objectLike({ ExpiredObjectDeleteMarker: true }),
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

describe("the access log of the bucket", () => {
  test("is kept for 30 days in a bucket of its own, which takes TLS only", () => {
    template.hasResourceProperties("AWS::S3::Bucket", {
      LoggingConfiguration: { DestinationBucketName: Match.anyValue() },
      LifecycleConfiguration: Match.anyValue(),
    });
    template.hasResourceProperties("AWS::S3::Bucket", {
      LoggingConfiguration: Match.absent(),
      LifecycleConfiguration: { Rules: [Match.objectLike({ ExpirationInDays: 30 })] },
      PublicAccessBlockConfiguration: Match.objectLike({ BlockPublicAcls: true }),
    });
  });
});

describe("the stack", () => {
  test("tells where it is", () => {
    for (const output of ["ApiUrl", "TableName", "BucketName"]) template.hasOutput(output, {});
  });

  test("has every output that the pages read, under the name that they have for it", () => {
    const outputs = Object.keys((template.toJSON() as { Outputs: object }).Outputs);
    const pages = ["security", "operations", "ci"].map((name) =>
      readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8"),
    );
    const read = [
      ...pages.join().matchAll(/\$\(output (\w+)\)|\[\]\.(\w+)|output `(\w+)`|^`(\w+Command)`/gm),
    ];
    const names = new Set(read.map(([, ...found]) => found.find(Boolean)!));
    expect(names.size).toBeGreaterThan(4);
    for (const name of names) expect(outputs.filter((output) => output.startsWith(name))).toEqual([name]);
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

describe("what is deleted", () => {
  test("can be brought back for a week, or as long as the context says, from table and bucket alike", () => {
    for (const [of, days] of [
      [template, 7],
      [templateOf({ restore_days: "20" }), 20],
    ] as const) {
      of.hasResourceProperties("AWS::DynamoDB::Table", {
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: days },
      });
      of.hasResourceProperties("AWS::S3::Bucket", {
        LifecycleConfiguration: {
          Rules: Match.arrayWith([
            Match.objectLike({ NoncurrentVersionExpiration: { NoncurrentDays: days } }),
          ]),
        },
      });
    }
  });

  test.each(["0", "36", "a week"])("is not kept for %s days", (restore_days) => {
    expect(() => templateOf({ restore_days })).toThrow("restore_days");
  });
});
