/** Templates for the tests of rules. */
import { readStackTemplate, type StackTemplate } from "../../../../infra/rehearse/template.ts";

export const stackOf = (Resources: object, rest: object = {}, stackName = "Labs"): StackTemplate =>
  readStackTemplate(stackName, JSON.stringify({ Resources, ...rest }));

export const statement = (Action: unknown, Resource: unknown = "*") => ({
  Effect: "Allow",
  Action,
  Resource,
});

export const policy = (...Statement: readonly object[]) => ({ Version: "2012-10-17", Statement });

/** A role with one inline policy. */
export const roleOf = (service: string, ...statements: readonly object[]) => ({
  Type: "AWS::IAM::Role",
  Properties: {
    AssumeRolePolicyDocument: policy({
      Effect: "Allow",
      Principal: { Service: `${service}.amazonaws.com` },
      Action: "sts:AssumeRole",
    }),
    ...(statements.length > 0 && {
      Policies: [{ PolicyName: "own", PolicyDocument: policy(...statements) }],
    }),
  },
});

/** A function with the role `Role`. */
export const functionOf = (properties: object = {}) => ({
  Type: "AWS::Lambda::Function",
  Properties: {
    Role: { "Fn::GetAtt": ["Role", "Arn"] },
    Code: { S3Bucket: "assets", S3Key: "code.zip" },
    Handler: "index.handler",
    Runtime: "nodejs24.x",
    ...properties,
  },
});
