/**
 * `-c customer_key=true`: encrypts the table, the bucket, the queue of failures and the logs with a KMS key of the account,
 * instead of keys that AWS manages. CloudTrail records its use, and disabling it blocks all access at once: docs/security.md.
 *
 * Roles may use the key only through the service that stores the data, for the data that they read and write.
 */
import { Aws, Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { Settings } from "./chosen-settings.ts";
import { dataRemoval } from "./data-removal.ts";
import { serviceOf } from "./service-stack.ts";

const ID = "CustomerKey";

export class CustomerKey extends Construct {
  readonly #key: Key;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    this.#key = new Key(this, "Key", {
      description: "Wirelab: table, bucket, queue of failures and logs",
      enableKeyRotation: true,
      removalPolicy: dataRemoval(settings),
    });
    this.#key.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal(`logs.${Aws.REGION}.amazonaws.com`)],
        actions: [
          "kms:Encrypt",
          "kms:Decrypt",
          "kms:ReEncryptFrom",
          "kms:ReEncryptTo",
          "kms:GenerateDataKey",
          "kms:GenerateDataKeyWithoutPlaintext",
          "kms:DescribeKey",
        ],
        resources: ["*"],
        // CloudFormation names log groups after their stack.
        conditions: { ArnLike: { "kms:EncryptionContext:aws:logs:arn": this.#logGroups() } },
      }),
    );
  }

  get key(): Key {
    return this.#key;
  }

  #logGroups(): string {
    const { partition, region, account, stackName } = Stack.of(this);
    return `arn:${partition}:logs:${region}:${account}:log-group:${stackName}-*`;
  }
}

/** Creates the service's key with `customer_key=true`. Must run before the resources that the key encrypts are created. */
export function makeCustomerKey(service: Construct, settings: Settings): void {
  if (settings.get("customer_key")) new CustomerKey(service, ID, settings);
}

/** @returns undefined if AWS manages the keys. */
export const customerKeyOf = (scope: Construct): Key | undefined =>
  (serviceOf(scope).node.tryFindChild(ID) as CustomerKey | undefined)?.key;

/** Returns properties for a log group. */
export function logKeyOf(scope: Construct): { readonly encryptionKey?: Key } {
  const encryptionKey = customerKeyOf(scope);
  return encryptionKey ? { encryptionKey } : {};
}

/**
 * Grants the use of the key through one service, such as `dynamodb`; does nothing without a key.
 * @param actions KMS actions, such as `Decrypt`.
 */
export function grantKey(target: LambdaFunction, service: string, actions: readonly string[]): void {
  const key = customerKeyOf(target);
  if (key === undefined || actions.length === 0) return;
  target.addToRolePolicy(
    new PolicyStatement({
      actions: actions.map((action) => `kms:${action}`),
      resources: [key.keyArn],
      conditions: { StringEquals: { "kms:ViaService": `${service}.${Aws.REGION}.amazonaws.com` } },
    }),
  );
}
