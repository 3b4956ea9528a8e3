/**
 * The sizes of policies. IAM does not count white space.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html, and the quotas of the services for policies of resources
 */
import { render, renderText } from "./render.ts";
import { type Json, listOf, ofType, type Problem, type StackTemplate } from "./template.ts";

const INLINE_CHARACTERS = 10_240;
const MANAGED_CHARACTERS = 6_144;
const TRUST_CHARACTERS = 2_048;
const MANAGED_OF_A_ROLE = 10;
/** Of the permissions of all callers of a function. */
const FUNCTION_POLICY_BYTES = 20_480;

/** Type -> property with the policy, its greatest size, and where the rest can go. */
const OF_RESOURCES: Readonly<Record<string, readonly [property: string, most: number]>> = {
  "AWS::S3::BucketPolicy": ["PolicyDocument", 20_480],
  "AWS::KMS::Key": ["KeyPolicy", 32_768],
  "AWS::SNS::TopicPolicy": ["PolicyDocument", 30_720],
  "AWS::SecretsManager::ResourcePolicy": ["ResourcePolicy", 20_480],
  "AWS::Logs::ResourcePolicy": ["PolicyDocument", 5_120],
  "AWS::ApiGateway::RestApi": ["Policy", 8_192],
};

const WAY_OUT = "merge statements, shorten lists of resources by a pattern, or split the function";

export function checkPolicies(stack: StackTemplate): readonly Problem[] {
  const sizeOf = (document: unknown): number =>
    document === undefined ? 0 : renderText(stack, render(stack, document)).length;
  const tooLarge = (logicalId: string, what: string, size: number, most: number): Problem[] =>
    size > most ? [{ logicalId, text: `${what} has ${size} characters, AWS takes ${most}: ${WAY_OUT}` }] : [];
  const inline = new Map<string, number>();
  for (const [id, { Policies }] of ofType(stack, "AWS::IAM::Role"))
    inline.set(id, sum((Policies as Json[] | undefined)?.map((each) => sizeOf(each.PolicyDocument)) ?? []));
  for (const [, { Roles, PolicyDocument }] of ofType(stack, "AWS::IAM::Policy"))
    for (const role of (Roles as { Ref?: string }[] | undefined) ?? [])
      if (role.Ref !== undefined) inline.set(role.Ref, (inline.get(role.Ref) ?? 0) + sizeOf(PolicyDocument));
  return [
    ...[...inline].flatMap(([id, size]) =>
      tooLarge(id, "the role's inline policies together", size, INLINE_CHARACTERS),
    ),
    ...ofType(stack, "AWS::IAM::Role").flatMap(([id, role]) => [
      ...tooLarge(id, "the trust policy", sizeOf(role.AssumeRolePolicyDocument), TRUST_CHARACTERS),
      ...(listOf(role.ManagedPolicyArns).length > MANAGED_OF_A_ROLE
        ? [{ logicalId: id, text: `the role has more than ${MANAGED_OF_A_ROLE} managed policies` }]
        : []),
    ]),
    ...ofType(stack, "AWS::IAM::ManagedPolicy").flatMap(([id, { PolicyDocument }]) =>
      tooLarge(id, "the managed policy", sizeOf(PolicyDocument), MANAGED_CHARACTERS),
    ),
    ...Object.entries(OF_RESOURCES).flatMap(([type, [property, most]]) =>
      ofType(stack, type).flatMap(([id, properties]) =>
        tooLarge(id, "the policy of the resource", sizeOf(properties[property]), most),
      ),
    ),
    ...functionPolicies(stack).flatMap(([id, size]) =>
      tooLarge(id, "the policy of the function's callers", size, FUNCTION_POLICY_BYTES),
    ),
  ];
}

/** The size of each function's policy, which has a statement for each permission. */
function functionPolicies(stack: StackTemplate): [id: string, size: number][] {
  const sizes = new Map<string, number>();
  for (const [id, properties] of ofType(stack, "AWS::Lambda::Permission")) {
    const { FunctionName, Action, Principal, SourceArn, SourceAccount } = render(stack, properties) as Json;
    const statement = {
      Sid: renderText(stack, { Ref: id }),
      Effect: "Allow",
      Principal: { Service: Principal },
      Action,
      Resource: FunctionName,
      Condition: {
        ArnLike: { "AWS:SourceArn": SourceArn },
        StringEquals: { "AWS:SourceAccount": SourceAccount },
      },
    };
    const target = JSON.stringify(properties.FunctionName);
    sizes.set(target, (sizes.get(target) ?? 60) + JSON.stringify(statement).length + 1);
  }
  return [...sizes].map(([target, size]) => [
    /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(target)?.[1] ?? target,
    size,
  ]);
}

const sum = (figures: readonly number[]): number => figures.reduce((total, each) => total + each, 0);
