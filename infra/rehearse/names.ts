/**
 * Names that the template gives: their lengths, and that two stacks of one account differ in them. A name without the stack's name in it
 * belongs to the first stack; the second cannot be created.
 */
import { renderText } from "./render.ts";
import type { Json, Problem, StackTemplate } from "./template.ts";

/** Type -> the property with a name that is unique in the account and region, or everywhere, and its greatest length. */
const UNIQUE: Readonly<Record<string, readonly [path: string, most: number]>> = {
  "AWS::Budgets::Budget": ["Budget.BudgetName", 100],
  "AWS::CloudFront::CachePolicy": ["CachePolicyConfig.Name", 128],
  "AWS::CloudFront::Function": ["Name", 64],
  "AWS::CloudFront::OriginAccessControl": ["OriginAccessControlConfig.Name", 64],
  "AWS::CloudFront::OriginRequestPolicy": ["OriginRequestPolicyConfig.Name", 128],
  "AWS::CloudFront::ResponseHeadersPolicy": ["ResponseHeadersPolicyConfig.Name", 128],
  "AWS::CloudWatch::Alarm": ["AlarmName", 255],
  "AWS::CloudWatch::Dashboard": ["DashboardName", 255],
  "AWS::DynamoDB::Table": ["TableName", 255],
  "AWS::EC2::LaunchTemplate": ["LaunchTemplateName", 128],
  "AWS::Events::Rule": ["Name", 64],
  "AWS::IAM::InstanceProfile": ["InstanceProfileName", 128],
  "AWS::IAM::ManagedPolicy": ["ManagedPolicyName", 128],
  "AWS::IAM::Role": ["RoleName", 64],
  "AWS::KMS::Alias": ["AliasName", 256],
  "AWS::Lambda::Function": ["FunctionName", 64],
  "AWS::Logs::LogGroup": ["LogGroupName", 512],
  "AWS::Logs::ResourcePolicy": ["PolicyName", 256],
  "AWS::S3::Bucket": ["BucketName", 63],
  "AWS::SNS::Topic": ["TopicName", 256],
  "AWS::SQS::Queue": ["QueueName", 80],
  "AWS::Scheduler::Schedule": ["Name", 64],
  "AWS::SecretsManager::Secret": ["Name", 512],
  "AWS::StepFunctions::StateMachine": ["StateMachineName", 80],
  "AWS::WAFv2::WebACL": ["Name", 128],
};

/** API Gateway's stages and names of paths are unique in their API only. */
const LENGTHS: Readonly<Record<string, readonly [path: string, most: number]>> = {
  "AWS::ApiGateway::Authorizer": ["Name", 128],
  "AWS::ApiGateway::RestApi": ["Name", 128],
  "AWS::ApiGateway::Stage": ["StageName", 128],
  "AWS::ApiGatewayV2::Api": ["Name", 128],
  "AWS::EC2::SecurityGroup": ["GroupName", 255],
};

const at = (properties: Json, path: string): unknown =>
  path.split(".").reduce<unknown>((value, key) => (value as Json | undefined)?.[key], properties);

/** The CDK leaves hyphens out of some names. */
const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

export function checkNames(stack: StackTemplate): readonly Problem[] {
  const taken = new Map<string, string>();
  return Object.entries(stack.resources).flatMap(([logicalId, { Type, Properties = {} }]) => {
    const [path, most] = UNIQUE[Type] ?? LENGTHS[Type] ?? ["", 0];
    const given = path === "" ? undefined : at(Properties, path);
    if (given === undefined) return [];
    const name = renderText(stack, given);
    const problems: Problem[] = [];
    if (name.length > most)
      problems.push({
        logicalId,
        text: `${path} has ${name.length} characters, AWS takes ${most}: ${name}. Choose a shorter stack_name`,
      });
    if (UNIQUE[Type] !== undefined) {
      if (!lettersOf(name).includes(lettersOf(stack.stackName)))
        problems.push({
          logicalId,
          text: `${path} is ${name}, in every stack: put the stack's name into it, or leave it to CloudFormation`,
        });
      const key = `${Type} ${name}`;
      const other = taken.get(key);
      if (other !== undefined) problems.push({ logicalId, text: `${path} is ${name}, as that of ${other}` });
      taken.set(key, logicalId);
    }
    return problems;
  });
}
