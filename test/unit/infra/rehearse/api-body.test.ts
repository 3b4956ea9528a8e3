/** API Gateway imports the body of a REST API. */
import { expect, test } from "vitest";
import { checkApiBodies } from "../../../../infra/rehearse/api-body.ts";
import { stackOf } from "./broken.ts";

const URI = "arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/FUNCTION/invocations";
const STREAMING =
  "arn:aws:apigateway:us-east-1:lambda:path/2021-11-15/functions/FUNCTION/response-streaming-invocations";
const INTEGRATION = "x-amazon-apigateway-integration";
const operation = (integration: object = {}, rest: object = {}) => ({
  responses: { 200: { description: "" } },
  [INTEGRATION]: { type: "aws_proxy", httpMethod: "POST", uri: URI, ...integration },
  ...rest,
});
const variable = (name: string) => ({ name, in: "path", required: true, schema: { type: "string" } });
const itemOf = (path: string, item: object = { get: operation() }) => ({
  parameters: Array.from(path.matchAll(/\{(\w+)\+?\}/g), ([, name]) => variable(name!)),
  ...item,
});
const textsOf = (paths: Record<string, object>, rest: object = {}) => {
  const Body = { openapi: "3.0.1", paths, ...rest };
  return checkApiBodies(stackOf({ Api: { Type: "AWS::ApiGateway::RestApi", Properties: { Body } } })).map(
    ({ text }) => text,
  );
};
const textsOfPaths = (...paths: readonly string[]) =>
  textsOf(Object.fromEntries(paths.map((path) => [path, itemOf(path)])));
const textsOfOperation = (...given: Parameters<typeof operation>) =>
  textsOf({ "/": { get: operation(...given) } });

test("accepts paths, variables, a greedy variable beside another one, and a streamed call", () => {
  expect(textsOfPaths("/", "/a/{id}", "/a/{id}/b", "/a/{rest+}")).toEqual([]);
  const streamed = { uri: STREAMING, responseTransferMode: "STREAM", timeoutInMillis: 900_000 };
  expect(textsOfOperation(streamed)).toEqual([]);
  expect(checkApiBodies(stackOf({ Api: { Type: "AWS::ApiGateway::RestApi", Properties: {} } }))).toEqual([]);
});

test.each([
  [["/a/{id}/b", "/a/{name}/c"], "/a/{name}/c: {name} stands where another path has {id}"],
  [["/a/{rest+}/b"], "the greedy variable {rest+} must be the last part"],
  [["/a/x{id}"], "x{id} is no part of a path"],
])("finds a fault in %j", (paths, text) => {
  expect(textsOfPaths(...paths).join()).toContain(text);
});

test("finds the 301st resource, parents included", () => {
  const paths = Array.from({ length: 299 }, (_, index) => `/a/p${index}`);
  expect(textsOfPaths(...paths).join()).toContain("the paths are 301 resources");
  expect(textsOfPaths(...paths.slice(1))).toEqual([]);
});

test("finds a variable that is not declared, a method that is none, and a scheme that is not there", () => {
  expect(textsOf({ "/{id}": { get: operation() } })).toEqual(["/{id} get: the variable id is not declared"]);
  expect(textsOf({ "/": { fetch: operation() } })).toEqual(["/: fetch is no method"]);
  expect(textsOfOperation({}, { security: [{ gate: [] }] })).toEqual([
    "/ get: the security scheme gate does not exist",
  ]);
});

test.each([
  ["an unknown type", { type: "lambda" }, "the integration's type is lambda"],
  ["an unknown key", { timeout: 1 }, "unknown key timeout"],
  ["another method", { httpMethod: "GET" }, "with the httpMethod POST"],
  ["a streamed call of the other uri", { responseTransferMode: "STREAM" }, "does not fit a streamed call"],
  ["a buffered call of the other uri", { uri: STREAMING }, "does not fit a buffered call"],
  ["a long timeout without streaming", { timeoutInMillis: 30_000 }, "at most 29000 without streaming"],
  [
    "a mock that streams",
    { type: "mock", responseTransferMode: "STREAM" },
    "only a proxy integration streams",
  ],
  ["no uri", { type: "http", uri: undefined }, "the integration has no uri"],
])("finds %s", (_what, integration, text) => {
  expect(textsOfOperation(integration).join()).toContain(text);
});

test("finds an operation without integration, and headers and statuses that are not declared", () => {
  expect(textsOf({ "/": { get: { responses: {} } } })).toEqual(["/ get: has no integration"]);
  const mock = (statusCode: string) => ({
    type: "mock",
    responses: { default: { statusCode, responseParameters: { "method.response.header.Vary": "'a'" } } },
  });
  expect(textsOfOperation(mock("200"))).toEqual(["/ get: the response 200 does not declare the header Vary"]);
  expect(textsOfOperation(mock("204"))).toEqual(["/ get: the status 204 is not declared"]);
});

test("finds authorizers that API Gateway refuses", () => {
  const scheme = (authorizer: object, type = "apiKey") => ({
    components: {
      securitySchemes: {
        gate: {
          type,
          "x-amazon-apigateway-authorizer": {
            type: "request",
            authorizerUri: URI,
            identitySource: "method.request.header.Authorization",
            ...authorizer,
          },
        },
      },
    },
  });
  expect(textsOf({}, scheme({}))).toEqual([]);
  expect(textsOf({}, scheme({}, "http")).join()).toContain("has the type http, not apiKey");
  expect(textsOf({}, scheme({ type: "lambda" })).join()).toContain("the authorizer gate has the type lambda");
  expect(textsOf({}, scheme({ authorizerUri: STREAMING })).join()).toContain("authorizerUri of no function");
  expect(textsOf({}, scheme({ authorizerResultTtlInSeconds: 3_601 })).join()).toContain("at most 3600");
  expect(textsOf({}, scheme({ identitySource: "" })).join()).toContain("caches without an identitySource");
  const many = Object.fromEntries(
    Array.from({ length: 11 }, (_, index) => [`gate${index}`, scheme({}).components.securitySchemes.gate]),
  );
  expect(textsOf({}, { components: { securitySchemes: many } }).join()).toContain("has 11 authorizers");
});

test("finds unknown extensions, gateway responses, statuses and headers, and another OpenAPI", () => {
  expect(textsOf({}, { "x-amazon-apigateway-cache": {} })).toEqual([
    "x-amazon-apigateway-cache is no extension that API Gateway knows",
  ]);
  const own = (name: string, response: object) =>
    textsOf({}, { "x-amazon-apigateway-gateway-responses": { [name]: response } }).join();
  expect(own("DEFAULT_4XX", { statusCode: "400" })).toBe("");
  expect(own("NOT_THERE", {})).toBe("NOT_THERE is no response of API Gateway's own");
  expect(own("THROTTLED", { statusCode: "42" })).toBe("THROTTLED has the status 42");
  expect(own("THROTTLED", { responseParameters: { "header.Vary": "'a'" } })).toContain("sets header.Vary");
  expect(textsOf({}, { openapi: "3.1.0" })).toEqual(["openapi is 3.1.0, API Gateway imports 3.0"]);
});
