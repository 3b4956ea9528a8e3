/**
 * The bucket for symbols and captured packets, and the bucket for its access log. `bind` gives a function the bucket's name and
 * access to the prefixes that it uses.
 */
import { type CfnElement, Duration, Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
} from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { asInterface } from "./as-interface.ts";
import type { Settings } from "./chosen-settings.ts";
import { customerKeyOf, grantKey } from "./customer-key.ts";
import { dataRemoval } from "./data-removal.ts";
import type { BucketAccess, ObjectAction, Prefix } from "./permissions.ts";
import { OBJECT_NAMES } from "./wildcards.ts";

/** S3 deletes incomplete uploads after this time. */
const ABANDONED_UPLOAD_DAYS = 1;

/** Captures of lab files that were played, sweeps, and outcomes of runs with guests: nothing refers to them. */
const LAB_CAPTURE_DAYS = 1;

/** Same retention as the other logs. */
const ACCESS_LOG_DAYS = 30;

export class DataBucket extends Construct {
  /** Gets the access logs of buckets. An ephemeral stack has none: nothing would be left to read, and its deployment is faster. */
  readonly logBucket: Bucket | undefined;
  readonly #bucket: Bucket;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const ephemeral = settings.get("ephemeral");
    const encryptionKey = customerKeyOf(this);
    const common = {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: dataRemoval(settings),
      autoDeleteObjects: ephemeral,
    };
    this.logBucket = ephemeral ? undefined : this.#makeLogBucket(common);
    this.#bucket = new Bucket(this, "Data", {
      ...common,
      ...(encryptionKey
        ? { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }
        : { encryption: BucketEncryption.S3_MANAGED }),
      ...(this.logBucket && { serverAccessLogsBucket: asInterface<IBucket>(this.logBucket) }),
      // An operator can restore objects that were deleted by mistake or by a fault of the service: docs/operations.md.
      versioned: !ephemeral,
      lifecycleRules: [
        {
          id: "abandoned-uploads",
          abortIncompleteMultipartUploadAfter: Duration.days(ABANDONED_UPLOAD_DAYS),
        },
        {
          id: "captures-of-lab-files",
          prefix: "labs/",
          expiration: Duration.days(LAB_CAPTURE_DAYS),
          ...(!ephemeral && { noncurrentVersionExpiration: Duration.days(LAB_CAPTURE_DAYS) }),
        },
        {
          id: "sweeps-of-lab-files",
          prefix: "sweeps/",
          expiration: Duration.days(LAB_CAPTURE_DAYS),
          ...(!ephemeral && { noncurrentVersionExpiration: Duration.days(LAB_CAPTURE_DAYS) }),
        },
        {
          id: "runs-with-guests",
          prefix: "runs/",
          expiration: Duration.days(LAB_CAPTURE_DAYS),
          ...(!ephemeral && { noncurrentVersionExpiration: Duration.days(LAB_CAPTURE_DAYS) }),
        },
        ...(ephemeral
          ? []
          : [
              {
                id: "deleted-objects",
                noncurrentVersionExpiration: Duration.days(settings.get("restore_days")),
                expiredObjectDeleteMarker: true,
              },
            ]),
      ],
    });
    if (ephemeral) acknowledgeNoLog(this.#bucket);
  }

  /** The log bucket does not use the customer's key: S3 delivers no access logs to a bucket with one. */
  #makeLogBucket(common: BucketProps): Bucket {
    const log = new Bucket(this, "AccessLog", {
      ...common,
      encryption: BucketEncryption.S3_MANAGED,
      lifecycleRules: [{ id: "old-lines", expiration: Duration.days(ACCESS_LOG_DAYS) }],
    });
    Validations.of(log).acknowledge({
      id: "AwsSolutions-S1",
      reason: "It has the access log of the other bucket; logging access to the log would never end.",
    });
    return log;
  }

  get name(): string {
    return this.#bucket.bucketName;
  }

  /** For constructs outside the service. */
  get resource(): Bucket {
    return this.#bucket;
  }

  /** Sets `BUCKET_NAME` and grants the access. */
  bind(target: LambdaFunction, access: BucketAccess): void {
    target.addEnvironment("BUCKET_NAME", this.#bucket.bucketName);
    const parts = Object.entries(access.objects) as [Prefix, readonly ObjectAction[]][];
    for (const group of Map.groupBy(parts, ([, actions]) => actions.toSorted().join()).values()) {
      target.addToRolePolicy(
        new PolicyStatement({
          actions: group[0]![1].map((action) => `s3:${action}`),
          resources: group.map(([prefix]) => this.#bucket.arnForObjects(`${prefix}/*`)),
        }),
      );
    }
    const logicalId = Stack.of(this).getLogicalId(this.#bucket.node.defaultChild as CfnElement);
    for (const [prefix] of parts) {
      Validations.of(target.role!).acknowledge({
        id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/${prefix}/*]`,
        reason: OBJECT_NAMES,
      });
    }
    this.#bindListing(target, access);
    grantKey(target, "s3", keyActionsFor(parts.flatMap(([, actions]) => actions)));
  }

  #bindListing(target: LambdaFunction, { objects, lists = [] }: BucketAccess): void {
    const read = prefixesWith(objects, "GetObject");
    const prefixes = lists === "everything" ? [] : [...new Set([...lists, ...read])];
    if (lists !== "everything" && prefixes.length === 0) return;
    // S3 returns 404 for a missing object only if the caller may list the bucket, else 403. S3 checks that without a prefix.
    const operator = read.length > 0 ? "StringLikeIfExists" : "StringLike";
    target.addToRolePolicy(
      new PolicyStatement({
        actions: ["s3:ListBucket"],
        resources: [this.#bucket.bucketArn],
        ...(prefixes.length > 0 && {
          conditions: { [operator]: { "s3:prefix": prefixes.map((prefix) => `${prefix}/*`) } },
        }),
      }),
    );
  }
}

/** Of a bucket in an ephemeral stack. */
export const acknowledgeNoLog = (bucket: Bucket): void =>
  Validations.of(bucket).acknowledge({
    id: "AwsSolutions-S1",
    reason: "The log of an ephemeral stack would be deleted with it.",
  });

const prefixesWith = (objects: BucketAccess["objects"], action: ObjectAction): Prefix[] =>
  (Object.entries(objects) as [Prefix, readonly ObjectAction[]][]).flatMap(([prefix, actions]) =>
    actions.includes(action) ? [prefix] : [],
  );

/** Returns the KMS actions that S3 performs for the caller. S3 decrypts the parts of an upload when it completes the upload. */
function keyActionsFor(actions: readonly ObjectAction[]): string[] {
  const writes = actions.includes("PutObject");
  const reads = actions.includes("GetObject") || actions.includes("AbortMultipartUpload");
  return [...(reads ? ["Decrypt"] : []), ...(writes ? ["GenerateDataKey"] : [])];
}
