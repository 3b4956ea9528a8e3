import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { LocalProblem } from "../../../../infra/local/problem.ts";
import { readTemplate } from "../../../../infra/local/template/template.ts";
import { type AssemblyFixture, NOT_FOUND_RESPONSE, TABLE, writeAssembly } from "./assembly.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function read(fixture: Partial<AssemblyFixture>) {
  const folder = writeAssembly({ functions: {}, methods: [], ...fixture });
  folders.push(folder);
  return { folder, template: readTemplate(folder) };
}

const MOCK = {
  contentHandling: "CONVERT_TO_TEXT",
  passthroughBehavior: "never",
  requestTemplates: { "application/json": '{"statusCode":410}' },
  responses: {
    default: {
      statusCode: "410",
      responseParameters: { "method.response.header.x-a": "'b'" },
      responseTemplates: { "text/plain": "gone" },
    },
  },
};

describe("a template", () => {
  it("has the routes with function, streaming and timeout", () => {
    const { template } = read({
      functions: { Echo: { code: "" } },
      methods: [
        { path: "/", target: "Echo" },
        { path: "/a/{id}/b", method: "GET", target: "Echo", streaming: true, timeoutMs: 900_000 },
      ],
    });

    expect(template).toMatchObject({ stage: "v2", binaryBodies: true });
    expect(template.routes).toEqual([
      { resourcePath: "/", method: "ANY", functionId: "Echo", streaming: false, timeoutMs: 29_000 },
      { resourcePath: "/a/{id}/b", method: "GET", functionId: "Echo", streaming: true, timeoutMs: 900_000 },
    ]);
  });

  it("has the routes to which the gateway responds without a function", () => {
    const { template } = read({
      methods: [{ path: "/old/{rest+}", mock: MOCK, headers: { 410: ["x-a"] } }],
    });

    expect(template.routes).toEqual([
      {
        resourcePath: "/old/{rest+}",
        method: "ANY",
        mock: {
          convertsToText: true,
          requestTemplates: MOCK.requestTemplates,
          responses: [
            { statusCode: "410", headers: { "x-a": "'b'" }, contentType: "text/plain", template: "gone" },
          ],
        },
      },
    ]);
  });

  it.each([
    [{ type: "http_proxy" }, "integration.type: only aws_proxy and mock run locally, not http_proxy"],
    [{ passthroughBehavior: "when_no_match" }, "integration.passthroughBehavior: only never runs locally"],
    [MOCK, "integration.responses: 410 does not declare the header x-a"],
  ])("with an integration that does not run locally is rejected: %j", (mock, message) => {
    expect(() => read({ methods: [{ path: "/a", mock }] })).toThrow(message);
  });

  it("has the functions of the routes, with their environment resolved", () => {
    const { folder, template } = read({
      functions: {
        Echo: {
          code: "",
          timeoutSeconds: 7,
          environment: {
            TABLE_NAME: { Ref: "Table1A" },
            TABLE_ARN: { "Fn::GetAtt": ["Table1A", "Arn"] },
            PLACE: { "Fn::Join": ["/", [{ Ref: "AWS::Region" }, { "Fn::Sub": "in-$" + "{Table1A}" }]] },
            NUMBER: 5,
          },
        },
        Unrouted: { code: "", environment: { X: { "Fn::ImportValue": "y" } } },
      },
      methods: [{ path: "/a", target: "Echo" }],
      extra: { Table1A: TABLE },
    });

    expect(template.functions).toEqual({
      Echo: {
        name: "wirelab-echo",
        bundleFolder: join(folder, "asset.Echo"),
        handler: "index.handler",
        timeoutMs: 7000,
        memoryMb: 256,
        environment: {
          TABLE_NAME: "wirelab-table1a",
          TABLE_ARN: "arn:aws:dynamodb:us-east-1:000000000000:table/wirelab-table1a",
          PLACE: "us-east-1/in-wirelab-table1a",
          NUMBER: "5",
        },
      },
    });
  });

  it("has tables, buckets and gateway responses", () => {
    const { template } = read({
      gatewayResponses: { MISSING_AUTHENTICATION_TOKEN: NOT_FOUND_RESPONSE },
      extra: {
        Table1A: TABLE,
        Data: { Type: "AWS::S3::Bucket" },
        Named: { Type: "AWS::S3::Bucket", Properties: { BucketName: "given-name" } },
      },
    });

    expect(template.tables).toEqual([{ name: "wirelab-table1a", properties: TABLE.Properties }]);
    expect(template.buckets.map(({ name }) => name)).toEqual(["wirelab-data", "given-name"]);
    expect(template.gatewayResponses).toEqual([
      {
        responseType: "MISSING_AUTHENTICATION_TOKEN",
        statusCode: 404,
        contentType: "application/json",
        template: NOT_FOUND_RESPONSE.responseTemplates["application/json"],
        headers: { "x-from": "'gateway'" },
      },
    ]);
  });

  it("with an API that has no body is rejected", () => {
    const extra = { Api: { Type: "AWS::ApiGateway::RestApi", Properties: {} } };
    expect(() => read({ extra })).toThrow("Api.Body: only an API with a body runs locally");
  });

  it("with a route to a function of another stack is rejected", () => {
    const uri =
      "arn:aws:apigateway:us-east-1:lambda:path/functions/arn:aws:lambda:us-east-1:000000000000:function:other/x";
    const methods = [{ path: "/a", method: "GET", mock: { type: "aws_proxy", uri } }];
    expect(() => read({ methods })).toThrow(
      "Api.Body.paths./a.get.x-amazon-apigateway-integration.uri names no function of this stack",
    );
  });

  it.each([
    [{ Ref: "Nothing" }, "Ref to Nothing"],
    [{ "Fn::GetAtt": ["Table1A", "StreamArn"] }, "Fn::GetAtt of Table1A.StreamArn"],
    [{ "Fn::ImportValue": "x" }, "Fn::ImportValue"],
  ])("with an unsupported reference is rejected with its place: %j", (value, message) => {
    const fixture = {
      functions: { Echo: { code: "", environment: { VALUE: value } } },
      methods: [{ path: "/a", target: "Echo" }],
      extra: { Table1A: TABLE },
    };

    expect(() => read(fixture)).toThrow(LocalProblem);
    expect(() => read(fixture)).toThrow(`Echo.Environment.Variables.VALUE: ${message}`);
  });
});
