/** The passwords of computes in Secrets Manager: one secret for each compute, under the name of the stack. */
import { Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { customerKeyOf, grantKey } from "./customer-key.ts";
import type { PasswordAction } from "./permissions.ts";
import { serviceNameOf } from "./service-stack.ts";
import { PASSWORDS } from "./wildcards.ts";

const WRITES: readonly PasswordAction[] = ["CreateSecret", "PutSecretValue"];

/** Gives a function the prefix of the secrets' names, and access to them. */
export function bindPasswords(target: LambdaFunction, actions: readonly PasswordAction[]): void {
  const { partition, region, account } = Stack.of(target);
  const prefix = `${serviceNameOf(target)}/computes/`;
  const resource = `arn:${partition}:secretsmanager:${region}:${account}:secret:${prefix}*`;
  target.addEnvironment("COMPUTE_SECRETS", prefix);
  target.addToRolePolicy(
    new PolicyStatement({
      actions: actions.map((action) => `secretsmanager:${action}`),
      resources: [resource],
    }),
  );
  Validations.of(target.role!).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:${prefix}*]`,
    reason: PASSWORDS,
  });
  const writes = actions.some((action) => WRITES.includes(action));
  const reads = writes || actions.includes("GetSecretValue");
  grantKey(target, "secretsmanager", [...(reads ? ["Decrypt"] : []), ...(writes ? ["GenerateDataKey"] : [])]);
  const key = customerKeyOf(target);
  if (key && writes) target.addEnvironment("COMPUTE_SECRETS_KEY", key.keyArn);
}
