import { readFileSync } from "node:fs";
import { Match, type Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { GROUPS } from "../../../functions/routes.ts";
import { ACCESS } from "../../../infra/access.ts";
import { GATEWAY_RESPONSES } from "../../../infra/api/document.ts";
import { bodyOf, methodsOf } from "../../helpers/stack/api-body.ts";
import { nameOf, statementsOf, statementsOfFunction } from "../../helpers/stack/policies.ts";
import { type Settings, templateOf } from "../../helpers/stack/stack.ts";

let template: Template;
let ephemeral: Template;
beforeAll(() => {
  template = templateOf();
  ephemeral = templateOf({ ephemeral: "true" });
});

type Resource = {
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
};
const resources = (of: Template, type: string): Resource[] =>
  Object.values(of.findResources(type)) as Resource[];

describe("the API", () => {
  test("is a REST API with the version as its stage, and accepts any body", () => {
    template.resourceCountIs("AWS::ApiGateway::RestApi", 1);
    expect(bodyOf(template)).toMatchObject({
      openapi: "3.0.1",
      "x-amazon-apigateway-binary-media-types": ["*/*"],
    });
    template.hasResourceProperties("AWS::ApiGateway::Stage", {
      StageName: "v2",
      AccessLogSetting: Match.objectLike({ DestinationArn: Match.anyValue() }),
    });
  });

  test("has the stack's name, so that stacks of one account do not share metrics", () => {
    template.hasResourceProperties("AWS::ApiGateway::RestApi", {
      Name: "Wirelab",
      Body: Match.objectLike({ info: Match.objectLike({ title: "Wirelab" }) }),
    });
    const other = templateOf({ stack_name: "Other", alarms: "true" });
    other.hasResourceProperties("AWS::ApiGateway::RestApi", { Name: "Other" });
    const names = Object.values(other.findResources("AWS::CloudWatch::Alarm"))
      .flatMap(({ Properties }) => Properties.Dimensions ?? [])
      // CloudFormation names the others.
      .filter(({ Value }: { Value: unknown }) => typeof Value === "string")
      .map(({ Name, Value }: { Name: string; Value: unknown }) => `${Name}=${Value}`);
    expect(names).toEqual(["ApiName=Other"]);
  });

  test("routes the greedy symbol path", () => {
    const { integration } = methodsOf(template).get("ANY /symbols/{symbol_path+}")!;
    expect(JSON.stringify(integration)).toContain('"symbolsFunction');
  });

  test("redirects its root to the page without a function", () => {
    expect(methodsOf(template).get("GET /")).toMatchObject({
      authorization: undefined,
      operation: { responses: { 303: { headers: { Location: { schema: { type: "string" } } } } } },
      integration: {
        type: "mock",
        requestTemplates: { "application/json": '{"statusCode":303}' },
        responses: {
          default: {
            statusCode: "303",
            responseParameters: { "method.response.header.Location": "'/v2/page'" },
          },
        },
      },
    });
  });

  test("returns 404 for a path without a route and any media type, without a function", () => {
    const notFound = '{"code":"route.not-found","message":"No such route","status":404}';
    const mocks = [...methodsOf(template)].filter(([, { integration }]) => integration.type === "mock");
    expect(mocks.map(([name]) => name).toSorted()).toEqual(["ANY /", "ANY /{proxy+}", "GET /"]);
    for (const [, method] of mocks.filter(([name]) => name.startsWith("ANY"))) {
      expect(method).toMatchObject({
        authorization: undefined,
        operation: { responses: { 404: { headers: { "X-Request-Id": { schema: { type: "string" } } } } } },
        integration: {
          contentHandling: "CONVERT_TO_TEXT",
          passthroughBehavior: "never",
          requestTemplates: { "application/json": '{"statusCode":404}' },
          responses: {
            default: {
              statusCode: "404",
              contentHandling: "CONVERT_TO_TEXT",
              responseParameters: { "method.response.header.X-Request-Id": "context.requestId" },
              responseTemplates: { "application/json": notFound },
            },
          },
        },
      });
    }
    for (const type of ["UNSUPPORTED_MEDIA_TYPE", "MISSING_AUTHENTICATION_TOKEN", "RESOURCE_NOT_FOUND"]) {
      expect(bodyOf(template)[GATEWAY_RESPONSES][type], type).toMatchObject({
        statusCode: "404",
        responseTemplates: { "application/json": notFound },
      });
    }
  });

  test.each([{}, { auth: "iam" }, { auth: "none", ephemeral: "true" }])(
    "has a fixed text for each of its own errors, in the service's error format: %j",
    (settings) => {
      const responses = bodyOf(templateOf(settings))[GATEWAY_RESPONSES];
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining([
          "INVALID_SIGNATURE",
          "EXPIRED_TOKEN",
          "DEFAULT_4XX",
          "DEFAULT_5XX",
          "THROTTLED",
        ]),
      );
      for (const { statusCode, responseTemplates } of Object.values(responses)) {
        const { code, message, status, request_id } = JSON.parse(responseTemplates["application/json"]!);
        expect(message).toMatch(/^[A-Z][^$]+$/);
        expect(String(status)).toBe(statusCode);
        expect(code).toMatch(/^[a-z]+(\.[a-z-]+)?$/);
        expect(request_id).toBe(status >= 500 ? "$context.requestId" : undefined);
      }
    },
  );
});

describe("the table", () => {
  const indexesOf = (settings?: Settings) => {
    const [table] = resources(templateOf(settings), "AWS::DynamoDB::Table");
    return (table!.Properties.GlobalSecondaryIndexes as { IndexName: string; Projection: object }[]).map(
      ({ IndexName, Projection }) => [IndexName, Projection],
    );
  };
  const KEYS_ONLY = { ProjectionType: "KEYS_ONLY" };

  test("has indexes of keys only, so that a change of other attributes is written once", () => {
    expect(indexesOf()).toEqual([
      ["project-keys", KEYS_ONLY],
      ["seen", KEYS_ONLY],
    ]);
  });

  test("also has the earlier index in the first deployment of an upgrade, and the functions read that one", () => {
    const settings = { upgrade_index: "true" };
    expect(indexesOf(settings)).toEqual([
      ["project-keys", KEYS_ONLY],
      ["projects", { ProjectionType: "ALL" }],
      ["seen", KEYS_ONLY],
    ]);
    const upgraded = templateOf(settings);
    const variables = resources(upgraded, "AWS::Lambda::Function").map(
      ({ Properties }) =>
        (Properties.Environment as { Variables?: Record<string, string> } | undefined)?.Variables
          ?.PROJECTS_INDEX,
    );
    const listing = Object.values(ACCESS).filter(({ table }) => table?.listings).length;
    expect(variables.filter((value) => value === "projects")).toHaveLength(listing);
    expect(JSON.stringify(upgraded.toJSON())).toContain("/index/projects");
    expect(JSON.stringify(templateOf().toJSON())).not.toContain("/index/projects");
  });
});

/** On the connections of this stack's API, and of no other. */
/** The secrets with the passwords of computes: infra/passwords.ts. */
const COMPUTE_SECRETS =
  "arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:Wirelab/computes/*";
const CONNECTION_GRANTS = ["POST", "GET", "DELETE"].map(
  (method) =>
    `execute-api:ManageConnections arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<SocketsApi>/v2/${method}/@connections/*`,
);

const STREAM_GRANTS = [
  ...["DescribeStream", "GetRecords", "GetShardIterator"].map(
    (action) => `dynamodb:${action} <TableState.StreamArn>`,
  ),
  "dynamodb:ListStreams <TableState.Arn>/stream/*",
];

const CALL_GRANTS = ["sockets", "watcher"].map((name) => `lambda:InvokeFunction <${name}Function.Arn>`);
const SENDS_FAILURES = "sqs:SendMessage <Failures.Arn>";

describe("the WebSocket API", () => {
  const routes = (of: Template) =>
    Object.fromEntries(
      resources(of, "AWS::ApiGatewayV2::Route").map(({ Properties: { RouteKey, ...rest } }) => [
        RouteKey,
        rest,
      ]),
    );

  test("has a stage with the version as its name, the log and the throttle of the REST API", () => {
    template.hasResourceProperties("AWS::ApiGatewayV2::Api", { ProtocolType: "WEBSOCKET" });
    template.hasResourceProperties("AWS::ApiGatewayV2::Stage", {
      StageName: "v2",
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 500, ThrottlingBurstLimit: 1_000 },
      AccessLogSettings: { Format: Match.stringLikeRegexp("connectionId") },
    });
    const [stage] = resources(template, "AWS::ApiGatewayV2::Stage");
    const { DestinationArn } = stage!.Properties.AccessLogSettings as { DestinationArn: unknown };
    expect(JSON.stringify(DestinationArn)).toMatch(/log-group:",\{"Ref":"ApiAccessLog\w+"\}/);
    const limited = templateOf({ throttle_rate: 7, throttle_burst: 9 });
    limited.hasResourceProperties("AWS::ApiGatewayV2::Stage", {
      DefaultRouteSettings: { ThrottlingRateLimit: 7, ThrottlingBurstLimit: 9 },
    });
    ephemeral.hasResourceProperties("AWS::ApiGatewayV2::Stage", { AccessLogSettings: Match.absent() });
  });

  test("calls one function for its three routes, and authorizes connections as the REST API authorizes requests", () => {
    const all = routes(template);
    expect(Object.keys(all).toSorted()).toEqual(["$connect", "$default", "$disconnect"]);
    expect(
      new Set(Object.values<Record<string, unknown>>(all).map(({ Target }) => JSON.stringify(Target))).size,
    ).toBe(1);
    expect(all.$connect).toMatchObject({ AuthorizationType: "CUSTOM", AuthorizerId: expect.anything() });
    const [authorizer] = resources(template, "AWS::ApiGatewayV2::Authorizer");
    expect(authorizer!.Properties.IdentitySource).toEqual([]);
    expect(JSON.stringify(authorizer!.Properties.AuthorizerUri)).toContain('"AuthorizerFunction');
    // A page offers its token as a subprotocol, without the header.
    const [tokens] = resources(
      templateOf({ auth: "jwt", jwt_issuer: "https://issuer.example/", jwt_audience: "wirelab" }),
      "AWS::ApiGatewayV2::Authorizer",
    );
    expect(tokens!.Properties.IdentitySource).toEqual([]);
    expect(routes(templateOf({ auth: "iam" })).$connect).toMatchObject({ AuthorizationType: "AWS_IAM" });
    const open = templateOf({ auth: "none", ephemeral: "true" });
    expect(routes(open).$connect).toMatchObject({ AuthorizationType: "NONE" });
  });
});

/** What state machines need: infra/lab-sweeps.ts, infra/guest-runs.ts. */
const SWEEP_GRANTS = [
  "states:StartExecution <labcasesMachine>",
  ...["Describe", "Stop"].map(
    (verb) =>
      `states:${verb}Execution arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<labcasesMachine.Name>:*`,
  ),
];

const STARTS_GUESTS = "states:StartExecution <guestsMachine>";
const GUEST_GRANTS = [
  STARTS_GUESTS,
  "states:DescribeExecution arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<guestsMachine.Name>:*",
];

describe("the functions", () => {
  test("are one for each group, the cases of sweeps, runs with guests, the authorizer, the sweeper, the publisher, the WebSocket API's and the watcher, on Node 24 and arm64, with logs that expire", () => {
    const functions = resources(template, "AWS::Lambda::Function").map(({ Properties }) => Properties);
    expect(functions.filter(({ Description }) => String(Description).startsWith("Wirelab: "))).toHaveLength(
      GROUPS.length + 7,
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

  test("have exactly the permissions of infra/access.ts, and may write the log of functions", () => {
    for (const name of [
      ...GROUPS.map((group) => group.name),
      "guests",
      "sweeper",
      "sockets",
      "watcher",
      "publisher",
    ]) {
      const granted = statementsOfFunction(template, name).flatMap(({ actions, resources, conditions }) =>
        actions.flatMap((action) =>
          resources.flatMap((resource) => {
            const on = {
              "<TableState.Arn>": "",
              "<TableState.Arn>/index/project-keys": "index ",
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
      const { table, bucket, passwords = [] } = ACCESS[name]!;
      const reads = Object.values(bucket?.objects ?? {}).some((actions) => actions.includes("GetObject"));
      const expected = [
        ...["CreateLogStream", "PutLogEvents"].map((action) => `logs:${action} <FunctionLog.Arn>`),
        ...Object.entries(table?.keys ?? {}).flatMap(([key, actions]) =>
          actions.map((action) => `dynamodb:${action} ${key}`),
        ),
        ...(table?.listings ?? []).map((key) => `dynamodb:Query index ${key}`),
        ...(table?.seen ?? []).map((key) => `dynamodb:Query seen ${key}`),
        ...Object.entries(bucket?.objects ?? {}).flatMap(([prefix, actions]) =>
          actions.map((action) => `s3:${action} /${prefix}/*`),
        ),
        ...(bucket?.lists || reads ? ["s3:ListBucket "] : []),
        ...passwords.map((action) => `secretsmanager:${action} ${COMPUTE_SECRETS}`),
        ...(name === "labs" ? SWEEP_GRANTS : []),
        ...(["runs", "projects", "labs"].includes(name) ? GUEST_GRANTS : []),
        ...(["sockets", "watcher", "publisher", "guests"].includes(name) ? CONNECTION_GRANTS : []),
        ...(["sockets", "watcher", "publisher"].includes(name) ? [SENDS_FAILURES] : []),
        ...(name === "sockets" ? [STARTS_GUESTS] : []),
        ...(name === "publisher" ? [...STREAM_GRANTS, ...CALL_GRANTS] : []),
      ];
      expect(granted.toSorted(), name).toEqual(expected.toSorted());
    }
  });

  test("that read objects may check for missing ones; functions list only their prefixes", () => {
    const listing = (name: string) =>
      statementsOfFunction(template, name).find(({ actions }) => actions.includes("s3:ListBucket"))
        ?.conditions;
    const all = { "s3:prefix": ["commits/*", "segments/*", "captures/*"] };
    expect(listing("captures")).toEqual({ StringLikeIfExists: all });
    expect(listing("symbols")).toEqual({ StringLikeIfExists: { "s3:prefix": ["symbols/*"] } });
    expect(listing("nodes")).toEqual({ StringLikeIfExists: { "s3:prefix": ["commits/*", "states/*"] } });
    expect(listing("statistics")).toBeUndefined();
    expect(listing("sweeper")).toEqual({});
  });

  test("cannot create users; only the authorizer reads them", () => {
    const users = statementsOf(template).filter(({ conditions }) =>
      JSON.stringify(conditions).includes('"USERS"'),
    );
    expect(users.map(({ id, actions }) => [nameOf(id), actions])).toEqual([
      ["AuthorizerRole", ["dynamodb:GetItem"]],
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
  test("is private and encrypted, requires TLS, and deletes incomplete uploads", () => {
    template.hasResource("AWS::S3::Bucket", {
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
  test("is kept for 30 days in its own private bucket", () => {
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

describe("a first deployment that fails", () => {
  test("leaves no buckets and no key; after a successful one, AWS keeps them", () => {
    const made = templateOf({ customer_key: "true" });
    const kept = ["AWS::S3::Bucket", "AWS::KMS::Key"].flatMap((type) => resources(made, type));
    expect(kept).toHaveLength(3);
    for (const resource of kept) {
      expect(resource).toMatchObject({
        DeletionPolicy: "RetainExceptOnCreate",
        UpdateReplacePolicy: "Retain",
      });
    }
  });

  test("keeps the table, because its deletion protection would make the rollback fail", () => {
    const [table] = resources(template, "AWS::DynamoDB::Table");
    expect(table).toMatchObject({
      DeletionPolicy: "Retain",
      UpdateReplacePolicy: "Retain",
      Properties: { DeletionProtectionEnabled: true },
    });
  });
});

describe("the stack", () => {
  test("has outputs for its URL, table and bucket", () => {
    for (const output of ["ApiUrl", "TableName", "BucketName"]) template.hasOutput(output, {});
  });

  test("has every output that the pages read, under the name that they have for it", () => {
    const outputs = Object.keys((templateOf({ dashboard: "true" }).toJSON() as { Outputs: object }).Outputs);
    const pages = ["security", "operations", "ci"].map((name) =>
      readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8"),
    );
    const read = [
      ...pages
        .join()
        .matchAll(/\$\(output (\w+)\)|\[\]\.(\w+)' outputs\.json|output `(\w+)`|^`(\w+Command)`/gm),
    ];
    const names = new Set(read.map(([, ...found]) => found.find(Boolean)!));
    expect(names.size).toBeGreaterThan(4);
    for (const name of names) expect(outputs.filter((output) => output.startsWith(name))).toEqual([name]);
  });

  test("deletes all resources with an ephemeral stack", () => {
    ephemeral.hasResource("AWS::DynamoDB::Table", {
      DeletionPolicy: "Delete",
      Properties: Match.objectLike({
        DeletionProtectionEnabled: false,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
      }),
    });
    ephemeral.hasResource("AWS::S3::Bucket", { DeletionPolicy: "Delete" });
    const all = Object.values((ephemeral.toJSON() as { Resources: Record<string, Resource> }).Resources);
    expect(all.filter(({ DeletionPolicy }) => DeletionPolicy === "Retain")).toEqual([]);
  });
});

describe("deleted data", () => {
  test("can be restored for a week, or for `restore_days`, in the table and the bucket", () => {
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

  test("can be restored for the same time after the runbook has restored a lost table", () => {
    const runbook = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");
    expect(runbook).toContain("PointInTimeRecoveryEnabled=true,RecoveryPeriodInDays=7");
  });

  test.each(["0", "36", "a week"])("is not kept for %s days", (restore_days) => {
    expect(() => templateOf({ restore_days })).toThrow("restore_days");
  });
});
