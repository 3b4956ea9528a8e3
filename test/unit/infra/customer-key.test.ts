/** `-c customer_key=true`: one key for all stored data, and minimal grants of it to the roles. */
import { Match, type Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { ACCESS } from "../../../infra/access.ts";
import { resourcesOf, statementsOf, statementsOfFunction } from "../../helpers/stack/policies.ts";
import { makeStack, templateOf } from "../../helpers/stack/stack.ts";

let template: Template;
let without: Template;
beforeAll(() => {
  template = templateOf({ customer_key: "true" });
  without = templateOf();
});

const KEY = { "Fn::GetAtt": [Match.stringLikeRegexp("^CustomerKey"), "Arn"] };

describe("with a customer's key", () => {
  test("the key is the stack's own, rotates, and outlives a stack that lasts", () => {
    template.hasResource("AWS::KMS::Key", {
      DeletionPolicy: "RetainExceptOnCreate",
      Properties: Match.objectLike({ EnableKeyRotation: true }),
    });
    const ephemeral = templateOf({ customer_key: "true", ephemeral: "true" });
    ephemeral.hasResource("AWS::KMS::Key", { DeletionPolicy: "Delete" });
  });

  test("it encrypts the table, the bucket and every log", () => {
    template.hasResourceProperties("AWS::DynamoDB::Table", {
      SSESpecification: { SSEEnabled: true, SSEType: "KMS", KMSMasterKeyId: KEY },
    });
    template.hasResourceProperties("AWS::S3::Bucket", {
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          {
            BucketKeyEnabled: true,
            ServerSideEncryptionByDefault: { KMSMasterKeyID: KEY, SSEAlgorithm: "aws:kms" },
          },
        ],
      },
    });
    template.allResourcesProperties("AWS::Logs::LogGroup", { KmsKeyId: KEY });
    expect(Object.keys(template.findResources("AWS::Logs::LogGroup"))).toHaveLength(2);
  });

  test("CloudWatch may use it for the stack's own logs only", () => {
    const forLogs = statementsOf(template).find(
      ({ kind, principals }) => kind === "key" && principals.join().startsWith("logs."),
    );
    expect(forLogs?.conditions).toEqual({
      ArnLike: {
        "kms:EncryptionContext:aws:logs:arn": [
          "arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:log-group:Wirelab-*",
        ],
      },
    });
  });

  /** Functions whose failures go to the queue. */
  const SEND_FAILURES = new Set(["publisher", "sockets", "watcher"]);

  /** Functions of the nested stack: helper.test.ts. */
  const NESTED = new Set(["helper", "probe"]);

  test.each(Object.keys(ACCESS).filter((name) => !NESTED.has(name)))(
    "%s may use it as it uses the stores, and only through them",
    (name) => {
      const construct = name === "authorizer" ? "Authorizer" : name;
      const used = statementsOfFunction(template, construct)
        .filter(({ actions }) => actions.some((action) => action.startsWith("kms:")))
        .map(({ actions, conditions }) => [
          conditions.StringEquals!["kms:ViaService"]!.join().split(".")[0],
          actions.toSorted(),
        ]);
      const objects = Object.values(ACCESS[name]!.bucket?.objects ?? {}).flat();
      const forObjects = [
        ...(objects.includes("GetObject") ? ["kms:Decrypt"] : []),
        ...(objects.includes("PutObject") ? ["kms:GenerateDataKey"] : []),
      ];
      const expected = [
        ...(ACCESS[name]!.table || name === "authorizer" ? [["dynamodb", ["kms:Decrypt"]]] : []),
        ...(forObjects.length > 0 ? [["s3", forObjects]] : []),
        ...forPasswords(ACCESS[name]!.passwords),
        ...(SEND_FAILURES.has(name) ? [["sqs", ["kms:Decrypt", "kms:GenerateDataKey"]]] : []),
      ];
      expect(used.toSorted()).toEqual(expected.toSorted());
    },
  );
});

/** Secrets Manager decrypts a value that it replaces. */
function forPasswords(actions: readonly string[] | undefined) {
  if (actions === undefined) return [];
  const generates = actions.includes("CreateSecret") ? ["kms:GenerateDataKey"] : [];
  return [["secretsmanager", ["kms:Decrypt", ...generates]]];
}

test("without the setting, nothing refers to a key", () => {
  expect(resourcesOf(without).filter(([, { Type }]) => Type === "AWS::KMS::Key")).toEqual([]);
  expect(JSON.stringify(without.toJSON())).not.toMatch(/kms:|KmsKeyId|KMSMasterKey/);
});

test.each(["customer_key", "waf", "tracing"])("the context %s is true or false, and nothing else", (key) => {
  expect(() => makeStack({ [key]: "yes" })).toThrow(
    `The context key ${key} is yes; it must be true or false`,
  );
});
