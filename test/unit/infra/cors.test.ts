/** The setting `cors_origins` in the template. */
import type { Template } from "aws-cdk-lib/assertions";
import { expect, test, vi } from "vitest";
import { GATEWAY_RESPONSES, type MockIntegration } from "../../../infra/api/document.ts";
import { Settings } from "../../../infra/chosen-settings.ts";
import { readCorsOrigins } from "../../../infra/cors.ts";
import { bodyOf, methodsOf } from "../../helpers/stack/api-body.ts";
import { templateOf } from "../../helpers/stack/stack.ts";

/** A template takes a minute on a busy machine. */
vi.setConfig({ testTimeout: 300_000 });

const read = (cors_origins?: string) => readCorsOrigins(new Settings({ cors_origins }));

test("the setting lists origins, none by default", () => {
  expect([read(), read("")]).toEqual([[], []]);
  expect(read(" https://lab.example, http://localhost:4200,http://[::1]:3080 ")).toEqual([
    "https://lab.example",
    "http://localhost:4200",
    "http://[::1]:3080",
  ]);
});

test.each([
  "*",
  "null",
  "lab.example",
  "https://lab.example/",
  "https://lab.example:443",
  "https://Lab.example",
  "https://*.example",
  "ftp://lab.example",
  'https://a"b',
  "https://a$b",
])("%s is refused", (origin) => {
  expect(() => read(`http://localhost:4200,${origin}`)).toThrow(
    `The context key cors_origins has ${origin}; it`,
  );
});

const preflightsOf = (template: Template) =>
  [...methodsOf(template).values()].filter(({ verb }) => verb === "OPTIONS");

test("each declared path answers preflight requests without credentials, for the listed origins alone", () => {
  const template = templateOf({ cors_origins: "https://lab.example,http://localhost:4200" });
  const declared = [...methodsOf(template).values()].filter(
    ({ verb, integration }) => verb === "ANY" && integration.type === "aws_proxy",
  );
  expect(preflightsOf(template).map(({ path }) => path)).toEqual(declared.map(({ path }) => path));
  for (const { authorization, integration } of preflightsOf(template)) {
    expect(authorization).toBeUndefined();
    expect(integration).toMatchObject({ type: "mock", responses: { default: { statusCode: "204" } } });
    const { responseParameters, responseTemplates } = (integration as MockIntegration).responses.default!;
    expect(responseParameters).not.toHaveProperty(["method.response.header.Access-Control-Allow-Origin"]);
    expect(responseTemplates["application/json"]).toContain(
      '#if($origin == "https://lab.example" || $origin == "http://localhost:4200")',
    );
  }
  template.hasResourceProperties("AWS::Lambda::Function", {
    Environment: { Variables: { CORS_ORIGINS: "https://lab.example,http://localhost:4200" } },
  });
});

const unauthorizedHeaders = (cors_origins: string): Readonly<Record<string, string>> =>
  bodyOf(templateOf({ cors_origins }))[GATEWAY_RESPONSES].UNAUTHORIZED!.responseParameters;

test("API Gateway's own errors can be read by the page of a single origin", () => {
  const name = "gatewayresponse.header.Access-Control-Allow-Origin";
  expect(unauthorizedHeaders("https://lab.example")[name]).toBe("'https://lab.example'");
  expect(unauthorizedHeaders("https://a.example,https://b.example")).not.toHaveProperty([name]);
});

test("without the setting there are no preflight methods", () => {
  expect(preflightsOf(templateOf())).toEqual([]);
});
