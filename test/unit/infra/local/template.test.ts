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
    const mock = {
      ContentHandling: "CONVERT_TO_TEXT",
      PassthroughBehavior: "NEVER",
      RequestTemplates: { "application/json": '{"statusCode":410}' },
      IntegrationResponses: [
        {
          StatusCode: "410",
          ResponseParameters: { "method.response.header.x-a": "'b'" },
          ResponseTemplates: { "text/plain": "gone" },
        },
      ],
    };
    const { template } = read({ methods: [{ path: "/old/{rest+}", mock }] });

    expect(template.routes).toEqual([
      {
        resourcePath: "/old/{rest+}",
        method: "ANY",
        mock: {
          convertsToText: true,
          requestTemplates: mock.RequestTemplates,
          responses: [
            { statusCode: "410", headers: { "x-a": "'b'" }, contentType: "text/plain", template: "gone" },
          ],
        },
      },
    ]);
  });

  it.each([
    [{ Type: "HTTP_PROXY" }, "Integration.Type: only AWS_PROXY and MOCK run locally, not HTTP_PROXY"],
    [{ PassthroughBehavior: "WHEN_NO_MATCH" }, "Integration.PassthroughBehavior: only NEVER runs locally"],
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
      extra: {
        Table1A: TABLE,
        Data: { Type: "AWS::S3::Bucket" },
        Named: { Type: "AWS::S3::Bucket", Properties: { BucketName: "given-name" } },
        NotFound: NOT_FOUND_RESPONSE,
      },
    });

    expect(template.tables).toEqual([{ name: "wirelab-table1a", properties: TABLE.Properties }]);
    expect(template.buckets.map(({ name }) => name)).toEqual(["wirelab-data", "given-name"]);
    expect(template.gatewayResponses).toEqual([
      {
        responseType: "MISSING_AUTHENTICATION_TOKEN",
        statusCode: 404,
        contentType: "application/json",
        template: NOT_FOUND_RESPONSE.Properties.ResponseTemplates["application/json"],
        headers: { "x-from": "'gateway'" },
      },
    ]);
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
