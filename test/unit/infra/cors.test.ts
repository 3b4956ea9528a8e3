/** The setting `cors_origins` in the template. */
import { expect, test, vi } from "vitest";
import { Settings } from "../../../infra/chosen-settings.ts";
import { readCorsOrigins } from "../../../infra/cors.ts";
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

test("each declared path answers preflight requests without credentials, for the listed origins alone", () => {
  const template = templateOf({ cors_origins: "https://lab.example,http://localhost:4200" });
  const methods = Object.values(template.findResources("AWS::ApiGateway::Method")).map(
    ({ Properties }) => Properties,
  );
  const preflights = methods.filter(({ HttpMethod }) => HttpMethod === "OPTIONS");
  const declared = methods.filter(
    ({ HttpMethod, Integration }) => HttpMethod === "ANY" && Integration.Type === "AWS_PROXY",
  );
  expect(preflights.map(({ ResourceId }) => ResourceId)).toEqual(
    declared.map(({ ResourceId }) => ResourceId),
  );
  for (const { AuthorizationType, Integration } of preflights) {
    expect([AuthorizationType, Integration.Type]).toEqual(["NONE", "MOCK"]);
    const [{ ResponseParameters, ResponseTemplates }] = Integration.IntegrationResponses;
    expect(ResponseParameters).not.toHaveProperty(["method.response.header.Access-Control-Allow-Origin"]);
    expect(ResponseTemplates["application/json"]).toContain(
      '#if($origin == "https://lab.example" || $origin == "http://localhost:4200")',
    );
  }
  template.hasResourceProperties("AWS::Lambda::Function", {
    Environment: { Variables: { CORS_ORIGINS: "https://lab.example,http://localhost:4200" } },
  });
});

const unauthorizedHeaders = (cors_origins: string): Record<string, string> =>
  Object.values(templateOf({ cors_origins }).findResources("AWS::ApiGateway::GatewayResponse")).find(
    ({ Properties }) => Properties.ResponseType === "UNAUTHORIZED",
  )!.Properties.ResponseParameters;

test("API Gateway's own errors can be read by the page of a single origin", () => {
  const name = "gatewayresponse.header.Access-Control-Allow-Origin";
  expect(unauthorizedHeaders("https://lab.example")[name]).toBe("'https://lab.example'");
  expect(unauthorizedHeaders("https://a.example,https://b.example")).not.toHaveProperty([name]);
});

test("without the setting there are no preflight methods", () => {
  const methods = Object.values(templateOf().findResources("AWS::ApiGateway::Method"));
  expect(methods.filter(({ Properties }) => Properties.HttpMethod === "OPTIONS")).toEqual([]);
});
