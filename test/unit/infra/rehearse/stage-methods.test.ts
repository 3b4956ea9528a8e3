/** Settings of a stage for methods that the API does not have. */
import { expect, test } from "vitest";
import { checkStageMethods } from "../../../../infra/rehearse/stage-methods.ts";
import { stackOf } from "./broken.ts";

const textsOf = (HttpMethod: string, ResourcePath: string) =>
  checkStageMethods(
    stackOf({
      Api: {
        Type: "AWS::ApiGateway::RestApi",
        Properties: {
          Body: { paths: { "/labs/{id}": { get: {} }, "/any": { "x-amazon-apigateway-any-method": {} } } },
        },
      },
      Stage: {
        Type: "AWS::ApiGateway::Stage",
        Properties: { RestApiId: { Ref: "Api" }, MethodSettings: [{ HttpMethod, ResourcePath }] },
      },
    }),
  ).map(({ text }) => text);

test("takes those of all methods, of a method, and of a path for any method", () => {
  for (const [method, path] of [
    ["*", "/*"],
    ["GET", "/~1labs~1{id}"],
    ["*", "/~1labs~1{id}"],
    ["DELETE", "/~1any"],
  ] as const)
    expect(textsOf(method, path)).toEqual([]);
});

test("finds a path and a method that the API does not have", () => {
  expect(textsOf("POST", "/~1labs~1{id}")).toEqual([
    "has settings for POST /labs/{id}, which the API's body does not have: API Gateway refuses the stage",
  ]);
  expect(textsOf("*", "/~1lab")).toHaveLength(1);
});
