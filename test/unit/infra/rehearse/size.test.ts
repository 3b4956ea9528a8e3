/** The quotas of a template that the schemas do not have. */
import { expect, test } from "vitest";
import { checkSize } from "../../../../infra/rehearse/size.ts";
import { stackOf } from "./broken.ts";

const TOPIC = { Topic: { Type: "AWS::SNS::Topic" } };
const textsOf = (...given: Parameters<typeof stackOf>) =>
  checkSize(stackOf(...given)).map(({ text }) => text);

test("finds a template over 1 MB", () => {
  expect(textsOf(TOPIC)).toEqual([]);
  expect(textsOf(TOPIC, { Metadata: { text: "é".repeat(500_000) } }).join()).toMatch(
    /the template has 1000\d+ bytes, CloudFormation takes 1000000: move/,
  );
});

test("finds a logical id of more than 255 characters", () => {
  const [problem] = checkSize(stackOf({ [`T${"x".repeat(255)}`]: TOPIC.Topic }));
  expect(problem?.text).toContain("this one has 256");
});

test("finds exports of one name, and those that a second stack would repeat", () => {
  const exported = (Name: unknown) => ({ Value: "x", Export: { Name } });
  const good = { One: exported({ "Fn::Join": ["-", [{ Ref: "AWS::StackName" }, "url"]] }) };
  expect(textsOf(TOPIC, { Outputs: good })).toEqual([]);
  expect(textsOf(TOPIC, { Outputs: { ...good, Two: exported("Labs-url") } })).toEqual([
    "exports Labs-url, as One does: an export's name is unique in a region",
  ]);
  expect(textsOf(TOPIC, { Outputs: { One: exported("url") } }).join()).toContain("a second stack");
});
