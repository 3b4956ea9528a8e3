/** Writes a small cloud assembly, in the CDK's format, with the functions that a test needs. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Resources = Record<string, { Type: string; Properties?: Record<string, unknown> }>;

interface FunctionFixture {
  /** The content of index.mjs. */
  readonly code: string;
  readonly timeoutSeconds?: number;
  readonly memoryMb?: number;
  readonly environment?: Record<string, unknown>;
}

interface MethodFixture {
  readonly path: string;
  readonly method?: string;
  /** The logical id of a function. */
  readonly target: string;
  readonly streaming?: boolean;
  readonly timeoutMs?: number;
  /** The name of a security scheme. */
  readonly authorizer?: string;
}

/** A method to which the gateway responds without a function. */
interface MockFixture {
  readonly path: string;
  readonly method?: string;
  /** The integration. */
  readonly mock: Record<string, unknown>;
  /** The headers that the operation's responses declare, by status. */
  readonly headers?: Record<string, readonly string[]>;
}

export interface AssemblyFixture {
  readonly functions: Record<string, FunctionFixture>;
  readonly methods: readonly (MethodFixture | MockFixture)[];
  readonly securitySchemes?: Record<string, unknown>;
  readonly gatewayResponses?: Record<string, unknown>;
  readonly extra?: Resources;
}

const API = { Ref: "Api" };

export const NOT_FOUND_RESPONSE = {
  statusCode: "404",
  responseTemplates: {
    "application/json": '{"message":"No such route","status":404,"path":"$context.path"}',
  },
  responseParameters: { "gatewayresponse.header.x-from": "'gateway'" },
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

/** Returns a security scheme with a Lambda authorizer. */
export const makeAuthorizer = (target: string, identitySource: string, ttlSeconds?: number) => ({
  type: "apiKey",
  name: "Unused",
  in: "header",
  "x-amazon-apigateway-authtype": "custom",
  "x-amazon-apigateway-authorizer": {
    type: "request",
    identitySource,
    ...(ttlSeconds !== undefined && { authorizerResultTtlInSeconds: ttlSeconds }),
    authorizerUri: invocationOf(target),
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
    Resources: { ...apiResources(fixture), ...functionResources(fixture), ...fixture.extra },
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
    Object.entries(functions).map(([id, { timeoutSeconds = 20, memoryMb = 256, environment = {} }]) => [
      id,
      {
        Type: "AWS::Lambda::Function",
        Properties: {
          Code: { S3Bucket: "assets", S3Key: `${id}.zip` },
          Handler: "index.handler",
          Runtime: "nodejs24.x",
          Timeout: timeoutSeconds,
          MemorySize: memoryMb,
          Environment: { Variables: environment },
        },
      },
    ]),
  );
}

const apiResources = (fixture: AssemblyFixture): Resources => ({
  Api: { Type: "AWS::ApiGateway::RestApi", Properties: { Body: bodyOf(fixture) } },
  Stage: { Type: "AWS::ApiGateway::Stage", Properties: { StageName: "v2", RestApiId: API } },
});

function bodyOf({ methods, securitySchemes = {}, gatewayResponses = {} }: AssemblyFixture) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const fixture of methods) {
    const { path, method = "ANY" } = fixture;
    const verb = method === "ANY" ? "x-amazon-apigateway-any-method" : method.toLowerCase();
    paths[path] = { ...paths[path], [verb]: operationOf(fixture) };
  }
  return {
    openapi: "3.0.1",
    info: { title: "Test", version: "1" },
    paths,
    components: { securitySchemes },
    "x-amazon-apigateway-gateway-responses": gatewayResponses,
    "x-amazon-apigateway-binary-media-types": ["*/*"],
  };
}

function operationOf(fixture: MethodFixture | MockFixture) {
  if ("mock" in fixture) {
    const { mock, headers = {} } = fixture;
    const responses = Object.entries(headers).map(([status, names]) => [
      status,
      { description: "-", headers: Object.fromEntries(names.map((name) => [name, {}])) },
    ]);
    return {
      responses: Object.fromEntries(responses),
      "x-amazon-apigateway-integration": { type: "mock", ...mock },
    };
  }
  return {
    ...(fixture.authorizer !== undefined && { security: [{ [fixture.authorizer]: [] }] }),
    "x-amazon-apigateway-integration": proxyIntegration(fixture),
  };
}

function proxyIntegration({ target, streaming, timeoutMs }: MethodFixture) {
  const partition = { Ref: "AWS::Partition" };
  const arn = { "Fn::GetAtt": [target, "Arn"] };
  return {
    type: "aws_proxy",
    uri: {
      "Fn::Join": [
        "",
        ["arn:", partition, ":apigateway:us-east-1:lambda:path/functions/", arn, "/invocations"],
      ],
    },
    ...(streaming && { responseTransferMode: "STREAM" }),
    ...(timeoutMs && { timeoutInMillis: timeoutMs }),
  };
}
