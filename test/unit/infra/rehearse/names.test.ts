/** Names that the template gives. */
import { expect, test } from "vitest";
import { checkNames } from "../../../../infra/rehearse/names.ts";
import { stackOf } from "./broken.ts";

const topic = (TopicName: unknown) => ({ Type: "AWS::SNS::Topic", Properties: { TopicName } });
const textsOf = (resources: object, stackName = "Labs") =>
  checkNames(stackOf(resources, {}, stackName)).map(({ text }) => text);

test("finds a name that each stack would take", () => {
  expect(textsOf({ Topic: topic({ "Fn::Join": ["-", [{ Ref: "AWS::StackName" }, "alarms"]] }) })).toEqual([]);
  expect(textsOf({ Topic: { Type: "AWS::SNS::Topic" } })).toEqual([]);
  expect(textsOf({ Topic: topic("alarms") }).join()).toMatch(/TopicName is alarms, in every stack: put/);
});

test("finds the name of an edge function that has the construct's path and not the stack's name", () => {
  const viewer = (Name: unknown) => ({ Type: "AWS::CloudFront::Function", Properties: { Name } });
  const region = { Ref: "AWS::Region" };
  const ofPath = { "Fn::Join": ["", [region, "WirelabEdgeViewerRequest61B28353"]] };
  expect(textsOf({ Viewer: viewer(ofPath) }, "wirelab-ci-1").join()).toContain("in every stack");
  const ofStack = { "Fn::Join": ["", [region, "wirelabci1EdgeViewerRequest"]] };
  expect(textsOf({ Viewer: viewer(ofStack) }, "wirelab-ci-1")).toEqual([]);
});

test("finds a name that two resources have", () => {
  expect(textsOf({ One: topic("Labs-a"), Two: topic("Labs-a") })).toEqual([
    "TopicName is Labs-a, as that of One",
  ]);
});

test("finds a name that is too long, also of what is unique in its API only", () => {
  const name = "x".repeat(129);
  const api = { Type: "AWS::ApiGateway::RestApi", Properties: { Name: name } };
  expect(textsOf({ api }).join()).toMatch(/Name has 129 characters, AWS takes 128/);
  expect(textsOf({ api: { ...api, Properties: { Name: "api" } } })).toEqual([]);
});
