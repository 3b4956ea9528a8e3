/** The grants of the template's policies as text: intrinsic functions are written as `<LogicalId.Attribute>`, without hashes. */
import type { Template } from "aws-cdk-lib/assertions";

type Json = Readonly<Record<string, unknown>>;

export interface Statement {
  /** The owner of the policy: a role, or a bucket, a key, a topic. */
  readonly kind: string;
  /** Logical id of the policy, or of the resource that it belongs to. */
  readonly id: string;
  readonly effect: "Allow" | "Deny";
  /** The principals; none in the policy of a role. */
  readonly principals: readonly string[];
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Operator -> key -> values. */
  readonly conditions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

const KINDS: Readonly<Record<string, readonly [kind: string, property: string]>> = {
  "AWS::IAM::Policy": ["role", "PolicyDocument"],
  "AWS::IAM::ManagedPolicy": ["role", "PolicyDocument"],
  "AWS::S3::BucketPolicy": ["bucket", "PolicyDocument"],
  "AWS::SNS::TopicPolicy": ["topic", "PolicyDocument"],
  "AWS::KMS::Key": ["key", "KeyPolicy"],
  "AWS::SecretsManager::ResourcePolicy": ["secret", "ResourcePolicy"],
  "AWS::ApiGateway::RestApi": ["api", "Policy"],
  "AWS::Logs::ResourcePolicy": ["log", "PolicyDocument"],
};

interface Resource {
  readonly Type: string;
  readonly Properties?: Json;
}

export const resourcesOf = (template: Template): [string, Resource][] =>
  Object.entries((template.toJSON() as { Resources: Record<string, Resource> }).Resources);

/** Logical ids end in a hash of the path. */
export const nameOf = (id: string): string => id.replace(/[0-9A-F]{8}$/, "");

function render(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const [[name, argument] = []] = Object.entries(value);
  switch (name) {
    case "Ref":
      return `<${nameOf(String(argument))}>`;
    case "Fn::GetAtt": {
      const [id, attribute] = argument as [string, string];
      return `<${nameOf(id)}.${attribute}>`;
    }
    case "Fn::Join": {
      const [separator, parts] = argument as [string, unknown[]];
      return parts.map(render).join(separator);
    }
    case "Fn::Sub":
      return String(argument).replace(/\$\{([^}]+)\}/g, "<$1>");
    default:
      throw new Error(`${JSON.stringify(value)} is nothing that policies are made of here`);
  }
}

const list = (value: unknown): readonly string[] => (value === undefined ? [] : [value].flat().map(render));

function principalsOf(principal: unknown): readonly string[] {
  if (principal === undefined || typeof principal === "string") return list(principal);
  return Object.values(principal as Json).flatMap(list);
}

/** @throws Error for statements that the reader does not support: NotAction, NotPrincipal, NotResource. */
function readStatement(kind: string, id: string, raw: Json): Statement {
  const { Effect, Principal, Action, Resource, Condition = {}, ...others } = raw;
  for (const key of Object.keys(others)) if (key.startsWith("Not")) throw new Error(`${id}: ${key}`);
  return {
    kind,
    id,
    effect: Effect as Statement["effect"],
    principals: principalsOf(Principal),
    actions: list(Action),
    resources: list(Resource),
    conditions: Object.fromEntries(
      Object.entries(Condition as Record<string, Json>).map(([operator, keys]) => [
        operator,
        Object.fromEntries(Object.entries(keys).map(([key, values]) => [key, list(values)])),
      ]),
    ),
  };
}

const statementsIn = (document: unknown): Json[] =>
  [(document as { Statement?: Json | Json[] } | undefined)?.Statement ?? []].flat();

/** The statements of all policies in the template, including inline policies of roles. */
export function statementsOf(template: Template): Statement[] {
  return resourcesOf(template).flatMap(([id, { Type, Properties = {} }]) => {
    const [kind, property] = KINDS[Type] ?? [];
    const own = kind ? statementsIn(Properties[property!]) : [];
    const inline = ((Properties.Policies as Json[] | undefined) ?? []).flatMap((policy) =>
      statementsIn(policy.PolicyDocument),
    );
    return [
      ...own.map((raw) => readStatement(kind!, id, raw)),
      ...inline.map((raw) => readStatement("role", id, raw)),
    ];
  });
}

/** The statements of a function's role, by the name of the function's construct in the stack. */
export const statementsOfFunction = (template: Template, name: string): Statement[] =>
  statementsOf(template).filter(({ kind, id }) => kind === "role" && id.startsWith(`${name}Role`));

/** AWS's own policies, by role: `Role arn:...`. */
export const managedPoliciesOf = (template: Template): string[] =>
  resourcesOf(template).flatMap(([id, { Properties = {} }]) =>
    list(Properties.ManagedPolicyArns).map((arn) => `${nameOf(id)} ${arn}`),
  );

/** The principals that may call functions: `apigateway.amazonaws.com lambda:InvokeFunction from arn:...`. */
export const permissionsOf = (template: Template): string[] =>
  resourcesOf(template).flatMap(([, { Type, Properties = {} }]) =>
    Type === "AWS::Lambda::Permission"
      ? [`${Properties.Principal} ${Properties.Action} from ${render(Properties.SourceArn)}`]
      : [],
  );
