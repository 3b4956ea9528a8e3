/** The sizes of policies. */
import { expect, test } from "vitest";
import { checkPolicies } from "../../../../infra/rehearse/policies.ts";
import { functionOf, policy, roleOf, stackOf, statement } from "./broken.ts";

const long = (count: number) =>
  statement(
    "s3:GetObject",
    Array.from({ length: count }, (_, index) => `arn:aws:s3:::bucket/prefix-number-${100 + index}/*`),
  );
const textsOf = (resources: object) =>
  checkPolicies(stackOf(resources)).map(({ logicalId, text }) => `${logicalId}: ${text}`);

test("counts a role's inline policies together, wherever they stand", () => {
  const attached = {
    Type: "AWS::IAM::Policy",
    Properties: { Roles: [{ Ref: "Role" }], PolicyDocument: policy(long(130)) },
  };
  expect(textsOf({ Role: roleOf("lambda", long(130)) })).toEqual([]);
  expect(textsOf({ Role: roleOf("lambda", long(130)), Attached: attached }).join()).toMatch(
    /Role: the role's inline policies together has 1\d{4} characters, AWS takes 10240/,
  );
});

test("finds large managed policies, trust policies, and policies of resources", () => {
  const managed = { Type: "AWS::IAM::ManagedPolicy", Properties: { PolicyDocument: policy(long(150)) } };
  expect(textsOf({ managed }).join()).toContain("managed: the managed policy has");
  const trusting = { Type: "AWS::IAM::Role", Properties: { AssumeRolePolicyDocument: policy(long(50)) } };
  expect(textsOf({ trusting }).join()).toContain("trusting: the trust policy has");
  const bucket = { Type: "AWS::S3::BucketPolicy", Properties: { PolicyDocument: policy(long(500)) } };
  expect(textsOf({ bucket }).join()).toContain("bucket: the policy of the resource has");
});

test("finds more than ten managed policies of a role", () => {
  const role = roleOf("lambda");
  const ManagedPolicyArns = Array.from({ length: 11 }, (_, index) => `arn:aws:iam::aws:policy/P${index}`);
  expect(textsOf({ role: { ...role, Properties: { ...role.Properties, ManagedPolicyArns } } })).toEqual([
    "role: the role has more than 10 managed policies",
  ]);
});

test("counts the permissions of all callers of a function, with names as long as AWS makes them", () => {
  const permission = (index: number) => ({
    Type: "AWS::Lambda::Permission",
    Properties: {
      FunctionName: { "Fn::GetAtt": ["Work", "Arn"] },
      Action: "lambda:InvokeFunction",
      Principal: "apigateway.amazonaws.com",
      SourceArn: { "Fn::Sub": `arn:aws:execute-api:\${AWS::Region}:\${AWS::AccountId}:api/*/GET/${index}` },
    },
  });
  const many = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`Permission${index}`, permission(index)]),
    );
  expect(textsOf({ Work: functionOf(), ...many(40) })).toEqual([]);
  expect(textsOf({ Work: functionOf(), ...many(80) }).join()).toMatch(
    /^Work: the policy of the function's callers has \d+ characters, AWS takes 20480/,
  );
});
