/** The bucket that holds symbols and captured packets. Who is handed it gets its name and access to some prefixes. */
import { type CfnElement, Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { BlockPublicAccess, Bucket, BucketEncryption } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type { BucketAccess } from "./access.ts";

/** Uploads that were begun and never completed. */
const ABANDONED_UPLOAD_DAYS = 1;

/** Segments become one object when their capture is stopped; what is this old belongs to one that never was. */
const ABANDONED_SEGMENT_DAYS = 365;

/** As long as the table can be taken back to a point in time. */
const DELETED_OBJECT_DAYS = 35;

export class DataBucket extends Construct {
  readonly #bucket: Bucket;

  constructor(scope: Construct, id: string, { ephemeral }: { ephemeral: boolean }) {
    super(scope, id);
    this.#bucket = new Bucket(this, "Data", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      autoDeleteObjects: ephemeral,
      // What is deleted by mistake, or by a fault of ours, can be brought back: docs/operations.md.
      versioned: !ephemeral,
      lifecycleRules: [
        {
          id: "abandoned-uploads",
          abortIncompleteMultipartUploadAfter: Duration.days(ABANDONED_UPLOAD_DAYS),
        },
        {
          id: "abandoned-segments",
          prefix: "segments/",
          expiration: Duration.days(ABANDONED_SEGMENT_DAYS),
        },
        ...(ephemeral
          ? []
          : [
              {
                id: "deleted-objects",
                noncurrentVersionExpiration: Duration.days(DELETED_OBJECT_DAYS),
                expiredObjectDeleteMarker: true,
              },
            ]),
      ],
    });
    Validations.of(this.#bucket).acknowledge({
      id: "AwsSolutions-S1",
      reason:
        "Only the functions of this stack reach the bucket; the access log of the API tells who asked them to.",
    });
  }

  get name(): string {
    return this.#bucket.bucketName;
  }

  /** Sets `BUCKET_NAME` and grants the access. */
  bind(target: LambdaFunction, access: BucketAccess): void {
    target.addEnvironment("BUCKET_NAME", this.#bucket.bucketName);
    const resources = access.prefixes.map((prefix) => this.#bucket.arnForObjects(`${prefix}/*`));
    target.addToRolePolicy(
      new PolicyStatement({ actions: access.actions.map((action) => `s3:${action}`), resources }),
    );
    const logicalId = Stack.of(this).getLogicalId(this.#bucket.node.defaultChild as CfnElement);
    for (const prefix of access.prefixes) {
      Validations.of(target).acknowledge({
        id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/${prefix}/*]`,
        reason: `The objects below ${prefix}/ are this function's, and their names are made up as they come.`,
      });
    }
    // Without it, a missing object would be told as forbidden, not as missing.
    target.addToRolePolicy(
      new PolicyStatement({ actions: ["s3:ListBucket"], resources: [this.#bucket.bucketArn] }),
    );
  }
}
