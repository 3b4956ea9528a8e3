/**
 * The queue of what was given up: changes of the table's stream that the publisher could not handle, and calls of functions that failed.
 * Lambda writes to it with the role of the function. docs/operations.md says what to do with a message.
 */
import { Duration, Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { type IQueue, Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { customerKeyOf, grantKey } from "./customer-key.ts";
import { serviceOf } from "./service-stack.ts";

const ID = "Failures";

/** The longest that SQS keeps a message. */
const KEPT = Duration.days(14);

/** Returns the queue of the service. */
export function failureQueueOf(scope: Construct): Queue {
  const service = serviceOf(scope);
  const existing = service.node.tryFindChild(ID) as Queue | undefined;
  return existing ?? makeQueue(service);
}

function makeQueue(service: Construct): Queue {
  const encryptionMasterKey = customerKeyOf(service);
  const queue = new Queue(service, ID, {
    retentionPeriod: KEPT,
    enforceSSL: true,
    ...(encryptionMasterKey
      ? { encryption: QueueEncryption.KMS, encryptionMasterKey }
      : { encryption: QueueEncryption.SQS_MANAGED }),
  });
  Validations.of(queue).acknowledge({
    id: "AwsSolutions-SQS3",
    reason: "The queue is the place for what has failed; no function reads its messages.",
  });
  return queue;
}

/** Sends what Lambda gives up of a function's work to the queue: as a destination of a stream, and of asynchronous calls. */
export const failuresOf = (target: LambdaFunction) => ({
  bind: (): { destination: string } => ({ destination: admit(target).queueArn }),
});

/** Lambda needs no other permission for this; the CDK's destinations would add two. */
function admit(target: LambdaFunction): IQueue {
  const queue = failureQueueOf(target);
  target.addToRolePolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queue.queueArn] }));
  grantKey(target, "sqs", ["GenerateDataKey", "Decrypt"]);
  return queue;
}
