/** Services that call functions without a permission. */
import { expect, test } from "vitest";
import { checkCallers } from "../../../../infra/rehearse/callers.ts";
import { functionOf, stackOf } from "./broken.ts";

const ARN = { "Fn::GetAtt": ["Work", "Arn"] };
const uri = (path = "2015-03-31", verb = "invocations") => ({
  "Fn::Join": ["", ["arn:aws:apigateway:eu-west-1:lambda:path/", path, "/functions/", ARN, `/${verb}`]],
});
const permission = (Principal: string, SourceArn: unknown) => ({
  Type: "AWS::Lambda::Permission",
  Properties: { Action: "lambda:InvokeFunction", FunctionName: ARN, Principal, SourceArn },
});
const arnOf = (api: string, rest: string) => ({
  "Fn::Join": [
    "",
    ["arn:aws:execute-api:", { Ref: "AWS::Region" }, ":", { Ref: "AWS::AccountId" }, ":", { Ref: api }, rest],
  ],
});
const GATEWAY = "apigateway.amazonaws.com";
const textsOf = (resources: object) =>
  checkCallers(stackOf({ Work: functionOf(), ...resources })).map(
    ({ logicalId, text }) => `${logicalId} ${text.replace(/calls [^,]+/, "calls it")}`,
  );
const refusal = (id: string, service = GATEWAY) =>
  `${id} calls it, whose policy has no permission for ${service}: add an AWS::Lambda::Permission`;

const API = {
  Api: {
    Type: "AWS::ApiGateway::RestApi",
    Properties: {
      Body: {
        paths: {
          "/labs": {
            get: { "x-amazon-apigateway-integration": { uri: uri() } },
            post: {
              "x-amazon-apigateway-integration": { uri: uri("2021-11-15", "response-streaming-invocations") },
            },
            options: { "x-amazon-apigateway-integration": { type: "mock" } },
          },
        },
      },
    },
  },
};

test("finds an API whose integration may not call its function, once", () => {
  expect(textsOf(API)).toEqual([refusal("Api")]);
  expect(textsOf({ ...API, May: permission(GATEWAY, arnOf("Api", "/*/*/*")) })).toEqual([]);
});

test("finds a permission of another API, of another path, and of another service", () => {
  for (const may of [
    permission(GATEWAY, arnOf("Other", "/*/*/*")),
    permission(GATEWAY, arnOf("Api", "/*/*/other")),
    permission(GATEWAY, arnOf("Api", "/authorizers/*")),
    permission("events.amazonaws.com", arnOf("Api", "/*/*/*")),
  ])
    expect(textsOf({ ...API, May: may })).toEqual([refusal("Api")]);
});

test("finds an authorizer that may not be called", () => {
  const Api = {
    Type: "AWS::ApiGateway::RestApi",
    Properties: {
      Body: {
        components: {
          securitySchemes: { gate: { "x-amazon-apigateway-authorizer": { authorizerUri: uri() } } },
        },
      },
    },
  };
  expect(textsOf({ Api, May: permission(GATEWAY, arnOf("Api", "/*/*/*")) })).toEqual([refusal("Api")]);
  expect(textsOf({ Api, May: permission(GATEWAY, arnOf("Api", "/authorizers/*")) })).toEqual([]);
});

test("finds WebSockets whose routes or authorizer may not call their function", () => {
  const ApiId = { Ref: "Sockets" };
  const sockets = {
    Sockets: { Type: "AWS::ApiGatewayV2::Api", Properties: {} },
    Stage: { Type: "AWS::ApiGatewayV2::Stage", Properties: { ApiId, StageName: "v2" } },
    Integration: { Type: "AWS::ApiGatewayV2::Integration", Properties: { ApiId, IntegrationUri: uri() } },
    Connect: {
      Type: "AWS::ApiGatewayV2::Route",
      Properties: {
        ApiId,
        RouteKey: "$connect",
        Target: { "Fn::Join": ["", ["integrations/", { Ref: "Integration" }]] },
      },
    },
    Gate: { Type: "AWS::ApiGatewayV2::Authorizer", Properties: { ApiId, AuthorizerUri: uri() } },
  };
  const calls = permission(GATEWAY, arnOf("Sockets", "/v2/*"));
  expect(textsOf(sockets)).toEqual([refusal("Integration"), refusal("Gate")]);
  expect(textsOf({ ...sockets, Calls: calls })).toEqual([refusal("Gate")]);
  const opens = permission(GATEWAY, arnOf("Sockets", "/authorizers/*"));
  expect(textsOf({ ...sockets, Calls: calls, Opens: opens })).toEqual([]);
});

test("finds a schedule that may not call its function", () => {
  const Hourly = { Type: "AWS::Events::Rule", Properties: { Targets: [{ Id: "0", Arn: ARN }] } };
  expect(textsOf({ Hourly })).toEqual([refusal("Hourly", "events.amazonaws.com")]);
  const own = permission("events.amazonaws.com", { "Fn::GetAtt": ["Hourly", "Arn"] });
  expect(textsOf({ Hourly, Own: own })).toEqual([]);
});
