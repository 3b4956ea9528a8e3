/** Resolves CloudFormation's intrinsic functions to local values. */
import { LocalProblem } from "./problem.ts";

export interface CfnResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export type CfnResources = Readonly<Record<string, CfnResource>>;

/** @param where the value's path in the template, for error messages: `Orders1A2B.Environment.Variables.TABLE_NAME`. */
export type Resolve = (value: unknown, where: string) => unknown;

export const LOCAL_REGION = "us-east-1";
export const LOCAL_ACCOUNT = "000000000000";

const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  "AWS::Region": LOCAL_REGION,
  "AWS::AccountId": LOCAL_ACCOUNT,
  "AWS::Partition": "aws",
  "AWS::URLSuffix": "amazonaws.com",
  "AWS::StackName": "wirelab",
  "AWS::StackId": `arn:aws:cloudformation:${LOCAL_REGION}:${LOCAL_ACCOUNT}:stack/wirelab/local`,
};

const ARNS: Readonly<Record<string, (name: string) => string>> = {
  "AWS::DynamoDB::Table": (name) => `arn:aws:dynamodb:${LOCAL_REGION}:${LOCAL_ACCOUNT}:table/${name}`,
  "AWS::S3::Bucket": (name) => `arn:aws:s3:::${name}`,
  "AWS::Lambda::Function": (name) => `arn:aws:lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:${name}`,
};

/** @param names physical names by logical id; a reference to any other logical id throws a LocalProblem. */
export function makeResolver(resources: CfnResources, names: Readonly<Record<string, string>>): Resolve {
  const refer = (id: string, where: string): string => {
    const name = PSEUDO_PARAMETERS[id] ?? names[id];
    if (name === undefined) throw new LocalProblem(`${where}: Ref to ${id} has no local counterpart`);
    return name;
  };

  const readAttribute = (path: string, where: string): string => {
    const [id = "", attribute] = path.split(".");
    const arn = attribute === "Arn" ? ARNS[resources[id]?.Type ?? ""] : undefined;
    if (!arn) throw new LocalProblem(`${where}: Fn::GetAtt of ${path} has no local counterpart`);
    return arn(refer(id, where));
  };

  const substitute = (text: string, values: Readonly<Record<string, unknown>>, where: string): string =>
    text.replace(/\$\{([^}]+)\}/g, (_whole, name: string) => {
      if (name.startsWith("!")) return `\${${name.slice(1)}}`;
      if (name in values) return String(resolve(values[name], where));
      return name.includes(".") ? readAttribute(name, where) : refer(name, where);
    });

  const call = (name: string, argument: unknown, where: string): unknown => {
    switch (name) {
      case "Ref":
        return refer(String(argument), where);
      case "Fn::GetAtt":
        return readAttribute(Array.isArray(argument) ? argument.join(".") : String(argument), where);
      case "Fn::Join": {
        const [separator, parts] = argument as [string, unknown[]];
        return parts.map((part) => String(resolve(part, where))).join(separator);
      }
      case "Fn::Sub":
        return Array.isArray(argument)
          ? substitute(String(argument[0]), argument[1] as Record<string, unknown>, where)
          : substitute(String(argument), {}, where);
      default:
        throw new LocalProblem(`${where}: ${name} is not supported locally`);
    }
  };

  const resolve: Resolve = (value, where) => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item, index) => resolve(item, `${where}.${index}`));
    const entries = Object.entries(value);
    const [name, argument] = entries[0] ?? [];
    if (entries.length === 1 && (name === "Ref" || name?.startsWith("Fn::")))
      return call(name, argument, where);
    return Object.fromEntries(entries.map(([key, item]) => [key, resolve(item, `${where}.${key}`)]));
  };
  return resolve;
}
