/** Mapping templates render. */
import { expect, test } from "vitest";
import { checkMappingTemplates } from "../../../../infra/rehearse/mapping-templates.ts";
import { stackOf } from "./broken.ts";

const gatewayResponse = (template: string) => ({
  Type: "AWS::ApiGateway::GatewayResponse",
  Properties: { ResponseTemplates: { "application/json": template } },
});
const body = (template: string) => ({
  Type: "AWS::ApiGateway::RestApi",
  Properties: {
    Body: {
      paths: { "/": { get: { responses: [{ responseTemplates: { "application/json": template } }] } } },
    },
  },
});
const textsOf = (Resource: object) => checkMappingTemplates(stackOf({ Resource })).map(({ text }) => text);

const PREFLIGHT = [
  '#set($origin = $input.params("Origin"))',
  '#if($origin == "https://lab.example")',
  "#set($context.responseOverride.header.Vary = $origin)",
  "#end",
].join("\n");

test("accepts directives in an integration, and values in a response of the gateway's own", () => {
  expect(textsOf(body(PREFLIGHT))).toEqual([]);
  expect(textsOf(gatewayResponse('{"id":"$context.requestId"}'))).toEqual([]);
});

test("finds directives in a response of the gateway's own", () => {
  expect(textsOf(gatewayResponse(PREFLIGHT))).toEqual([
    "ResponseTemplates of application/json: a response of the gateway's own takes no directives, it has #set",
  ]);
});

test("finds a template that cannot be parsed, a variable without a value, and text that is not JSON", () => {
  expect(textsOf(body("#if($input.params('a')"))).toEqual([expect.stringContaining("cannot be rendered")]);
  expect(textsOf(body('{"id":"$context.requestIdd"}')).join()).toContain("$context.requestIdd has no value");
  expect(textsOf(body("#if(true) {#end")).join()).toContain("renders to text that is not JSON: {");
});
