/** AWS's validator finds what CloudFormation refuses. */
import { beforeAll, expect, test } from "vitest";
import { checkSchemas } from "../../../../infra/rehearse/schemas.ts";
import { functionOf, roleOf, stackOf } from "./broken.ts";

const Role = roleOf("lambda");
const found = (resources: object, rest: object = {}): string =>
  checkSchemas(stackOf(resources, rest))
    .map(({ logicalId, text }) => `${logicalId}: ${text}`)
    .join("\n");

// The first call compiles all schemas.
beforeAll(() => {
  checkSchemas(stackOf({ Role }));
}, 300_000);

test("finds nothing in a valid template", () => {
  expect(checkSchemas(stackOf({ Role, Work: functionOf() }))).toEqual([]);
});

test.each([
  ["an unknown type", { Work: { Type: "AWS::Lambda::Functionn" } }, /Work: .*Unknown resource type/],
  ["an unknown property", { Role, Work: functionOf({ Memory: 1 }) }, /Work: .*'Memory' was unexpected/],
  ["a missing property", { Work: { Type: "AWS::Lambda::Function", Properties: {} } }, /Work: .*required/i],
  [
    "a number out of its range",
    { Role, Work: functionOf({ MemorySize: 64 }) },
    /MemorySize: .*minimum of 128/,
  ],
  ["a timeout over 15 minutes", { Role, Work: functionOf({ Timeout: 901 }) }, /Timeout: .*maximum 900/],
  [
    "more than five layers",
    { Role, Work: functionOf({ Layers: Array(6).fill("x") }) },
    /Layers: .*maximum item count: 5/,
  ],
  [
    "an unknown runtime",
    { Role, Work: functionOf({ Runtime: "nodejs23.x" }) },
    /Runtime: 'nodejs23.x' is not one of/,
  ],
  [
    "a retention that logs do not have",
    { Log: { Type: "AWS::Logs::LogGroup", Properties: { RetentionInDays: 8 } } },
    /Log: .*8 is not one of/,
  ],
  [
    "a reference to nothing",
    { Role, Work: functionOf({ Role: { Ref: "Other" } }) },
    /Work: .*'Other' is not one of/,
  ],
  [
    "an unknown attribute",
    { Role, Work: functionOf({ Role: { "Fn::GetAtt": ["Role", "Name"] } }) },
    /Work: .*'Name' is not one of/,
  ],
  [
    "a dependency on nothing",
    { Role, Work: { ...functionOf(), DependsOn: ["Other"] } },
    /DependsOn target 'Other'/,
  ],
  [
    "a cycle",
    { Role, One: { ...functionOf(), DependsOn: "Two" }, Two: { ...functionOf(), DependsOn: "One" } },
    /Circular Dependencies for resource One/,
  ],
  ["a logical id with other characters", { "Bad-Id": Role }, /'Bad-Id' must be alphanumeric/],
])("finds %s", (_what, resources, message) => {
  expect(found(resources)).toMatch(message);
});

test("finds the 502nd resource, and the 201st output and parameter", () => {
  const topics = Object.fromEntries(
    Array.from({ length: 502 }, (_, index) => [`Topic${index}`, { Type: "AWS::SNS::Topic" }]),
  );
  expect(found(topics)).toContain("502 resources, maximum is 500");
  const named = (length: number, value: object) =>
    Object.fromEntries(Array.from({ length }, (_, index) => [`Name${index}`, value]));
  expect(found({ Role }, { Outputs: named(201, { Value: "x" }) })).toContain("201 outputs, maximum is 200");
  expect(found({ Role }, { Parameters: named(201, { Type: "String" }) })).toContain(
    "201 parameters, maximum is 200",
  );
});
