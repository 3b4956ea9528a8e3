/** Writes a small cloud assembly, in the CDK's format, with the functions that a test needs. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Resources = Record<string, { Type: string; Properties?: Record<string, unknown> }>;

interface FunctionFixture {
  /** The content of index.mjs. */
  readonly code: string;
  readonly timeoutSeconds?: number;
  readonly environment?: Record<string, unknown>;
}

interface MethodFixture {
  readonly path: string;
  readonly method?: string;
  /** The logical id of a function. */
  readonly target: string;
  readonly streaming?: boolean;
  readonly timeoutMs?: number;
  /** The logical id of an authorizer in `extra`. */
  readonly authorizer?: string;
}

/** A method to which the gateway responds without a function. */
interface MockFixture {
  readonly path: string;
  readonly method?: string;
  /** The properties of the integration. */
  readonly mock: Record<string, unknown>;
}

export interface AssemblyFixture {
  readonly functions: Record<string, FunctionFixture>;
  readonly methods: readonly (MethodFixture | MockFixture)[];
  readonly extra?: Resources;
}

const API = { Ref: "Api" };

export const NOT_FOUND_RESPONSE = {
  Type: "AWS::ApiGateway::GatewayResponse",
  Properties: {
    ResponseType: "MISSING_AUTHENTICATION_TOKEN",
    StatusCode: "404",
    ResponseTemplates: {
      "application/json": '{"message":"No such route","status":404,"path":"$context.path"}',
    },
    ResponseParameters: { "gatewayresponse.header.x-from": "'gateway'" },
    RestApiId: API,
  },
};

export const TABLE = {
  Type: "AWS::DynamoDB::Table",
  Properties: {
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
    AttributeDefinitions: ["pk", "sk", "listing"].map((AttributeName) => ({
      AttributeName,
      AttributeType: "S",
    })),
    BillingMode: "PAY_PER_REQUEST",
    DeletionProtectionEnabled: true,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    GlobalSecondaryIndexes: [
      {
        IndexName: "projects",
        KeySchema: [{ AttributeName: "listing", KeyType: "HASH" }],
        Projection: { ProjectionType: "ALL" },
      },
    ],
  },
};

/** Returns a Lambda authorizer in the CDK's format. */
export const makeAuthorizer = (target: string, identity: string, ttlSeconds?: number) => ({
  Type: "AWS::ApiGateway::Authorizer",
  Properties: {
    Type: "REQUEST",
    RestApiId: API,
    IdentitySource: identity,
    ...(ttlSeconds !== undefined && { AuthorizerResultTtlInSeconds: ttlSeconds }),
    AuthorizerUri: {
      "Fn::Join": [
        "",
        ["arn:aws:apigateway:path/functions/", { "Fn::GetAtt": [target, "Arn"] }, "/invocations"],
      ],
    },
  },
});

const invocationOf = (target: string) => ({
  "Fn::Join": ["", ["arn:aws:apigateway:path/functions/", { "Fn::GetAtt": [target, "Arn"] }, "/invocations"]],
});

/** Returns a WebSocket API whose routes call one function. @param judge the function of the authorizer of `$connect`. */
export function makeSocketsApi(target: string, judge?: string): Resources {
  const ApiId = { Ref: "Sockets" };
  const route = (RouteKey: string, access: object = {}) => ({
    Type: "AWS::ApiGatewayV2::Route",
    Properties: {
      ApiId,
      RouteKey,
      Target: { "Fn::Join": ["", ["integrations/", { Ref: "Socketing" }]] },
      ...access,
    },
  });
  return {
    Sockets: { Type: "AWS::ApiGatewayV2::Api", Properties: { Name: "sockets", ProtocolType: "WEBSOCKET" } },
    Socketing: {
      Type: "AWS::ApiGatewayV2::Integration",
      Properties: { ApiId, IntegrationType: "AWS_PROXY", IntegrationUri: invocationOf(target) },
    },
    ...(judge && {
      Bouncer: {
        Type: "AWS::ApiGatewayV2::Authorizer",
        Properties: {
          ApiId,
          AuthorizerType: "REQUEST",
          AuthorizerUri: invocationOf(judge),
          IdentitySource: ["route.request.header.Authorization"],
        },
      },
    }),
    Connect: route(
      "$connect",
      judge ? { AuthorizationType: "CUSTOM", AuthorizerId: { Ref: "Bouncer" } } : {},
    ),
    Message: route("$default"),
    Disconnect: route("$disconnect"),
  };
}

/** @returns the folder, which the caller must remove. */
export function writeAssembly(fixture: AssemblyFixture): string {
  const folder = mkdtempSync(join(tmpdir(), "wirelab-assembly-"));
  const template = {
    Resources: { ...apiResources(fixture.methods), ...functionResources(fixture), ...fixture.extra },
  };
  writeFileSync(join(folder, "Test.template.json"), JSON.stringify(template));
  writeFileSync(
    join(folder, "manifest.json"),
    JSON.stringify({
      artifacts: {
        "Test.assets": { type: "cdk:asset-manifest" },
        Test: { type: "aws:cloudformation:stack", properties: { templateFile: "Test.template.json" } },
      },
    }),
  );
  for (const [id, { code }] of Object.entries(fixture.functions)) {
    mkdirSync(join(folder, `asset.${id}`));
    writeFileSync(join(folder, `asset.${id}`, "index.mjs"), code);
  }
  return folder;
}

function functionResources({ functions }: AssemblyFixture): Resources {
  return Object.fromEntries(
    Object.entries(functions).map(([id, { timeoutSeconds = 20, environment = {} }]) => [
      id,
      {
        Type: "AWS::Lambda::Function",
        Properties: {
          Code: { S3Bucket: "assets", S3Key: `${id}.zip` },
          Handler: "index.handler",
          Runtime: "nodejs24.x",
          Timeout: timeoutSeconds,
          MemorySize: 256,
          Environment: { Variables: environment },
        },
      },
    ]),
  );
}

function apiResources(methods: AssemblyFixture["methods"]): Resources {
  const resources: Resources = {
    Api: { Type: "AWS::ApiGateway::RestApi", Properties: { BinaryMediaTypes: ["*/*"] } },
    Stage: { Type: "AWS::ApiGateway::Stage", Properties: { StageName: "v2", RestApiId: API } },
  };
  for (const fixture of methods) {
    let parent: object = { "Fn::GetAtt": ["Api", "RootResourceId"] };
    let path = "";
    for (const PathPart of fixture.path.split("/").filter(Boolean)) {
      path += `/${PathPart}`;
      const id = `Resource${Buffer.from(path).toString("hex")}`;
      resources[id] = {
        Type: "AWS::ApiGateway::Resource",
        Properties: { ParentId: parent, PathPart, RestApiId: API },
      };
      parent = { Ref: id };
    }
    const method = fixture.method ?? "ANY";
    resources[`Method${Buffer.from(path).toString("hex")}${method}`] = methodResource(
      fixture,
      method,
      parent,
    );
  }
  return resources;
}

function methodResource(fixture: MethodFixture | MockFixture, HttpMethod: string, ResourceId: object) {
  const Properties = { HttpMethod, ResourceId, RestApiId: API };
  const Integration = "mock" in fixture ? { Type: "MOCK", ...fixture.mock } : proxyIntegration(fixture);
  return {
    Type: "AWS::ApiGateway::Method",
    Properties: {
      ...Properties,
      ...("authorizer" in fixture && {
        AuthorizationType: "CUSTOM",
        AuthorizerId: { Ref: fixture.authorizer },
      }),
      Integration,
    },
  };
}

function proxyIntegration({ target, streaming, timeoutMs }: MethodFixture) {
  const partition = { Ref: "AWS::Partition" };
  const arn = { "Fn::GetAtt": [target, "Arn"] };
  return {
    Type: "AWS_PROXY",
    Uri: { "Fn::Join": ["", ["arn:", partition, ":apigateway:us-east-1:lambda:path/functions/", arn]] },
    ...(streaming && { ResponseTransferMode: "STREAM" }),
    ...(timeoutMs && { TimeoutInMillis: timeoutMs }),
  };
}
